/** Keys, items and transaction members of holds: who has an unpaid seat, by the hour in which its hold ends. */

import type { EventKey } from "#domain/events/event.ts";
import { deadlineWithin } from "#kit/context.ts";
import { writeOnce } from "#kit/execute.ts";
import { getItem, type Key, type Query, queryOnce, type TransactItem, tableName, writeIf } from "#kit/table.ts";
import { distanceAfter } from "./holds.ts";

/** An unpaid seat. */
export interface Hold {
  readonly email: string;
  readonly event: EventKey;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

export type StoredHold = Hold & Key;

export const hourMilliseconds = 3_600_000;
const daysKept = 30;

/** `yyyy-mm-ddThh` in UTC. */
const hourOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 13);

const holdKey = ({ email, event, expiresAt }: Hold): Key => ({
  PK: `HOLD#${hourOf(expiresAt)}`,
  SK: `${expiresAt}#${event.id}#${event.year}#${email}`,
});

export const putHold = (hold: Hold): TransactItem => ({
  Put: {
    TableName: tableName,
    // The sweeper ends holds; time to live only sees to it that nothing stays for ever.
    Item: { ...holdKey(hold), ...hold, ttl: Math.floor(hold.expiresAt / 1_000) + daysKept * 86_400 },
  },
});

/** Also when it is gone already. */
export const dropHold = (hold: Hold): TransactItem => ({ Delete: { TableName: tableName, Key: holdKey(hold) } });

/** The hours from one instant to another, both included: each is a partition of holds. */
export function* hoursBetween(from: number, to: number): Generator<number> {
  for (let hour = Math.floor(from / hourMilliseconds); hour <= Math.floor(to / hourMilliseconds); hour += 1) {
    yield hour * hourMilliseconds;
  }
}

/** Holds that end in the hour of `hour`, not later than `now`, without those that are set aside. */
export const holdsOver = (hour: number, now: number): Query => ({
  KeyConditionExpression: "PK = :hour AND SK <= :now",
  FilterExpression: "attribute_not_exists(isAside)",
  ExpressionAttributeValues: { ":hour": `HOLD#${hourOf(hour)}`, ":now": `${now}#~` },
  ConsistentRead: true,
});

const checkpointKey: Key = { PK: "SWEEP", SK: "HOLDS" };

/** Up to when all holds have been ended, epoch milliseconds; undefined before the first time. */
export const readCheckpoint = async (): Promise<number | undefined> =>
  (await getItem<{ sweptTo: number }>(checkpointKey, "strong"))?.sweptTo;

/** Never backwards: two runs may overlap. */
export const advanceCheckpoint = (sweptTo: number): Promise<boolean> =>
  writeIf({
    Key: checkpointKey,
    UpdateExpression: "SET sweptTo = :sweptTo",
    ConditionExpression: "attribute_not_exists(sweptTo) OR sweptTo < :sweptTo",
    ExpressionAttributeValues: { ":sweptTo": sweptTo },
  });

/** A hold that could not be ended, and when it is tried again. */
export interface Aside {
  readonly hold: StoredHold;
  /** How often it could not be ended, from 1. */
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

/** Takes a hold that could not be ended out of its hour's list, and notes when it is tried again; not if it is gone. */
export async function setAside(hold: StoredHold, now: number): Promise<void> {
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
    // No time to live: the seat stays taken until somebody has looked.
    aside: { Put: { TableName: tableName, Item: asideItem(hold, 1, now) } },
  };
  await writeOnce(members, { deadline: deadlineWithin(undefined) });
}

const dropMember = ({ PK, SK }: StoredAside): TransactItem => ({
  Delete: { TableName: tableName, Key: { PK, SK }, ConditionExpression: ifStillThere },
});

/** It could not be ended again. Does nothing when another run has noted that already. */
export async function postpone(aside: StoredAside, now: number): Promise<void> {
  const next = asideItem(aside.hold, aside.failures + 1, now);
  const members = { was: dropMember(aside), next: { Put: { TableName: tableName, Item: next } } };
  await writeOnce(members, { deadline: deadlineWithin(undefined) });
}

/** It has been ended at last. */
export async function dropAside(aside: StoredAside): Promise<void> {
  await writeOnce({ aside: dropMember(aside) }, { deadline: deadlineWithin(undefined) });
}

/** How many holds that are set aside a run looks at: first those whose next try comes first. */
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
