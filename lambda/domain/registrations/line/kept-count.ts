/** Store of the kept count: one small item for each event, apart from the line and from the seats. */
import type { EventKey } from "#domain/events/event.ts";
import { type Consistency, getItem, type Key, type TransactItem, tableName, writeIf } from "#kit/table.ts";
import type { KeptCount } from "./waiting.ts";

export const keptCountKey = ({ id, year }: EventKey): Key => ({ PK: `LINE#${id}#${year}`, SK: "COUNT" });

export const readKeptCount = (event: EventKey, consistency: Consistency) =>
  getItem<KeptCount>(keptCountKey(event), consistency);

/** The count of an event that is created: no person waits. It replaces the count of an earlier generation. */
export const putEmptyCount = (event: EventKey, generation: string, countedAt: number): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: { ...keptCountKey(event), ...({ generation, waiting: 0, countedAt } satisfies KeptCount) },
  },
});

/**
 * Replaces the count that was read before the line was counted. So each kept count began after the one before it was
 * written, whatever the clocks say, and has all changes that the other one has.
 * @returns whether the stored count was still that one
 */
export const replaceCount = (event: EventKey, count: KeptCount, before: KeptCount | undefined): Promise<boolean> =>
  writeIf({
    Key: keptCountKey(event),
    UpdateExpression: "SET generation = :generation, waiting = :waiting, countedAt = :countedAt",
    ConditionExpression: before ? "generation = :of AND countedAt = :before" : "attribute_not_exists(PK)",
    ExpressionAttributeValues: {
      ":generation": count.generation,
      ":waiting": count.waiting,
      ":countedAt": count.countedAt,
      ...(before && { ":of": before.generation, ":before": before.countedAt }),
    },
  });
