/** Keys, reads and writes of the journal, and of the months that are closed in it. */

import { type Portion, queryPortion } from "#kit/lists/pages.ts";
import { timeText } from "#kit/table/item.ts";
import {
  getItems,
  getRecord,
  isAsRead,
  type Key,
  put,
  putIf,
  putNew,
  recordOf,
  type Stored,
  type TransactItem,
  updateIf,
} from "#kit/table/table.ts";
import { keyOf, partitionOf, sortOf } from "#outbox/stored-kinds.ts";
import { MonthClosed } from "../refusals.ts";
import type { Account, Movement } from "./movement.ts";

/** The place of a movement in the journal. */
export const sortKeyOf = ({ at, id }: Pick<Movement, "at" | "id">): string =>
  sortOf("movement", { ms: timeText(at), id });

const movementKey = ({ at, id }: Movement): Key => keyOf("movement", { ms: timeText(at), id });

/** The member that notes a movement. It never changes, so it may be noted again. */
export const putMovement = (movement: Movement): TransactItem =>
  put({ ...movementKey(movement), ...movement }, "beside a condition");

/** Those of the movements that the journal lacks. */
export async function unnoted(movements: readonly Movement[]): Promise<Movement[]> {
  const known = new Set((await getItems(movements.map(movementKey), "strong")).map(({ SK }) => SK));
  return movements.filter((movement) => !known.has(sortKeyOf(movement)));
}

/** The movements of a time, in its order: from `from` on, and before `to`. Epoch milliseconds. */
export async function* movementsOf(
  { from, to, after }: { readonly from: number; readonly to: number; readonly after?: string | undefined },
  portion: Portion = {},
): AsyncGenerator<Movement> {
  const first = timeText(from);
  const query = {
    // A cursor stands behind the last row: nothing sorts between a key and the same one with a space.
    KeyConditionExpression: "PK = :journal AND SK BETWEEN :first AND :last",
    ExpressionAttributeValues: {
      ...{ ":journal": partitionOf("movement", {}), ":last": timeText(to) },
      ":first": after !== undefined && after > first ? `${after} ` : first,
    },
    ConsistentRead: true,
  };
  for await (const item of queryPortion<Stored<Movement>>(query, portion)) yield recordOf<Movement>(item);
}

/** In cents, by account. */
export type Balances = Readonly<Record<Account, number>>;

/** The end of a closed month, and what stood in the accounts then. */
export interface Closing {
  /** Epoch milliseconds. */
  readonly until: number;
  readonly balances: Balances;
  readonly by: string;
  readonly at: number;
}

/** How far the journal is closed. */
export interface Closed {
  /** Epoch milliseconds. Absent: no month is. */
  readonly until?: number;
  /** Counts the writes before that time: closings, and entries by hand of an earlier date. */
  readonly version: number;
}

const closedKey = keyOf("closed month", { month: "LATEST" });
const closingKey = (until: number): Key => keyOf("closed month", { month: timeText(until) });

export const readClosed = (): Promise<Closed | undefined> => getRecord<Closed>(closedKey, "strong");

/** The last closing until a time. Undefined when no month was closed before it. */
export async function closingBefore(time: number): Promise<Closing | undefined> {
  const query = {
    KeyConditionExpression: "PK = :closed AND SK <= :time",
    ExpressionAttributeValues: { ":closed": closedKey.PK, ":time": timeText(time) },
    ScanIndexForward: false,
    ConsistentRead: true,
  };
  for await (const item of queryPortion<Stored<Closing>>(query, { most: 1 })) return recordOf<Closing>(item);
  return undefined;
}

/** The member that an entry of an earlier date brings: refused when that month has been closed. */
export const checkOpen = (at: number): TransactItem =>
  updateIf(closedKey, {
    UpdateExpression: "ADD version :one",
    ConditionExpression: "attribute_not_exists(#until) OR #until <= :at",
    ExpressionAttributeNames: { "#until": "until" },
    ExpressionAttributeValues: { ":one": 1, ":at": at },
  });

/** @throws MonthClosed a transaction was refused because the month of its entry is closed */
export function assertOpen(refused: object): void {
  if ("open" in refused) throw new MonthClosed("This month is closed: record it with a date since then.");
}

/** @param dated epoch milliseconds @throws MonthClosed */
export async function requireOpen(dated: number): Promise<void> {
  const { until = 0 } = (await readClosed()) ?? {};
  if (dated < until) assertOpen({ open: null });
}

/** The members that close the journal. Refused when an entry of an earlier date, or another closing, has come since. */
export const closingMembers = (closing: Closing, read: Closed | undefined) => ({
  closed: putIf({ ...closedKey, until: closing.until, version: (read?.version ?? 0) + 1 }, isAsRead(read)),
  closing: putNew({ ...closingKey(closing.until), ...closing }),
});
