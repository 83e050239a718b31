/**
 * The outbox. A message is written in the transaction of the change that it reports, so it exists exactly when the
 * change exists. The table's stream carries it to the bus. The rows are also the audit trail (`docs/design.md`,
 * "Messages and consumers").
 */

import { createHash } from "node:crypto";
import { encodeTime, ulid } from "ulid";
import { putNew, type TransactItem } from "#kit/table.ts";
import type { OutboxMessage } from "./catalogue.ts";

const daysKept = 400;
/** The rows of one hour are spread over this many partitions. */
const shards = 8;

/** The metadata of a message. */
export interface MessageContext {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Email of the person who asked for the change, or `system`. */
  readonly actor: string;
  /** The request that caused the message, `correlationId` in the metadata. */
  readonly requestId: string;
}

/** `yyyymmddhh` in UTC. */
const hourOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 13).replace(/\D/g, "");

/** The place of a row within its hour. */
export interface RowName {
  /** A ULID. Every consumer knows the message by it. */
  readonly id: string;
  readonly shard: number;
}

const newName = (now: number): RowName => ({ id: ulid(now), shard: Math.floor(Math.random() * shards) });

const timeCharacters = 10;
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * Makes the same name for the same message. Work that may run twice then writes one row, because the table refuses the
 * second one.
 * @param now epoch milliseconds of the change, not of the try
 * @param message the values by which this message differs from all others
 */
export function nameOf(now: number, message: readonly (string | number)[]): RowName {
  const bytes = createHash("sha256").update(JSON.stringify(message)).digest();
  const chance = [...bytes.subarray(0, 16)].map((byte) => crockford[byte % crockford.length]);
  return { id: encodeTime(now, timeCharacters) + chance.join(""), shard: (bytes[16] as number) % shards };
}

/** The row of a message. */
export function outboxRow(
  message: OutboxMessage,
  { now, actor, requestId }: MessageContext,
  { id, shard }: RowName = newName(now),
): TransactItem {
  const { type, data } = message;
  return putNew({
    PK: `OUT#${hourOf(now)}#${shard}`,
    SK: id,
    detailType: type,
    detail: {
      metadata: { id, version: 1, occurredAt: new Date(now).toISOString(), actor, correlationId: requestId },
      data,
    },
    ttl: Math.floor(now / 1000) + daysKept * 86_400,
  });
}
