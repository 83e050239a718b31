/**
 * The notes of the import: one item per record that it has written, with the fingerprints of row and record. A repeated
 * import can then detect changes on both sides, and does not restore deleted records. The key is a hash, without personal
 * data.
 */
import { createHash } from "node:crypto";
import { type Key, type TransactItem, tableName } from "#kit/table/table.ts";
import type { Kind } from "../source/tables.ts";
import type { Remembered } from "../verdict.ts";

export interface Note extends Remembered {
  /** When the ticket was sent, epoch milliseconds. */
  readonly toldAt?: number;
}

const daysKept = 400;

export const noteKey = (kind: Kind, name: string): Key => ({
  PK: `IMPORT#${createHash("sha256").update(`${kind} ${name}`).digest("hex").slice(0, 40)}`,
  SK: "IMPORT",
});

const timeToLive = (now: number): number => Math.floor(now / 1_000) + daysKept * 86_400;

/** @param now epoch milliseconds */
export const putNote = (
  kind: Kind,
  name: string,
  { source, updatedAt, written, toldAt }: Note,
  now: number,
): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: { ...noteKey(kind, name), source, updatedAt, written, toldAt, ttl: timeToLive(now) },
  },
});

/** Notes that a person's ticket is sent. Refused when it was sent before. */
export const noteTold = (kind: Kind, name: string, now: number): TransactItem => ({
  Update: {
    TableName: tableName,
    Key: noteKey(kind, name),
    UpdateExpression: "SET toldAt = :now",
    ConditionExpression: "attribute_exists(PK) AND attribute_not_exists(toldAt)",
    ExpressionAttributeValues: { ":now": now },
  },
});
