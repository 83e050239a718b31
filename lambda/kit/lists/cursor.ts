/**
 * Cursors of paginated lists: the last sort key, and for a filtered list a hash of its filter. The partition is always
 * derived from route, filter and caller, so a forged cursor gives access to nothing else. Each list declares the shape of
 * its sort keys, because DynamoDB rejects a range that ends before it begins.
 */
import { createHash } from "node:crypto";
import { ValidationFailed } from "../errors.ts";
import { formats } from "../schema/formats.ts";
import { canonicalEmail } from "../text/email.ts";

const maxLength = 700;

/**
 * The hash of a filter: a cursor with it continues only a list with the same filter. Not secret.
 * @param filter normalized values
 */
export const filterHashOf = (filter: Readonly<Record<string, unknown>>): string =>
  createHash("sha256").update(JSON.stringify(filter)).digest("base64url").slice(0, 8);

/** Sort keys contain no spaces, so a cursor with a hash is never valid for an unfiltered list. */
const withFilterHash = (sortKey: string, filterHash: string | undefined): string =>
  filterHash === undefined ? sortKey : `${filterHash} ${sortKey}`;

export const encodeCursor = (sortKey: string, filterHash?: string): string =>
  Buffer.from(withFilterHash(sortKey, filterHash), "utf8").toString("base64url");

/** Whether a string is a valid part of a sort key. */
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
  start: (text: string) => text === "0" || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text),
  /** Only this value; without a value, any string of the kind. */
  only: (value: string | number | undefined, kind: Part): Part =>
    value === undefined ? kind : (text) => text === String(value),
} as const;

/** Whether a string has the shape of the list's sort keys. */
export type ListShape = (sortKey: string) => boolean;

/** Sort keys of parts separated by `#`. Only the last part may contain a `#`, because emails may. */
export const sortKeyOf =
  (...parts: readonly Part[]): ListShape =>
  (sortKey) => {
    const given = sortKey.split("#");
    const last = given.splice(parts.length - 1).join("#");
    return given.length === parts.length - 1 && parts.every((isPart, index) => isPart(given[index] ?? last));
  };

/**
 * The sort key after which a page begins; undefined for the first page.
 * @param filterHash of the list's filter, if it has one
 * @throws ValidationFailed the cursor cannot be from this list
 */
export function decodeCursor(cursor: string | undefined, isOfList: ListShape, filterHash?: string): string | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const start = withFilterHash("", filterHash);
  const sortKey = text.slice(start.length);
  const wellFormed =
    sortKey !== "" &&
    text.startsWith(start) &&
    text.length <= maxLength &&
    encodeCursor(text) === cursor &&
    formats.line.check(text) &&
    isOfList(sortKey);
  if (!wellFormed) throw new ValidationFailed([{ path: "/cursor", message: "is not a valid cursor" }]);
  return sortKey;
}
