/** Keys, items and transaction members of holds. All holds are in one partition, sorted by time. */

import type { EventKey } from "#domain/events/event.ts";
import { writeOnce } from "#kit/table/execute.ts";
import { timeText, ttlAfter } from "#kit/table/item.ts";
import type { Deadline } from "#kit/table/retry.ts";
import {
  deleteIf,
  drop,
  exists,
  type Key,
  put,
  putNew,
  type Query,
  type TransactItem,
  type Transaction,
} from "#kit/table/table.ts";
import { keyOf, partitionOf } from "#outbox/stored-kinds.ts";
import { failuresOfStuck, maxRetryDelay, retryDelay } from "./holds.ts";

export interface Hold {
  readonly email: string;
  readonly event: EventKey;
  /** End of the hold, epoch milliseconds. */
  readonly expiresAt: number;
}

/** A hold as stored. Its sort key begins with the end of the hold, or with the next try to end it. */
export interface StoredHold extends Hold, Key {
  /** Number of failed tries to end it. Absent when none has failed. */
  readonly failures?: number;
}

/** The sweeper ends holds. Time to live only removes orphaned items. */
const daysKept = 30;

/** The key of a hold whose end has not failed yet. */
export const holdKey = ({ email, event: { id, year }, expiresAt }: Hold): Key =>
  keyOf("hold", { ms: timeText(expiresAt), id, year, email });

/** When the sweeper processes a hold: at its end, or the next try. Epoch milliseconds. */
export const dueOf = ({ SK }: Key): number => Number(SK.split("#")[0]);

export const putHold = (hold: Hold): TransactItem =>
  put({ ...holdKey(hold), ...hold, ttl: ttlAfter(hold.expiresAt, daysKept) }, "beside a condition");

/** Removes the hold with this key, unless it was moved to its next try. Idempotent. */
export const dropHold = (hold: Key): TransactItem => drop(hold, "last wins");

/** The holds from the earliest one to a time, epoch milliseconds. */
export const holdsUntil = (time: number) => ({
  KeyConditionExpression: "PK = :holds AND SK <= :until",
  ExpressionAttributeValues: { ":holds": partitionOf("hold", {}), ":until": `${timeText(time)}#~` },
  ConsistentRead: true,
});

/** Counts the holds that require an operator. @param now epoch milliseconds */
export function stuckHolds(now: number): Query {
  const query = holdsUntil(now + maxRetryDelay);
  return {
    ...query,
    Select: "COUNT",
    FilterExpression: "failures >= :stuck",
    ExpressionAttributeValues: { ...query.ExpressionAttributeValues, ":stuck": failuresOfStuck },
  };
}

/**
 * Moves a hold that could not be ended to its next try, so that it does not block others. Does nothing when it is gone, or
 * another run has moved it, or another hold of the same person has that time; the next run then tries it again.
 * @param now epoch milliseconds
 * @param more members of the same transaction
 */
export async function moveHold(
  hold: StoredHold,
  now: number,
  within: Deadline,
  more: Transaction | false = {},
): Promise<void> {
  const failures = (hold.failures ?? 0) + 1;
  const nextTry = now + retryDelay(failures);
  // Even a malformed item, without the fields of a hold, can be moved.
  const SK = [timeText(nextTry), ...hold.SK.split("#").slice(1)].join("#");
  const was: TransactItem = deleteIf(hold, exists);
  const next: TransactItem = putNew({ ...hold, SK, failures, ttl: ttlAfter(nextTry, daysKept) });
  await writeOnce({ was, next, ...more }, within);
}
