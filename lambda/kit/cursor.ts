/**
 * Cursors of paged lists: the last sort key, and nothing else. The partition always comes from route, filter and
 * caller, so a forged cursor reaches nothing new. A list declares the shape of its sort keys, because DynamoDB refuses
 * a range that ends before it begins.
 */
import { canonicalEmail } from "./email.ts";
import { ValidationFailed } from "./errors.ts";
import { formats } from "./formats.ts";

const maxLength = 700;

export const encodeCursor = (sortKey: string): string => Buffer.from(sortKey, "utf8").toString("base64url");

/** Says whether a text is a valid part of a sort key. */
type Part = (text: string) => boolean;

/** The kinds of parts in sort keys. */
export const part = {
  email: (text: string) => canonicalEmail(text) === text,
  eventId: formats["event-id"].check,
  templateName: formats["template-name"].check,
  /** Epoch milliseconds. */
  time: (text: string) => /^\d{1,16}$/.test(text),
  year: (text: string) => /^\d{4}$/.test(text),
  ulid: (text: string) => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(text),
  /** A date in UTC; `0` for an event without a start. */
  start: (text: string) =>
    text === "0" || (text.length === 24 && text.endsWith("Z") && formats["iso-date"].check(text)),
  /** This value only; without a value, every text of the kind. */
  only: (value: string | number | undefined, kind: Part): Part =>
    value === undefined ? kind : (text) => text === String(value),
} as const;

/** Says whether a text looks like a sort key of the list. */
export type ListShape = (sortKey: string) => boolean;

/** Sort keys of parts with `#` between them. Only the last part may contain a `#` itself, because an email may. */
export const sortKeyOf =
  (...parts: readonly Part[]): ListShape =>
  (sortKey) => {
    const given = sortKey.split("#");
    const last = given.splice(parts.length - 1).join("#");
    return given.length === parts.length - 1 && parts.every((isPart, index) => isPart(given[index] ?? last));
  };

/**
 * The sort key after which a page begins; undefined for the first page.
 * @throws ValidationFailed this list cannot have given out the cursor
 */
export function decodeCursor(cursor: string | undefined, isOfList: ListShape): string | undefined {
  if (cursor === undefined) return undefined;
  const sortKey = Buffer.from(cursor, "base64url").toString("utf8");
  const wellFormed =
    sortKey !== "" &&
    sortKey.length <= maxLength &&
    encodeCursor(sortKey) === cursor &&
    formats.line.check(sortKey) &&
    isOfList(sortKey);
  if (!wellFormed) throw new ValidationFailed([{ path: "/cursor", message: "is not a valid cursor" }]);
  return sortKey;
}
