/** The names of partition keys. */
import type { AttributeMap, TableDescription } from "./protocol.ts";

/** The name of a partition key of a table, or of one of its indexes, across all tables. */
export const partitionName = (table: string, value: unknown, index = ""): string =>
  JSON.stringify([table, index, value]);

/** The partition of an item, or of a key, in its table. */
export const partitionOf = (item: AttributeMap, { TableName, KeySchema }: TableDescription): string =>
  partitionName(TableName, item[hashOf(KeySchema)]);

/** The name of the partition key's attribute. */
export const hashOf = (keys: TableDescription["KeySchema"]): string =>
  keys.find(({ KeyType }) => KeyType === "HASH")?.AttributeName as string;
