/**
 * Cursors of paged lists: the last sort key, nothing else. The partition is always rebuilt from route, filter and
 * caller, so a forged cursor reaches nothing new. A list says what its sort keys look like, because the table fails at a
 * range that ends before it begins.
 */
import { canonicalEmail } from "./email.ts";
import { ValidationFailed } from "./errors.ts";
import { formats } from "./formats.ts";

const maxLength = 700;

export const encodeCursor = (sortKey: string): string => Buffer.from(sortKey, "utf8").toString("base64url");

/** Whether a text is a part of a sort key. */
type Part = (text: string) => boolean;

/** The parts that sort keys are made of. */
export const part = {
  email: (text: string) => canonicalEmail(text) === text,
  eventId: formats["event-id"].check,
  templateName: formats["template-name"].check,
  /** Epoch milliseconds. */
  time: (text: string) => /^\d{1,16}$/.test(text),
  year: (text: string) => /^\d{4}$/.test(text),
  ulid: (text: string) => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(text),
  /** A date in UTC; `0` where there is none. */
  start: (text: string) =>
    text === "0" || (text.length === 24 && text.endsWith("Z") && formats["iso-date"].check(text)),
  /** Exactly this, or anything of its kind where the list is not narrowed down to one. */
  only: (value: string | number | undefined, kind: Part): Part =>
    value === undefined ? kind : (text) => text === String(value),
} as const;

/** What the sort keys of a list look like. */
export type ListShape = (sortKey: string) => boolean;

/** Sort keys of parts with `#` between them. Only the last part may contain one itself: an email may. */
export const sortKeyOf =
  (...parts: readonly Part[]): ListShape =>
  (sortKey) => {
    const given = sortKey.split("#");
    const last = given.splice(parts.length - 1).join("#");
    return given.length === parts.length - 1 && parts.every((isPart, index) => isPart(given[index] ?? last));
  };

/**
 * The sort key that a page continues behind; undefined for the first page.
 * @throws ValidationFailed when it is not a cursor that this list gave out, or could have
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
