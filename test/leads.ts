/** Values by which an item under another name leads back to a person (`docs/contract.md`, "A person's data"). */
import { decodeTime } from "ulid";
import { names } from "#domain/personal-data/shown.ts";
import { leaving } from "#domain/registrations/record/acts.ts";

type StoredItem = Readonly<Record<string, unknown>>;

const ulidText = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const isoText = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** The values of a text: itself, the parts of a key, and the millisecond of an id or of a date. */
function valuesInText(text: string): string[] {
  const parts = [text, ...text.split("#")].filter((part) => part.length >= 4);
  const times = parts.flatMap((part) => (ulidText.test(part) ? [`${decodeTime(part)}`] : []));
  const dates = isoText.test(text) ? [`${Date.parse(text)}`] : [];
  return [...parts, ...times, ...dates];
}

/** Numbers count as times or ids, not as amounts, from a billion on. */
function valuesIn(value: unknown): string[] {
  if (typeof value === "number") return value >= 1e9 ? [`${value}`] : [];
  if (typeof value === "string") {
    const isJson = value.startsWith("{") && value.endsWith("}");
    return isJson ? valuesIn(JSON.parse(value)) : valuesInText(value);
  }
  if (value instanceof Set) return [...value].flatMap(valuesIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [...valuesIn(one), ...(name.length > 20 ? [name] : [])]);
}

const allValues = (items: readonly StoredItem[]): Set<string> => new Set(items.flatMap(valuesIn));

/**
 * What items under the pseudonym have in common with items that name the person: an id, a nonce, a millisecond, a key, a
 * text.
 * @param isCommon whether the values of an item, such as an event, are those of many
 */
export function leadsBack(
  items: readonly StoredItem[],
  { email, pseudonym, isCommon }: { email: string; pseudonym: string; isCommon: (item: StoredItem) => boolean },
): string[] {
  const named = allValues(items.filter((item) => names(item, email)));
  const common = allValues(items.filter((item) => !names(item, email) && isCommon(item)));
  const words = new Set<string>([
    ...["USER", "PAYMENT", "attendee", "partner", "checkedIn", "cancelled", "rejected", "system"],
    ...Object.keys(leaving),
  ]);
  return [...allValues(items.filter((item) => names(item, pseudonym)))].filter(
    (value) => named.has(value) && !common.has(value) && !words.has(value),
  );
}
