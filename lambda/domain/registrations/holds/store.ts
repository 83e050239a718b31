/** Keys, items and transaction members of holds. All holds are in one partition, in the order of their times. */

import type { EventKey } from "#domain/events/event.ts";
import { writeOnce } from "#kit/execute.ts";
import type { Deadline } from "#kit/retry.ts";
import { deleteIf, drop, exists, type Key, put, putNew, type Query, type TransactItem } from "#kit/table.ts";
import { distanceAfter, failuresOfStuck, longestDistance } from "./holds.ts";

export interface Hold {
  readonly email: string;
  readonly event: EventKey;
  /** End of the hold, epoch milliseconds. */
  readonly expiresAt: number;
}

/** A hold as stored. Its sort key begins with the end of the hold, or with the next try to end it. */
export interface StoredHold extends Hold, Key {
  /** Number of failed tries to end it, from 1. Absent until one has failed. */
  readonly failures?: number;
}

const partition = "HOLD";
const daysKept = 30;

/** A time in fixed width, so that the order of texts is the order of times. @param time epoch milliseconds */
const digits = (time: number): string => String(time).padStart(13, "0");

/** The sweeper ends holds. Time to live only removes items that were left behind. */
const ttlAfter = (time: number): number => Math.floor(time / 1_000) + daysKept * 86_400;

/** The key of a hold until a try to end it has failed. */
export const holdKey = ({ email, event, expiresAt }: Hold): Key => ({
  PK: partition,
  SK: `${digits(expiresAt)}#${event.id}#${event.year}#${email}`,
});

/** When the sweeper comes to a hold: its end, or the next try. Epoch milliseconds. */
export const dueOf = ({ SK }: Key): number => Number(SK.split("#")[0]);

export const putHold = (hold: Hold): TransactItem => put({ ...holdKey(hold), ...hold, ttl: ttlAfter(hold.expiresAt) });

/** Removes the hold with this key. Does nothing when it is gone, or moved to its next try. */
export const dropHold = ({ PK, SK }: Key): TransactItem => drop({ PK, SK });

/** The holds from the earliest one to a time, epoch milliseconds. */
export const holdsUntil = (time: number) => ({
  KeyConditionExpression: "PK = :holds AND SK <= :until",
  ExpressionAttributeValues: { ":holds": partition, ":until": `${digits(time)}#~` },
  ConsistentRead: true,
});

/** Counts the holds that an operator has to look at. @param now epoch milliseconds */
export function stuckHolds(now: number): Query {
  // No hold is moved further than the longest distance.
  const query = holdsUntil(now + longestDistance);
  return {
    ...query,
    Select: "COUNT",
    FilterExpression: "failures >= :stuck",
    ExpressionAttributeValues: { ...query.ExpressionAttributeValues, ":stuck": failuresOfStuck },
  };
}

/**
 * Moves a hold that could not be ended to its next try, so that it stops no other. Does nothing when it is gone, or when
 * another run has moved it. It stays where it is when another hold of the same person has that time; then the next run
 * tries it.
 * @param now epoch milliseconds
 */
export async function moveHold(hold: StoredHold, now: number, within: Deadline): Promise<void> {
  const failures = (hold.failures ?? 0) + 1;
  const nextTry = now + distanceAfter(failures);
  // Any item can be moved, also one that lacks the fields of a hold.
  const SK = [digits(nextTry), ...hold.SK.split("#").slice(1)].join("#");
  const was: TransactItem = deleteIf({ PK: hold.PK, SK: hold.SK }, exists);
  const next: TransactItem = putNew({ ...hold, SK, failures, ttl: ttlAfter(nextTry) });
  await writeOnce({ was, next }, within);
}
