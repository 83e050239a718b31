/** The capacity that requests consume, in the units of on-demand tables, as AWS counts them. */
import { itemSize } from "./item-size.ts";
import { hashOf, partitionName, partitionOf } from "./partitions.ts";
import { type AttributeMap, type IndexDefinition, sameValue, type TableDescription } from "./protocol.ts";
import type { ItemChange } from "./views.ts";

const writeUnitBytes = 1024;
const readUnitBytes = 4096;
/** A transaction prepares and commits: each of its items is written, or read, twice. */
const transactionFactor = 2;

interface TableConsumption {
  own: number;
  readonly indexes: Map<string, number>;
}

export type UnitKind = "Read" | "Write";

/** The units that one request consumes, by table and index, and by partition key. */
export class Consumption {
  readonly kind: UnitKind;
  /** Units by the names of partitions. */
  readonly partitions = new Map<string, number>();
  readonly #transactional: boolean;
  readonly #tables = new Map<string, TableConsumption>();

  constructor(kind: UnitKind, transactional = false) {
    this.kind = kind;
    this.#transactional = transactional;
  }

  #of(table: string): TableConsumption {
    const known = this.#tables.get(table) ?? { own: 0, indexes: new Map() };
    this.#tables.set(table, known);
    return known;
  }

  /**
   * @param index absent: the table itself
   * @param partition absent: of several partitions
   */
  add(table: string, units: number, { index, partition }: { index?: string; partition?: string } = {}): void {
    const consumption = this.#of(table);
    if (partition !== undefined) this.partitions.set(partition, (this.partitions.get(partition) ?? 0) + units);
    if (index === undefined) consumption.own += units;
    else consumption.indexes.set(index, (consumption.indexes.get(index) ?? 0) + units);
  }

  /**
   * One unit for each kilobyte of the larger version of the item, twice that in a transaction, and the units of the
   * indexes.
   */
  addWrite(change: ItemChange, table: TableDescription): void {
    const { before, after } = change;
    const partition = partitionOf((after ?? before ?? {}) as AttributeMap, table);
    this.add(change.table, larger(before, after) * this.#factor, { partition });
    for (const { index, partition, units } of indexWrites(change, table)) {
      this.add(change.table, units, { index, partition });
    }
  }

  /** A condition on an item costs as much as writing it. */
  addCheck(table: string, item: AttributeMap | undefined, partition: string): void {
    this.add(table, larger(item, undefined) * this.#factor, { partition });
  }

  /** The sizes of items that are read together are added before rounding up. */
  addRead(
    table: string,
    items: readonly (AttributeMap | undefined)[],
    { consistent, ...at }: { readonly consistent: boolean; readonly index?: string; readonly partition?: string },
  ): void {
    const bytes = items.reduce((sum, item) => sum + (item ? itemSize(item) : 0), 0);
    const units = Math.max(1, Math.ceil(bytes / readUnitBytes));
    this.add(table, this.#transactional ? units * transactionFactor : consistent ? units : units / 2, at);
  }

  include(other: Consumption): void {
    for (const [table, { own, indexes }] of other.#tables) {
      this.add(table, own);
      for (const [index, units] of indexes) this.add(table, units, { index });
    }
  }

  get #factor(): number {
    return this.#transactional ? transactionFactor : 1;
  }

  get total(): number {
    return [...this.#tables.values()].reduce((sum, consumption) => sum + unitsOf(consumption), 0);
  }

  /** ConsumedCapacity of every table, if `ReturnConsumedCapacity` asks for it; otherwise undefined. */
  report(wanted: unknown): Record<string, unknown>[] | undefined {
    if (wanted !== "TOTAL" && wanted !== "INDEXES") return undefined;
    const units = (count: number) => ({
      CapacityUnits: count,
      ...(this.#transactional && { [`${this.kind}CapacityUnits`]: count }),
    });
    return [...this.#tables].map(([TableName, consumption]) => ({
      TableName,
      ...units(unitsOf(consumption)),
      ...(wanted === "INDEXES" && {
        Table: units(consumption.own),
        ...(consumption.indexes.size > 0 && {
          GlobalSecondaryIndexes: Object.fromEntries(
            [...consumption.indexes].map(([name, count]) => [name, units(count)]),
          ),
        }),
      }),
    }));
  }
}

const unitsOf = ({ own, indexes }: TableConsumption): number =>
  [...indexes.values()].reduce((sum, units) => sum + units, own);

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

/** A write of an index that follows from a write of the table. */
interface IndexWrite {
  readonly index: string;
  readonly partition: string;
  readonly units: number;
}

/** The writes of all indexes: putting, removing or updating an entry is one write; changing its key is two. */
export function indexWrites(change: ItemChange, table: TableDescription): IndexWrite[] {
  return (table.GlobalSecondaryIndexes ?? []).flatMap((index) => {
    const { IndexName, KeySchema } = index;
    const write = (entry: AttributeMap, units: number): IndexWrite => ({
      index: IndexName,
      partition: partitionName(table.TableName, entry[hashOf(KeySchema)], IndexName),
      units,
    });
    const before = projected(change.before, index, table);
    const after = projected(change.after, index, table);
    if (!before || !after) {
      const entry = before ?? after;
      return entry ? [write(entry, kilobytes(entry))] : [];
    }
    if (sameValue(before, after)) return [];
    const moved = KeySchema.some(({ AttributeName: name }) => !sameValue(before[name], after[name]));
    return moved
      ? [write(before, kilobytes(before)), write(after, kilobytes(after))]
      : [write(after, larger(before, after))];
  });
}
