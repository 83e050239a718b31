/** The names of partition keys. */
import type { AttributeMap, TableDescription } from "./protocol.ts";

/** The name of the partition of an item, or of a key, across all tables. */
export const partitionOf = (item: AttributeMap, { TableName, KeySchema }: TableDescription): string =>
  JSON.stringify([TableName, item[hashOf(KeySchema)]]);

/** The name of the partition key's attribute. */
const hashOf = (keys: TableDescription["KeySchema"]): string =>
  keys.find(({ KeyType }) => KeyType === "HASH")?.AttributeName as string;
