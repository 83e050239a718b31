/**
 * The outbox: an event is written in the transaction of the change it reports, so it exists exactly when the change
 * does. The table's stream carries it to the bus. It is also the audit trail.
 */

import { createHash } from "node:crypto";
import { encodeTime, ulid } from "ulid";
import { type TransactItem, tableName } from "#kit/table.ts";
import type { OutboxMessage } from "./catalogue.ts";

const daysKept = 400;
/** Rows of one hour are spread over this many partitions. */
const shards = 8;

/** What an event says of itself besides its data. */
export interface MessageContext {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Email of the person who asked for the change, or `system`. */
  readonly actor: string;
  /** The request that caused it: joins logs and events. */
  readonly correlationId: string;
}

/** `yyyymmddhh` in UTC. */
const hourOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 13).replace(/\D/g, "");

/** Where a row is, besides its hour. */
export interface RowName {
  /** A ULID; names the event to everybody who gets it. */
  readonly id: string;
  readonly shard: number;
}

const newName = (now: number): RowName => ({ id: ulid(now), shard: Math.floor(Math.random() * shards) });

const timeCharacters = 10;
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * The same name for the same news, so that what may run twice writes one row: the condition refuses the second.
 * @param now epoch milliseconds of what happened, not of the try
 * @param news whatever tells this news from all others
 */
export function nameOf(now: number, message: readonly (string | number)[]): RowName {
  const bytes = createHash("sha256").update(JSON.stringify(message)).digest();
  const chance = [...bytes.subarray(0, 16)].map((byte) => crockford[byte % crockford.length]);
  return { id: encodeTime(now, timeCharacters) + chance.join(""), shard: (bytes[16] as number) % shards };
}

export function outboxRow(
  { type, data }: OutboxMessage,
  { now, actor, correlationId }: MessageContext,
  { id, shard }: RowName = newName(now),
): TransactItem {
  return {
    Put: {
      TableName: tableName,
      Item: {
        PK: `OUT#${hourOf(now)}#${shard}`,
        SK: id,
        detailType: type,
        detail: {
          metadata: { id, version: 1, occurredAt: new Date(now).toISOString(), actor, correlationId },
          data,
        },
        ttl: Math.floor(now / 1000) + daysKept * 86_400,
      },
      ConditionExpression: "attribute_not_exists(PK)",
    },
  };
}
