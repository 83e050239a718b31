/**
 * The outbox. A message is written in the transaction of the change that it reports, so it exists exactly if the change
 * does. The table's stream delivers it to the relay. The rows are also the audit trail (`docs/design.md`, "Messages and
 * consumers").
 */

import { createHash } from "node:crypto";
import { encodeTime, ulid } from "ulid";
import { putNew, type TransactItem } from "#kit/table/table.ts";
import type { OutboxMessage } from "./catalogue.ts";

const daysKept = 400;
/** The number of partitions for the rows of one hour. */
const shards = 8;

/** The metadata of a message. */
export interface MessageContext {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Email of the person who requested the change, `link` for the bearer of a mail's link, or `system`. */
  readonly actor: string;
  /** The request that caused the message, `correlationId` in the metadata. */
  readonly requestId: string;
}

/** `yyyymmddhh` in UTC. */
const hourOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 13).replace(/\D/g, "");

/** The shard and id of a row. */
export interface RowName {
  /** A ULID, the message's id for consumers. */
  readonly id: string;
  readonly shard: number;
}

const newName = (now: number): RowName => ({ id: ulid(now), shard: Math.floor(Math.random() * shards) });

const timeCharacters = 10;
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * A deterministic name for a message, so that repeated work writes one row: the table refuses the second one.
 * @param now epoch milliseconds of the change, not of the try
 * @param message the values that identify this message
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
