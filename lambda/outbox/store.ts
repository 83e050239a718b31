/**
 * The outbox: an event is written in the transaction of the change it reports, so it exists exactly when the change
 * does. The table's stream carries it to the bus. It is also the audit trail.
 */

import { ulid } from "ulid";
import { type TransactItem, tableName } from "#kit/table.ts";
import type { Happening } from "./catalogue.ts";

const daysKept = 400;
/** Rows of one hour are spread over this many partitions. */
const shards = 8;

/** What an event says of itself besides its data. */
export interface Origin {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Email of the person who asked for the change, or `system`. */
  readonly actor: string;
  /** The request that caused it: joins logs and events. */
  readonly correlationId: string;
}

/** `yyyymmddhh` in UTC. */
const hourOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 13).replace(/\D/g, "");

export function outboxRow({ type, data }: Happening, { now, actor, correlationId }: Origin): TransactItem {
  const id = ulid(now);
  const shard = Math.floor(Math.random() * shards);
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
