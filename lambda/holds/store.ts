/** Keys, items and transaction members of holds: who has an unpaid seat, by the hour in which its hold ends. */
import { getItem, type Key, type Query, type TransactItem, tableName, writeIf } from "#kit/table.ts";
import type { EventKey } from "../events/event.ts";

/** An unpaid seat. */
export interface Hold {
  readonly email: string;
  readonly event: EventKey;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

export type StoredHold = Hold & Key;

const hourMilliseconds = 3_600_000;
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

/** Holds that end in the hour of `hour`, not later than `now`. */
export const holdsOver = (hour: number, now: number): Query => ({
  KeyConditionExpression: "PK = :hour AND SK <= :now",
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
