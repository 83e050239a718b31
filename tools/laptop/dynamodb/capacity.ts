/** The capacity that requests consume, in the units of on-demand tables, as AWS counts them. */
import { itemSize } from "./item-size.ts";
import { partitionOf } from "./partitions.ts";
import { type AttributeMap, type IndexDefinition, sameValue, type TableDescription } from "./protocol.ts";
import type { ItemChange } from "./views.ts";

const writeUnitBytes = 1024;
const readUnitBytes = 4096;
/** A transaction prepares and commits: each of its items is written, or read, twice. */
const transactionFactor = 2;

export type UnitKind = "Read" | "Write";

/** The units that one request consumes, by table, and those that a write takes from each partition key. */
export class Consumption {
  readonly kind: UnitKind;
  /** Units written to the table, by the names of partitions. */
  readonly partitions = new Map<string, number>();
  readonly #factor: number;
  readonly #tables = new Map<string, number>();

  constructor(kind: UnitKind, transactional = false) {
    this.kind = kind;
    this.#factor = transactional ? transactionFactor : 1;
  }

  #add(table: string, units: number): void {
    this.#tables.set(table, (this.#tables.get(table) ?? 0) + units);
  }

  #write(table: string, units: number, partition: string): void {
    this.#add(table, units);
    this.partitions.set(partition, (this.partitions.get(partition) ?? 0) + units);
  }

  /**
   * One unit for each kilobyte of the larger version of the item, twice that in a transaction, and the units of the
   * indexes.
   */
  addWrite(change: ItemChange, table: TableDescription): void {
    const { before, after } = change;
    const partition = partitionOf((after ?? before ?? {}) as AttributeMap, table);
    this.#write(change.table, larger(before, after) * this.#factor, partition);
    this.#add(change.table, unitsOfIndexes(change, table));
  }

  /** A condition on an item costs as much as writing it. */
  addCheck(table: string, item: AttributeMap | undefined, partition: string): void {
    this.#write(table, larger(item, undefined) * this.#factor, partition);
  }

  /** The sizes of items that are read together are added before rounding up. */
  addRead(table: string, items: readonly (AttributeMap | undefined)[], consistent: boolean): void {
    const bytes = items.reduce((sum, item) => sum + (item ? itemSize(item) : 0), 0);
    const units = Math.max(1, Math.ceil(bytes / readUnitBytes));
    this.#add(table, consistent ? units * this.#factor : units / 2);
  }

  get total(): number {
    return [...this.#tables.values()].reduce((sum, units) => sum + units, 0);
  }

  /** ConsumedCapacity of every table, if `ReturnConsumedCapacity` asks for the total; otherwise undefined. */
  report(wanted: unknown): Record<string, unknown>[] | undefined {
    if (wanted !== "TOTAL") return undefined;
    return [...this.#tables].map(([TableName, CapacityUnits]) => ({ TableName, CapacityUnits }));
  }
}

const kilobytes = (item: AttributeMap): number => Math.max(1, Math.ceil(itemSize(item) / writeUnitBytes));

/** Units of one item that is written outside a transaction, or whose write is refused. */
export const larger = (before: AttributeMap | undefined, after: AttributeMap | undefined): number =>
  Math.max(1, before ? kilobytes(before) : 0, after ? kilobytes(after) : 0);

/** The part of an item that an index holds; undefined when the item is not in the index. */
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

/** Units of all indexes: putting, removing or updating an entry is one write; changing its key is two. */
function unitsOfIndexes(change: ItemChange, table: TableDescription): number {
  let units = 0;
  for (const index of table.GlobalSecondaryIndexes ?? []) {
    const before = projected(change.before, index, table);
    const after = projected(change.after, index, table);
    if (sameValue(before, after)) continue;
    const moved = index.KeySchema.some(({ AttributeName: name }) => !sameValue(before?.[name], after?.[name]));
    if (before && after && moved) units += kilobytes(before) + kilobytes(after);
    else units += larger(before, after);
  }
  return units;
}
