/**
 * The one place that knows dynalite's inside. It brings validation, expressions and storage, one item at a time; what
 * it lacks (transactions, conflicts, streams, expiry) is built around it. It ships no types.
 */
import { createRequire } from "node:module";
import type { AttributeMap, TableDescription } from "./protocol.ts";
import { RequestFailed } from "./protocol.ts";

const require = createRequire(import.meta.url);

type Callback<T> = (error: (Error & { statusCode?: number; body?: Record<string, unknown> }) | null, value?: T) => void;

/** One key space of the store: the items of a table, or an index. */
interface KeySpace {
  lock(key: string, run: (release: <F>(callback: F) => F) => void): void;
  get(key: string, callback: Callback<AttributeMap>): void;
  put(key: string, value: AttributeMap, callback: Callback<void>): void;
  del(key: string, callback: Callback<void>): void;
  [stream: string]: unknown;
}

export type BatchOperation =
  | { readonly type: "put"; readonly key: string; readonly value: unknown }
  | { readonly type: "del"; readonly key: string };

export interface Store {
  readonly options: { readonly maxItemSize: number };
  readonly db: {
    open(): Promise<void>;
    batch(operations: readonly BatchOperation[]): Promise<void>;
    keys(range: object): AsyncIterable<string>;
    iterator(range: object): AsyncIterable<[string, unknown]>;
    clear(range: object): Promise<void>;
    close(): Promise<void>;
  };
  getTable(
    name: string,
    checkStatus: boolean | Callback<TableDescription>,
    callback?: Callback<TableDescription>,
  ): void;
  getItemDb(table: string): KeySpace;
  getIndexDb(kind: string, table: string, index: string): KeySpace;
}

interface Database {
  create(options: object): Store;
  createKey(item: AttributeMap, table: TableDescription): string;
  checkConditional(data: object, item: AttributeMap | undefined): Error | null | undefined;
  itemSize(item: AttributeMap): number;
}

interface Validations {
  checkTypes(data: object, types: object): Record<string, unknown>;
  checkValidations(data: object, types: object, custom: unknown, store: Store): void;
}

const database = require("dynalite/db") as Database;
const validations = require("dynalite/validations") as Validations;

const operationNames = [
  "BatchGetItem",
  "CreateTable",
  "DeleteItem",
  "DescribeTable",
  "GetItem",
  "ListTables",
  "PutItem",
  "Query",
  "Scan",
  "UpdateItem",
] as const;
export type OperationName = (typeof operationNames)[number];

export const isOperation = (name: string): name is OperationName =>
  (operationNames as readonly string[]).includes(name);

const fileOf = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

type Action = (store: Store, data: object, callback: Callback<Record<string, unknown>>) => void;
const operations = new Map(
  operationNames.map((name) => [
    name,
    {
      action: require(`dynalite/actions/${fileOf(name)}`) as Action,
      validation: require(`dynalite/validations/${fileOf(name)}`) as { types: object; custom: unknown },
    },
  ]),
);

/** Bytes of an item as DynamoDB counts them. */
export const itemSize = (item: AttributeMap): number => database.itemSize(item);

/** The key under which an item is stored; needs a validated key. */
export const storageKey = (key: AttributeMap, table: TableDescription): string => database.createKey(key, table);

const promised = <T>(run: (callback: Callback<T>) => void): Promise<T> =>
  new Promise((resolve, reject) => {
    run((error, value) => (error ? reject(asRequestFailed(error)) : resolve(value as T)));
  });

function asRequestFailed(error: Error & { statusCode?: number; body?: Record<string, unknown> }): Error {
  return error.statusCode && error.body ? new RequestFailed(error.statusCode, error.body) : error;
}

/** @param directory absent: in memory */
export async function openStore(directory: string | undefined): Promise<Store> {
  const store = database.create({ path: directory, createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  await store.db.open();
  return store;
}

/** Checks a request as DynamoDB does before it looks at any item; fills in parsed expressions. */
export function validated(name: OperationName, data: object, store: Store): Record<string, unknown> {
  const { validation } = operations.get(name) as NonNullable<ReturnType<typeof operations.get>>;
  try {
    const checked = validations.checkTypes(data, validation.types);
    validations.checkValidations(checked, validation.types, validation.custom, store);
    return checked;
  } catch (error) {
    throw asRequestFailed(error as Error);
  }
}

/** Carries out a validated request against a store, or against a view of it. */
export const run = (name: OperationName, store: Store, data: object): Promise<Record<string, unknown>> =>
  promised((callback) => operations.get(name)?.action(store, data, callback));

/** @throws RequestFailed the condition does not hold */
export function checkCondition(data: object, item: AttributeMap | undefined): void {
  const error = database.checkConditional(data, item);
  if (error) throw asRequestFailed(error);
}

/** @throws RequestFailed ResourceNotFoundException */
export const describe = (store: Store, table: string): Promise<TableDescription> =>
  promised((callback) => store.getTable(table, false, callback));

export async function readItem(store: Store, table: string, key: string): Promise<AttributeMap | undefined> {
  return new Promise((resolve, reject) => {
    store.getItemDb(table).get(key, (error, item) => {
      if (error && error.name !== "NotFoundError") reject(error);
      else resolve(item);
    });
  });
}

/** A write of one item. */
export interface ItemChange {
  readonly table: string;
  readonly before: AttributeMap | undefined;
  readonly after: AttributeMap | undefined;
}

/** A store in which writes are held back until they are taken out together. */
export interface PendingStore {
  readonly store: Store;
  /** Everything written, index entries too, for one batch. */
  readonly operations: () => BatchOperation[];
  readonly changes: () => ItemChange[];
}

/** Writes go into a buffer; reads see the buffer first. */
export function pending(base: Store): PendingStore {
  const written = new Map<string, BatchOperation>();
  const before = new Map<string, AttributeMap | undefined>();
  const tables = new Map<string, string>();
  const view = (prefix: string, real: KeySpace, table?: string): KeySpace => ({
    ...real,
    lock: (_key, locked) => locked((callback) => callback),
    get(key, callback) {
      const buffered = written.get(prefix + key);
      if (buffered)
        return setImmediate(callback, null, buffered.type === "put" ? (buffered.value as AttributeMap) : undefined);
      real.get(key, (error, item) => {
        if (table !== undefined && !error) before.set(prefix + key, item);
        callback(error, item);
      });
    },
    put(key, value, callback) {
      written.set(prefix + key, { type: "put", key: prefix + key, value });
      if (table !== undefined) tables.set(prefix + key, table);
      setImmediate(callback, null);
    },
    del(key, callback) {
      written.set(prefix + key, { type: "del", key: prefix + key });
      if (table !== undefined) tables.set(prefix + key, table);
      setImmediate(callback, null);
    },
  });
  return {
    store: {
      ...base,
      getItemDb: (table) => view(`item-${table}~`, base.getItemDb(table), table),
      getIndexDb: (kind, table, index) =>
        view(`index-${kind.toLowerCase()}~${table}~${index}~`, base.getIndexDb(kind, table, index)),
    },
    operations: () => [...written.values()],
    changes: () =>
      [...tables].map(([key, table]) => {
        const operation = written.get(key) as BatchOperation;
        return {
          table,
          before: before.get(key),
          // dynalite builds objects without a prototype, which would never equal those that are read.
          after: operation.type === "put" ? (structuredClone(operation.value) as AttributeMap) : undefined,
        };
      }),
  };
}
