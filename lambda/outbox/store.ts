/**
 * The outbox. A message is written in the transaction of the change that it reports, so it exists exactly if the change
 * does. The table's stream delivers it to the relay. The rows are also the audit trail (`docs/design.md`, "Messages and
 * consumers").
 */

import { createHash } from "node:crypto";
import { encodeTime, ulid } from "ulid";
import { putNew, type TransactItem } from "#kit/table/table.ts";
import type { Audited } from "./audit.ts";
import type { OutboxMessage } from "./catalogue.ts";
import { hourOf, keptUntil, type MessageContext } from "./row.ts";
import { keyOf, partitionOf } from "./stored-kinds.ts";

export type { MessageContext } from "./row.ts";

/** The number of partitions for the rows of one hour. */
const shards = 8;

/** The partitions of an hour. @param hour of `hourOf` */
export const outboxPartitions = (hour: string): string[] =>
  Array.from({ length: shards }, (_, shard) => partitionOf("outbox row", { hour, shard }));

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

/** The row of a message. @param audit what changed, for the audit: the bus does not get it */
export function outboxRow(
  message: OutboxMessage,
  { now, actor, requestId }: MessageContext,
  { id, shard }: RowName = newName(now),
  audit?: Audited,
): TransactItem {
  const { type, data } = message;
  return putNew({
    ...keyOf("outbox row", { hour: hourOf(now), shard, ulid: id }),
    detailType: type,
    detail: {
      metadata: { id, version: 1, occurredAt: new Date(now).toISOString(), actor, correlationId: requestId },
      data,
    },
    ...(audit && { audit }),
    ttl: keptUntil(now),
  });
}
