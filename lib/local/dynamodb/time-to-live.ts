/** Expiry: what AWS does within days of an item's time, done at once when it is asked for. */
import type { Commits } from "./commits.ts";
import { itemPrefix, type Store, validated, within } from "./dynalite.ts";
import type { AttributeMap, AttributeValue } from "./protocol.ts";
import type { Tables } from "./tables.ts";
import { write } from "./transactions.ts";
import { readItem } from "./views.ts";

/** Items that expired longer ago than this are left alone, as in AWS. */
const fiveYears = 5 * 365 * 86_400;

/** Whether a time-to-live attribute, a number of epoch seconds, is past. */
export function isExpired(attribute: AttributeValue | undefined, nowMilliseconds: number): boolean {
  const seconds = Number(attribute?.N);
  const now = nowMilliseconds / 1000;
  return Number.isFinite(seconds) && seconds < now && seconds > now - fiveYears;
}

/** @returns how many items were deleted */
export async function sweep(store: Store, tables: Tables, commits: Commits, now: number): Promise<number> {
  let swept = 0;
  for (const [table, attribute] of tables.expiring()) {
    const prefix = itemPrefix(table);
    for await (const [key, item] of store.db.iterator(within(prefix))) {
      if (!isExpired((item as AttributeMap)[attribute], now)) continue;
      swept += await expire(table, key.slice(prefix.length));
    }

    async function expire(TableName: string, key: string): Promise<number> {
      const { result } = await commits.commit(
        async (held) => {
          const item = readItem(store, TableName, key);
          // It may have been given more time since it was looked at.
          if (!item || !isExpired(item[attribute], now)) return 0;
          const names = tables.get(TableName).KeySchema.map(({ AttributeName }) => AttributeName);
          const Key = Object.fromEntries(names.map((name) => [name, item[name]]));
          await write({ operation: "DeleteItem", data: validated("DeleteItem", { TableName, Key }, store) }, held);
          return 1;
        },
        { expired: true },
      );
      return result;
    }
  }
  return swept;
}
