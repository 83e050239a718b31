/** The items of the counts, and of the switch that closes sign-up. */
import { getItems, type Key } from "#kit/table/table.ts";
import { countUp, hourText } from "../hourly-count.ts";
import { hour } from "../hours.ts";
import { type Counter, mailboxCounters } from "./limits.ts";

/** While this item exists, sign-up is closed. `npm run ops -- sign-up` writes it. */
export const switchKey: Key = { PK: "SIGNUPS", SK: "CLOSED" };

/** The counts of the hour of a time. Cognito's 50 sign-ups a second need no shards. */
export const partitionOf = (now: number): string => `SIGNUPS#${hourText(now)}`;

const keyOf = ({ key }: Counter, now: number): Key => ({ PK: partitionOf(now), SK: key });

/** The counts of a person's mailbox that may exist. @param now epoch milliseconds */
export const mailboxCountKeys = (email: string, now: number): Key[] =>
  [now - hour, now].flatMap((time) => mailboxCounters(email).map((counter) => keyOf(counter, time)));

/** What was counted in this hour, in the order of the counters, and whether sign-up is closed. One strong read. */
export async function readCounts(counters: readonly Counter[], now: number) {
  const keys = counters.map((counter) => keyOf(counter, now));
  const items = await getItems<{ readonly count?: number }>([switchKey, ...keys], "strong");
  const found = ({ PK, SK }: Key) => items.find((item) => item.PK === PK && item.SK === SK);
  return { counts: keys.map((key) => found(key)?.count ?? 0), isClosed: found(switchKey) !== undefined };
}

/** Counts one mail. @returns false when the counter is full @throws Conflict UnknownOutcome as `writeIf` */
export const countMail = (counter: Counter, now: number): Promise<boolean> =>
  countUp(keyOf(counter, now), counter.limit, now);
