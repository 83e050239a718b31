/** Finds the values of a stage that the club has not replaced yet (`lib/stages.ts`). */
import type { StageConfig } from "./stages.ts";

/** A host below `.example`. That top-level domain is reserved (RFC 2606): no club can own a name in it. */
const reserved = /[a-z0-9-]\.example\.?(?![\w.-])/i;

/** The texts in a value, each with the path of its field. All members of a list have the path of the list. */
function texts(field: string, value: unknown): { field: string; text: string }[] {
  if (typeof value === "string") return [{ field, text: value }];
  if (Array.isArray(value)) return value.flatMap((member) => texts(field, member));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => texts(field === "" ? name : `${field}.${name}`, inner));
}

/**
 * The placeholders of a stage, in the order of its fields: `mailSender: "events@club.example"`. Also fields that are
 * added later are looked at. Pure.
 */
export const placeholders = (stage: StageConfig): string[] =>
  texts("", stage)
    .filter(({ text }) => reserved.test(text))
    .map(({ field, text }) => `${field}: "${text}"`);
