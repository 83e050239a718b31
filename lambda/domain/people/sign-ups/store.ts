/** The items of the counts, and of the switch that closes sign-up. */
import { getItems, type Key } from "#kit/table/table.ts";
import { hourText } from "#kit/text/time.ts";
import { keyOf, partitionOf } from "#outbox/stored-kinds.ts";
import type { Counter } from "./limits.ts";

/** While this item exists, sign-up is closed. `npm run ops -- sign-up` writes it. */
export const switchKey = keyOf("closed sign-up", {});

/** The counts of the hour of a time. Cognito's 50 sign-ups a second need no shards. */
export const countsIn = (now: number): string => partitionOf("count of mails with codes", { hour: hourText(now) });

/** What was counted in this hour, in the order of the counters, and whether sign-up is closed. One strong read. */
export async function readCounts(counters: readonly Counter[]) {
  const keys = counters.map(({ key }) => key);
  const items = await getItems<{ readonly count?: number }>([switchKey, ...keys], "strong");
  const found = ({ PK, SK }: Key) => items.find((item) => item.PK === PK && item.SK === SK);
  return { counts: keys.map((key) => found(key)?.count ?? 0), isClosed: found(switchKey) !== undefined };
}
