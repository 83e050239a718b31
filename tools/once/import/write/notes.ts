/**
 * The notes of the import: one item per record that it has written. A repeated import then does not restore deleted records,
 * and sends each ticket once. The key is a hash, without personal data.
 */
import { createHash } from "node:crypto";
import { type Key, type TransactItem, tableName } from "#kit/table/table.ts";
import { keyOf } from "#outbox/stored-kinds.ts";
import type { Kind } from "../source/tables.ts";

export interface Note {
  /** When the ticket was sent, epoch milliseconds. */
  readonly toldAt?: number;
}

const daysKept = 400;

export const noteKey = (kind: Kind, name: string): Key =>
  keyOf("note of an import", {
    hash: createHash("sha256").update(`${kind} ${name}`).digest("hex").slice(0, 40),
  });

/** @param now epoch milliseconds */
export const putNote = (kind: Kind, name: string, now: number): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: { ...noteKey(kind, name), ttl: Math.floor(now / 1_000) + daysKept * 86_400 },
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
