/** The items of the counts, and of the switch that closes sign-up. */
import { getItems, type Key, writeIf } from "#kit/table/table.ts";
import { type Counter, hour, hourOf } from "./limits.ts";

/** While this item exists, sign-up is closed. `npm run ops -- sign-up` writes it. */
export const switchKey: Key = { PK: "SIGNUPS", SK: "CLOSED" };

/** The counts of the hour of a time. An hour has its own, so none has to be reset. Cognito's 50 sign-ups a second need no shards. */
export const partitionOf = (now: number): string => `SIGNUPS#${new Date(hourOf(now)).toISOString().slice(0, 13)}`;

const keyOf = ({ kind, name }: Counter, now: number): Key => ({
  PK: partitionOf(now),
  SK: name === "" ? kind.toUpperCase() : `${kind.toUpperCase()}#${name}`,
});

/** What was counted in this hour, in the order of the counters, and whether sign-up is closed. One strong read. */
export async function readCounts(counters: readonly Counter[], now: number) {
  const keys = counters.map((counter) => keyOf(counter, now));
  const items = await getItems<{ readonly count?: number }>([switchKey, ...keys], "strong");
  const found = ({ PK, SK }: Key) => items.find((item) => item.PK === PK && item.SK === SK);
  return { counts: keys.map((key) => found(key)?.count ?? 0), isClosed: found(switchKey) !== undefined };
}

/** Counts one mail. @returns false when a counter that refuses is full @throws Conflict UnknownOutcome as `writeIf` */
export const countMail = (counter: Counter, now: number): Promise<boolean> =>
  writeIf({
    Key: keyOf(counter, now),
    UpdateExpression: "ADD #count :one SET #ttl = :ttl",
    ...(counter.refuses && { ConditionExpression: "attribute_not_exists(#count) OR #count < :limit" }),
    ExpressionAttributeNames: { "#count": "count", "#ttl": "ttl" },
    ExpressionAttributeValues: {
      ":one": 1,
      // Clocks of instances may differ by minutes.
      ":ttl": (hourOf(now) + 2 * hour) / 1_000,
      ...(counter.refuses && { ":limit": counter.limit }),
    },
  });
