/** What requests consume, as AWS counts it. */
import { type ItemChange, itemSize } from "./dynalite.ts";
import { type AttributeMap, type IndexDefinition, sameValue, type TableDescription } from "./protocol.ts";

const kilobytes = (item: AttributeMap): number => Math.max(1, Math.ceil(itemSize(item) / 1024));

const larger = (before: AttributeMap | undefined, after: AttributeMap | undefined): number =>
  Math.max(1, ...[before, after].flatMap((item) => (item ? [kilobytes(item)] : [])));

/** An item as an index holds it; undefined when it is not in the index. */
function projected(item: AttributeMap | undefined, index: IndexDefinition, table: TableDescription) {
  const indexKeys = index.KeySchema.map(({ AttributeName }) => AttributeName);
  if (!item || indexKeys.some((name) => item[name] === undefined)) return undefined;
  if (index.Projection.ProjectionType === "ALL") return item;
  const names = new Set([
    ...indexKeys,
    ...table.KeySchema.map(({ AttributeName }) => AttributeName),
    ...(index.Projection.NonKeyAttributes ?? []),
  ]);
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name)));
}

/** Putting, removing and updating an entry is one write of it; changing its key is two. */
function indexUnits(change: ItemChange, index: IndexDefinition, table: TableDescription): number {
  const before = projected(change.before, index, table);
  const after = projected(change.after, index, table);
  if (!before || !after) return before || after ? larger(before, after) : 0;
  if (sameValue(before, after)) return 0;
  const moved = index.KeySchema.some(({ AttributeName: name }) => !sameValue(before[name], after[name]));
  return moved ? kilobytes(before) + kilobytes(after) : larger(before, after);
}

/** Write units of one item: a kilobyte each, twice that in a transaction, and what its indexes take. */
export function writeUnits(change: ItemChange, table: TableDescription, transactional: boolean): number {
  const own = larger(change.before, change.after) * (transactional ? 2 : 1);
  return (table.GlobalSecondaryIndexes ?? []).reduce((sum, index) => sum + indexUnits(change, index, table), own);
}

/** Read units of one item in a transaction: four kilobytes cost two. */
export const transactionalReadUnits = (item: AttributeMap | undefined): number =>
  2 * Math.max(1, Math.ceil((item ? itemSize(item) : 0) / 4096));
