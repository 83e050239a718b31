/**
 * Entity tags and the `If-Match` header (RFC 9110, 8.8.3 and 13.1.1): an admin's save succeeds only for the edit version
 * that the admin has read. Pure.
 */
import { PreconditionFailed, ValidationFailed } from "../errors.ts";

/** The fields that determine the edit version of a record. */
export interface Edited {
  /** Counts the edits, from 1. */
  readonly version: number;
  /** Identifies the creation. Records that are never deleted use `createdAt` instead. */
  readonly generation?: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/**
 * The strong entity tag of a record. It changes with each edit of an admin and when the record is created again, but not
 * with counters.
 */
export const entityTag = ({ generation, createdAt, version }: Edited): string =>
  `"${generation ?? createdAt}.${version}"`;

/** The header with the tag of a record. */
export const etagOf = (record: Edited): { readonly etag: string } => ({ etag: entityTag(record) });

/**
 * The condition that a record was not edited since it was read. Writes with `If-Match` need it, because a check after the
 * read alone would let two concurrent admins both save.
 */
export function unedited({ generation, createdAt, version }: Edited) {
  const sameCreation =
    generation === undefined ? "attribute_not_exists(generation) AND createdAt = :created" : "generation = :created";
  return {
    ConditionExpression: `${sameCreation} AND version = :read`,
    ExpressionAttributeValues: { ":created": generation ?? createdAt, ":read": version },
  };
}

/** The condition of an `If-Match` header: any record, or a record with one of these strong tags. */
export type IfMatch = "*" | readonly string[];

/**
 * An entry of the list, possibly empty, with its separator. Sticky: it continues after the previous entry. Only one part
 * matches white space, so that matching takes linear time.
 */
const entry = /[ \t]*(?:((?:W\/)?"[\x21\x23-\x7e\x80-\uffff]*")[ \t]*)?(,|$)/y;

const malformed = () =>
  new ValidationFailed([{ path: "/If-Match", message: 'must be *, or entity tags as an ETag header has them ("…")' }]);

/**
 * Parses an `If-Match` header. Weak tags are omitted: they never match, because `If-Match` uses strong comparison.
 * @returns undefined when the header is absent
 * @throws ValidationFailed the header is malformed, or contains no tag
 */
export function parseIfMatch(header: string | undefined): IfMatch | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === "*") return "*";
  const tags: string[] = [];
  let found: RegExpExecArray | null;
  entry.lastIndex = 0;
  do {
    found = entry.exec(header);
    if (!found) throw malformed();
    if (found[1]) tags.push(found[1]);
  } while (found[2] === ",");
  if (tags.length === 0) throw malformed();
  return tags.filter((tag) => !tag.startsWith("W/"));
}

/**
 * Checks the condition of a request against the record.
 * @param record undefined when there is none
 * @throws PreconditionFailed
 */
export function requireMatch(condition: IfMatch | undefined, record: Edited | undefined): void {
  if (condition === undefined) return;
  if (record === undefined) throw new PreconditionFailed();
  const tag = entityTag(record);
  if (condition !== "*" && !condition.includes(tag)) throw new PreconditionFailed(tag);
}
