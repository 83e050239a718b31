/** Commits: one at a time, each a single batch of items, index entries and stream records. */
import { Consumption } from "./capacity.ts";
import type { Store } from "./dynalite.ts";
import type { StreamLog, StreamRecord } from "./stream-log.ts";
import type { Tables } from "./tables.ts";
import { type PendingStore, pending } from "./views.ts";

export interface CommitOptions {
  readonly region: string;
  readonly accountId: string;
  readonly clock: () => number;
}

export class Commits {
  readonly #store: Store;
  readonly #tables: Tables;
  readonly #stream: StreamLog;
  readonly #options: CommitOptions;
  /** Resolves when all commits before the next one are done. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: Store, tables: Tables, stream: StreamLog, options: CommitOptions) {
    this.#store = store;
    this.#tables = tables;
    this.#stream = stream;
    this.#options = options;
  }

  /** Runs one critical section at a time: the data that it reads do not change before it ends. */
  exclusively<T>(section: () => Promise<T>): Promise<T> {
    const result = this.#last.then(section);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /**
   * Lets `work` write into a view of the store and commits these writes as a whole.
   * @param how `silent`: the stream does not tell of it
   * @returns the result of `work`, and the consumed capacity
   * @throws every error of `work`; nothing is written then
   */
  commit<T>(
    work: (held: PendingStore) => Promise<T>,
    { transactional = false, expired = false, silent = false } = {},
  ): Promise<{ result: T; consumption: Consumption }> {
    return this.exclusively(async () => {
      const held = pending(this.#store);
      const result = await work(held);
      const consumption = new Consumption("Write", transactional);
      const records: StreamRecord[] = [];
      for (const change of held.changes()) {
        const table = this.#tables.get(change.table);
        consumption.addWrite(change, table);
        const viewType = silent ? undefined : this.#tables.streamViewType(change.table);
        const { region, accountId, clock } = this.#options;
        const record =
          viewType && this.#stream.record(change, table, { region, accountId, viewType, expired, now: clock() });
        if (record) records.push(record);
      }
      const operations = [...held.operations(), ...this.#stream.operations(records)];
      if (operations.length > 0) await this.#store.db.batch(operations);
      this.#stream.announce(records);
      return { result, consumption };
    });
  }

  /** Resolves when all commits that have begun are done. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
