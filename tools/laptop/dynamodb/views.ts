/**
 * Views of the store for dynalite's actions. Single items are read synchronously, so that an error of an action reaches
 * its caller. The writes of one commit are held back until they are taken out together.
 */
import { Stream } from "node:stream";
import { satisfies } from "./condition.ts";
import type { BatchOperation } from "./dynalite.ts";
import {
  assertIndexKeys,
  describedIn,
  type Expression,
  indexPrefix,
  itemPrefix,
  type KeySpace,
  type Range,
  type Store,
} from "./dynalite.ts";
import { itemSize } from "./item-size.ts";
import { nestingIssue, numberIssue } from "./limits.ts";
import { type AttributeMap, conditionFailure, validationFailure } from "./protocol.ts";

const storedItem = (store: Store, key: string): AttributeMap | undefined =>
  store.db.getSync(key) as AttributeMap | undefined;

export const readItem = (store: Store, table: string, key: string): AttributeMap | undefined =>
  storedItem(store, itemPrefix(table) + key);

/** No lock is needed: only one commit is computed at a time. */
const lock: KeySpace["lock"] = (_key, locked) => locked((callback) => callback);

function refuse(): never {
  throw new Error("This view of the store cannot do that");
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
  /** The condition for the next item that is read, and the listener that gets the item when the condition holds. */
  demand(condition: Expression | undefined, satisfied?: (item: AttributeMap | undefined) => void): void;
  /** All writes of items and index entries, for one batch. */
  operations(): BatchOperation[];
  changes(): ItemChange[];
}

/** Each item is written once at most; reads see the store as it was. */
export function pending(base: Store): PendingStore {
  const written = new Map<string, BatchOperation>();
  const before = new Map<string, AttributeMap | undefined>();
  const changes: ItemChange[] = [];
  let condition: Expression | undefined;
  let satisfied: ((item: AttributeMap | undefined) => void) | undefined;
  const index = (prefix: string): KeySpace => ({
    lock,
    get: refuse,
    createValueStream: refuse,
    createReadStream: refuse,
    put(key, value, callback) {
      written.set(prefix + key, { type: "put", key: prefix + key, value });
      callback(null);
    },
    del(key, callback) {
      written.set(prefix + key, { type: "del", key: prefix + key });
      callback(null);
    },
  });
  const items = (table: string): KeySpace => {
    const prefix = itemPrefix(table);
    const { put, del, ...rest } = index(prefix);
    return {
      ...rest,
      get(key, callback) {
        const item = storedItem(base, prefix + key);
        before.set(prefix + key, item);
        const holds = condition === undefined || satisfies(condition, item);
        condition = undefined;
        if (!holds) return callback(conditionFailure());
        satisfied?.(item);
        callback(null, item);
      },
      put(key, value, callback) {
        if (itemSize(value) > base.options.maxItemSize) {
          return callback(validationFailure("Item size to update has exceeded the maximum allowed size"));
        }
        const issue = nestingIssue(value) ?? numberIssue({ M: value });
        if (issue) return callback(validationFailure(issue));
        try {
          // The items of puts were checked before.
          const description = describedIn(base, table);
          if (!description) throw new Error(`There is no table ${table}`);
          assertIndexKeys(value, description, { isUpdate: true });
        } catch (error) {
          return callback(error as Error);
        }
        changes.push({ table, before: before.get(prefix + key), after: value });
        put(key, value, callback);
      },
      del(key, callback) {
        changes.push({ table, before: before.get(prefix + key), after: undefined });
        del(key, callback);
      },
    };
  };
  return {
    store: {
      ...base,
      getItemDb: items,
      getIndexDb: (kind, table, name) => index(indexPrefix(kind, table, name)),
    },
    demand: (expression, hear) => {
      condition = expression;
      satisfied = hear;
    },
    operations: () => [...written.values()],
    changes: () => changes,
  };
}

/**
 * Replaces the stream of values that dynalite's queries listen to; stops when a query has enough. It is a plain stream,
 * because a query would get every value twice from another emitter.
 */
class ValueFeed extends Stream {
  readonly #store: Store;
  readonly #range: Range;
  #stopped = false;

  constructor(store: Store, range: Range) {
    super();
    this.#store = store;
    this.#range = range;
  }

  destroy(): void {
    this.#stopped = true;
  }

  async pump(): Promise<void> {
    const values = this.#store.db.values(this.#range);
    try {
      while (!this.#stopped) {
        const some = await values.nextv(pageOfValues);
        if (some.length === 0) break;
        for (const value of some) if (!this.#stopped) this.emit("data", value);
      }
    } finally {
      await values.close();
    }
    this.emit("end");
  }
}

const pageOfValues = 100;

/** A view of the store that remembers the items read from it. */
export interface ReadingStore {
  readonly store: Store;
  /**
   * Items of one table and its indexes, in the order in which they were read; undefined for items that do not exist.
   */
  read(table: string): readonly (AttributeMap | undefined)[];
  /** Sends the values to the queries that have begun. */
  pump(): Promise<void>;
}

export function reading(base: Store): ReadingStore {
  const seen = new Map<string, (AttributeMap | undefined)[]>();
  const feeds: ValueFeed[] = [];
  const view = (prefix: string, table: string): KeySpace => {
    const items = seen.get(table) ?? [];
    seen.set(table, items);
    const createValueStream = (range: Range) => {
      const feed = new ValueFeed(base, prefixed(range, prefix));
      feed.on("data", (item: AttributeMap) => items.push(item));
      feeds.push(feed);
      return feed;
    };
    return {
      lock,
      put: refuse,
      del: refuse,
      get(key, callback) {
        const item = storedItem(base, prefix + key);
        items.push(item);
        callback(null, item);
      },
      createValueStream,
      createReadStream: createValueStream,
    };
  };
  return {
    store: {
      ...base,
      getItemDb: (table) => view(itemPrefix(table), table),
      getIndexDb: (kind, table, name) => view(indexPrefix(kind, table, name), table),
    },
    read: (table) => seen.get(table) ?? [],
    pump: async () => {
      for (const feed of feeds) await feed.pump();
    },
  };
}

function prefixed(range: Range, prefix: string): Range {
  const { gt, gte, lt, lte, limit = -1, reverse = false } = range;
  return {
    ...(gt !== undefined ? { gt: prefix + gt } : { gte: prefix + (gte ?? "") }),
    ...(lte !== undefined ? { lte: prefix + lte } : { lt: prefix + (lt ?? "~") }),
    limit,
    reverse,
  };
}
