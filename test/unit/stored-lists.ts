/** Answers queries out of items in memory, in the pages that DynamoDB would cut. */
import { createHash } from "node:crypto";
import type { QueryCommandInput } from "@aws-sdk/lib-dynamodb";

type StoredItem = Readonly<Record<string, unknown>>;

/** The order of items with the same key in an index, which is nothing that a reader could go by. */
const placeOf = ({ PK, SK }: StoredItem): string => createHash("sha256").update(`${PK} ${SK}`).digest("hex");

/** The shapes of key conditions that the lists use, with the test of a sort key. */
const ranges: readonly (readonly [RegExp, (sortKey: string, ...bounds: string[]) => boolean])[] = [
  [/^(\w+) = (:\w+)$/, () => true],
  [/^(\w+) = (:\w+) AND \w+ BETWEEN (:\w+) AND (:\w+)$/, (key, from = "", to = "") => key >= from && key <= to],
  // The registrations of an event, behind a row.
  [/^(\w+) = (:\w+) AND \w+ > (:\w+)$/, (key, start = "") => key > start],
  // The place in line.
  [/^(\w+) = (:\w+) AND \w+ < (:\w+)$/, (key, end = "") => key < end],
  [/^(\w+) = (:\w+) AND begins_with\(\w+, (:\w+)\)$/, (key, start = "") => key.startsWith(start)],
];

const sortKeys = { PK: "SK", GSI1PK: "GSI1SK", SK: "queueKey" };

/**
 * @param items all items of the table
 * @param cut the most items of one answer, as if more were over 1 MB
 */
export class StoredLists {
  /** Items that the queries have read. */
  read = 0;
  readonly #partitions = new Map<string, StoredItem[]>();
  readonly #cut: number;

  constructor(items: readonly StoredItem[], cut: number) {
    this.#cut = cut;
    for (const [name, sortKey] of Object.entries(sortKeys)) {
      const sorted = items
        .filter((item) => item[name] !== undefined && item[sortKey] !== undefined)
        .map((item) => ({ item, key: String(item[sortKey]), place: placeOf(item) }))
        .sort((a, b) => (a.key < b.key || (a.key === b.key && a.place < b.place) ? -1 : 1))
        .map(({ item }) => item);
      for (const item of sorted) {
        const partition = `${name} ${item[name]}`;
        this.#partitions.set(partition, [...(this.#partitions.get(partition) ?? []), item]);
      }
    }
  }

  /** Answers a query. @throws Error the range ends before it begins, which DynamoDB refuses */
  answer({
    KeyConditionExpression = "",
    ExpressionAttributeValues: values = {},
    ExclusiveStartKey,
    Limit = Number.POSITIVE_INFINITY,
  }: QueryCommandInput): object {
    for (const [shape, isInRange] of ranges) {
      const [, name, partition, ...bounds] = shape.exec(KeyConditionExpression) ?? [];
      if (name === undefined || partition === undefined) continue;
      const given = bounds.map((bound) => String(values[bound]));
      if (given.includes("") || (given.length === 2 && String(given[0]) > String(given[1])))
        throw new Error("no range");
      const sortKey = sortKeys[name as keyof typeof sortKeys];
      const found = (this.#partitions.get(`${name} ${values[partition]}`) ?? [])
        .filter((item) => isInRange(String(item[sortKey]), ...given))
        .filter((item) => {
          if (ExclusiveStartKey === undefined) return true;
          const [key, start] = [item, ExclusiveStartKey].map((one) => String(one[sortKey])) as [string, string];
          return key > start || (key === start && placeOf(item) > placeOf(ExclusiveStartKey));
        });
      const Items = found.slice(0, Math.min(Limit, this.#cut));
      this.read += Items.length;
      // DynamoDB also names a last key when the page ends exactly at its limit.
      const last = Items.length === Math.min(Limit, this.#cut) ? Items.at(-1) : undefined;
      return { Items, Count: Items.length, ...(last && { LastEvaluatedKey: last }) };
    }
    throw new Error(`unknown key condition: ${KeyConditionExpression}`);
  }
}
