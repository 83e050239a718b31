/** The capacity that requests consume, in the units of on-demand tables, as AWS counts them. */
import { itemSize } from "./item-size.ts";
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

/** The units that one request consumes, by table and index. */
export class Consumption {
  readonly kind: "Read" | "Write";
  readonly #transactional: boolean;
  readonly #tables = new Map<string, TableConsumption>();

  constructor(kind: "Read" | "Write", transactional = false) {
    this.kind = kind;
    this.#transactional = transactional;
  }

  #of(table: string): TableConsumption {
    const known = this.#tables.get(table) ?? { own: 0, indexes: new Map() };
    this.#tables.set(table, known);
    return known;
  }

  /** @param index absent: the table itself */
  add(table: string, units: number, index?: string): void {
    const consumption = this.#of(table);
    if (index === undefined) consumption.own += units;
    else consumption.indexes.set(index, (consumption.indexes.get(index) ?? 0) + units);
  }

  /**
   * One unit for each kilobyte of the larger version of the item, twice that in a transaction, and the units of the
   * indexes.
   */
  addWrite(change: ItemChange, table: TableDescription): void {
    this.add(change.table, larger(change.before, change.after) * this.#factor);
    for (const index of table.GlobalSecondaryIndexes ?? []) {
      const units = indexUnits(change, index, table);
      if (units > 0) this.add(change.table, units, index.IndexName);
    }
  }

  /** A condition on an item costs as much as writing it. */
  addCheck(table: string, item: AttributeMap | undefined): void {
    this.add(table, larger(item, undefined) * this.#factor);
  }

  /** The sizes of items that are read together are added before rounding up. */
  addRead(
    table: string,
    items: readonly (AttributeMap | undefined)[],
    { consistent, index }: { readonly consistent: boolean; readonly index?: string },
  ): void {
    const bytes = items.reduce((sum, item) => sum + (item ? itemSize(item) : 0), 0);
    const units = Math.max(1, Math.ceil(bytes / readUnitBytes));
    this.add(table, this.#transactional ? units * transactionFactor : consistent ? units : units / 2, index);
  }

  include(other: Consumption): void {
    for (const [table, { own, indexes }] of other.#tables) {
      this.add(table, own);
      for (const [index, units] of indexes) this.add(table, units, index);
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

const larger = (before: AttributeMap | undefined, after: AttributeMap | undefined): number =>
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

/** Putting, removing or updating an index entry is one write; changing its key is two. */
function indexUnits(change: ItemChange, index: IndexDefinition, table: TableDescription): number {
  const before = projected(change.before, index, table);
  const after = projected(change.after, index, table);
  if (!before || !after) return before || after ? larger(before, after) : 0;
  if (sameValue(before, after)) return 0;
  const moved = index.KeySchema.some(({ AttributeName: name }) => !sameValue(before[name], after[name]));
  return moved ? kilobytes(before) + kilobytes(after) : larger(before, after);
}
