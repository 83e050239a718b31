/** Deletes expired items. AWS does so within days of the expiry time; here `sweep` does it at once. */
import { itemPrefix, type Validated, validated, within } from "./dynalite.ts";
import { writeItem } from "./item-write.ts";
import type { AttributeMap, AttributeValue } from "./protocol.ts";
import type { Services } from "./services.ts";
import { readItem } from "./views.ts";

/** Items that expired longer ago than this are kept, as in AWS. */
const fiveYears = 5 * 365 * 86_400;

/** Whether the time of a time-to-live attribute, in epoch seconds, has passed. */
function isExpired(attribute: AttributeValue | undefined, nowMilliseconds: number): boolean {
  const seconds = Number(attribute?.N);
  const now = nowMilliseconds / 1000;
  return Number.isFinite(seconds) && seconds < now && seconds > now - fiveYears;
}

/** @returns the number of deleted items */
export async function sweep({ store, tables, commits, clock }: Services): Promise<number> {
  const now = clock();
  let swept = 0;
  for (const [table, attribute] of tables.expiring()) {
    const prefix = itemPrefix(table);
    for await (const [key, item] of store.db.iterator(within(prefix))) {
      if (!isExpired((item as AttributeMap)[attribute], now)) continue;
      const { result } = await commits.commit(
        async (held) => {
          // A write may have moved the expiry time since the item was read.
          const current = readItem(store, table, key.slice(prefix.length));
          if (!current || !isExpired(current[attribute], now)) return 0;
          await writeItem({ operation: "DeleteItem", data: removal(current, table) }, held);
          return 1;
        },
        { expired: true },
      );
      swept += result;
    }
  }
  return swept;

  function removal(item: AttributeMap, TableName: string): Validated {
    const names = tables.get(TableName).KeySchema.map(({ AttributeName }) => AttributeName);
    const Key = Object.fromEntries(names.map((name) => [name, item[name]]));
    return validated("DeleteItem", { TableName, Key }, store);
  }
}
