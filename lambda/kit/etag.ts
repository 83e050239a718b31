/**
 * Entity tags and the `If-Match` header (RFC 9110, 8.8.3 and 13.1.1): an admin's save fits only the edit version that
 * the admin has read. Pure.
 */
import { PreconditionFailed, ValidationFailed } from "./errors.ts";

/** The fields that make the edit version of a record. */
export interface Edited {
  /** Counts the edits, from 1. */
  readonly version: number;
  /** Names the creation. A record that is never deleted has none, and `createdAt` in its place. */
  readonly generation?: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/**
 * The strong entity tag of a record. It moves with each edit of an admin and never by a counter. A record that is
 * deleted and made again has another one.
 */
export const entityTag = ({ generation, createdAt, version }: Edited): string =>
  `"${generation ?? createdAt}.${version}"`;

/** The header that tells the tag of a record. */
export const etagOf = (record: Edited): { readonly etag: string } => ({ etag: entityTag(record) });

/**
 * The condition of a write: the record has had no edit since it was read. A write that honours `If-Match` has this
 * condition, because a check after the read alone would let both of two admins save.
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
 * An entry of the list, which may be empty, with what ends it. Sticky: it reads on behind the entry before. White space
 * is read by one part of it only, so that its time grows with the length of the header.
 */
const entry = /[ \t]*(?:((?:W\/)?"[\x21\x23-\x7e\x80-\uffff]*")[ \t]*)?(,|$)/y;

const malformed = () =>
  new ValidationFailed([{ path: "/If-Match", message: 'must be *, or entity tags as an ETag header has them ("…")' }]);

/**
 * Reads an `If-Match` header. Weak tags are left out: they never match, because `If-Match` compares strongly.
 * @returns undefined when the header is absent
 * @throws ValidationFailed the header is malformed, or names no tag
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
 * Checks the condition of a request against the record that a write depends on.
 * @param record undefined when there is none
 * @throws PreconditionFailed
 */
export function requireMatch(condition: IfMatch | undefined, record: Edited | undefined): void {
  if (condition === undefined) return;
  if (record === undefined) throw new PreconditionFailed();
  const tag = entityTag(record);
  if (condition !== "*" && !condition.includes(tag)) throw new PreconditionFailed(tag);
}
