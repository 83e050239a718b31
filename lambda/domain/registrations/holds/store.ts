/** Keys, items and transaction members of holds. The holds that end in the same hour are in one partition. */

import type { EventKey } from "#domain/events/event.ts";
import { writeOnce } from "#kit/execute.ts";
import type { Deadline } from "#kit/retry.ts";
import { getItem, type Key, type Query, queryOnce, type TransactItem, tableName, writeIf } from "#kit/table.ts";
import { distanceAfter } from "./holds.ts";

export interface Hold {
  readonly email: string;
  readonly event: EventKey;
  /** End of the hold, epoch milliseconds. */
  readonly expiresAt: number;
}

export type StoredHold = Hold & Key;

export const hourMilliseconds = 3_600_000;
const daysKept = 30;

/** `yyyy-mm-ddThh` in UTC. */
const hourOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 13);

export const holdKey = ({ email, event, expiresAt }: Hold): Key => ({
  PK: `HOLD#${hourOf(expiresAt)}`,
  SK: `${expiresAt}#${event.id}#${event.year}#${email}`,
});

export const putHold = (hold: Hold): TransactItem => ({
  Put: {
    TableName: tableName,
    // The sweeper ends holds. Time to live only removes items that were left behind.
    Item: { ...holdKey(hold), ...hold, ttl: Math.floor(hold.expiresAt / 1_000) + daysKept * 86_400 },
  },
});

/** Removes a hold. Does nothing when it is already gone. */
export const dropHold = (hold: Hold): TransactItem => ({ Delete: { TableName: tableName, Key: holdKey(hold) } });

/** The hours from one time to another, both included, in epoch milliseconds. Each hour is a partition of holds. */
export function* hoursBetween(from: number, to: number): Generator<number> {
  for (let hour = Math.floor(from / hourMilliseconds); hour <= Math.floor(to / hourMilliseconds); hour += 1) {
    yield hour * hourMilliseconds;
  }
}

/** The holds of an hour that end at `now` or before, without those that are set aside. Both in epoch milliseconds. */
export const holdsOver = (hour: number, now: number): Query => ({
  KeyConditionExpression: "PK = :hour AND SK <= :now",
  FilterExpression: "attribute_not_exists(isAside)",
  ExpressionAttributeValues: { ":hour": `HOLD#${hourOf(hour)}`, ":now": `${now}#~` },
  ConsistentRead: true,
});

const checkpointKey: Key = { PK: "SWEEP", SK: "HOLDS" };

/** Time up to which all holds have been ended, epoch milliseconds. Undefined before the first run. */
export const readCheckpoint = async (): Promise<number | undefined> =>
  (await getItem<{ sweptTo: number }>(checkpointKey, "strong"))?.sweptTo;

/** Moves the checkpoint forward, never back, because two runs may overlap. @returns false when it is ahead already */
export const advanceCheckpoint = (sweptTo: number): Promise<boolean> =>
  writeIf({
    Key: checkpointKey,
    UpdateExpression: "SET sweptTo = :sweptTo",
    ConditionExpression: "attribute_not_exists(sweptTo) OR sweptTo < :sweptTo",
    ExpressionAttributeValues: { ":sweptTo": sweptTo },
  });

/** A hold that could not be ended, and the time of the next try. */
export interface Aside {
  readonly hold: StoredHold;
  /** Number of failed tries, from 1. */
  readonly failures: number;
  /** Epoch milliseconds. */
  readonly nextTry: number;
}

export type StoredAside = Aside & Key;

const asidePartition = "HOLD#ASIDE";

const asideItem = (hold: StoredHold, failures: number, now: number): StoredAside => {
  const nextTry = now + distanceAfter(failures);
  return { PK: asidePartition, SK: `${nextTry}#${hold.SK}`, hold, failures, nextTry };
};

const ifStillThere = "attribute_exists(PK)";

/**
 * Sets aside a hold that could not be ended, and notes the time of the next try. Does nothing when the hold is gone.
 * @param now epoch milliseconds
 */
export async function setAside(hold: StoredHold, now: number, within: Deadline): Promise<void> {
  const members: Record<string, TransactItem> = {
    hold: {
      Update: {
        TableName: tableName,
        Key: { PK: hold.PK, SK: hold.SK },
        UpdateExpression: "SET isAside = :true",
        ConditionExpression: ifStillThere,
        ExpressionAttributeValues: { ":true": true },
      },
    },
    // No time to live, because the seat stays taken until a later try or an operator ends the hold.
    aside: { Put: { TableName: tableName, Item: asideItem(hold, 1, now) } },
  };
  await writeOnce(members, within);
}

const dropMember = ({ PK, SK }: StoredAside): TransactItem => ({
  Delete: { TableName: tableName, Key: { PK, SK }, ConditionExpression: ifStillThere },
});

/** Notes another failed try. Does nothing when another run has noted one already. @param now epoch milliseconds */
export async function postpone(aside: StoredAside, now: number, within: Deadline): Promise<void> {
  const next = asideItem(aside.hold, aside.failures + 1, now);
  const members = { was: dropMember(aside), next: { Put: { TableName: tableName, Item: next } } };
  await writeOnce(members, within);
}

/** Removes the note of a hold that a later try has ended. */
export async function dropAside(aside: StoredAside, within: Deadline): Promise<void> {
  await writeOnce({ aside: dropMember(aside) }, within);
}

/** Most holds set aside that one run reads. Those with the earliest next try come first. */
export const asidesAtOnce = 100;

export async function readAsides(): Promise<StoredAside[]> {
  const { items } = await queryOnce<Aside>({
    KeyConditionExpression: "PK = :aside",
    ExpressionAttributeValues: { ":aside": asidePartition },
    ConsistentRead: true,
    Limit: asidesAtOnce,
  });
  return items;
}
