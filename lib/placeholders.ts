/** Finds placeholder values in `lib/stages.ts`. */

/** A host below `.example`, a reserved top-level domain (RFC 2606). */
const reserved = /[a-z0-9-]\.example\.?(?![\w.-])/i;

/** The strings in a value, each with the path of its field. Entries of a list have the path of the list. */
function texts(field: string, value: unknown): { field: string; text: string }[] {
  if (typeof value === "string") return [{ field, text: value }];
  if (Array.isArray(value)) return value.flatMap((member) => texts(field, member));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => texts(field === "" ? name : `${field}.${name}`, inner));
}

/**
 * The placeholders among values, such as a stage, in the order of the fields: `mailSender: "events@club.example"`. All fields are checked.
 * Pure.
 */
export const placeholders = (values: object): string[] =>
  texts("", values)
    .filter(({ text }) => reserved.test(text))
    .map(({ field, text }) => `${field}: "${text}"`);
