/**
 * Global secondary indexes that lag behind: in AWS an index may return old rows after a write, because it is
 * eventually consistent. A second engine in memory gets each committed write later, and answers the queries of indexes.
 */
import { Engine, type EngineOptions, type Executed } from "./engine.ts";
import type { TableDefinition } from "./protocol.ts";
import type { StreamRecord } from "./stream-log.ts";

interface LaggingOptions extends Pick<EngineOptions, "region" | "accountId" | "clock"> {
  readonly milliseconds: number;
}

export class LaggingIndexes {
  readonly #copy: Engine;
  readonly #milliseconds: number;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Resolves when all writes before the next one are in the copy. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(copy: Engine, milliseconds: number) {
    this.#copy = copy;
    this.#milliseconds = milliseconds;
  }

  /**
   * Follows the stream of an engine whose table has the stream view NEW_AND_OLD_IMAGES or NEW_IMAGE.
   * @param milliseconds how late the indexes are
   */
  static async open(main: Engine, { milliseconds, ...place }: LaggingOptions): Promise<LaggingIndexes> {
    const copy = await Engine.open({ ...place, conflictMilliseconds: 0 });
    const indexes = new LaggingIndexes(copy, milliseconds);
    main.stream.onAppend((records) => indexes.#later(records));
    return indexes;
  }

  /** Creates the table, with its existing items. */
  async ensureTable(main: Engine, definition: TableDefinition): Promise<void> {
    await this.#copy.ensureTable(definition);
    const { TableName } = definition;
    let ExclusiveStartKey: unknown;
    do {
      const { body } = await main.execute("Scan", {
        TableName,
        ...(ExclusiveStartKey !== undefined && { ExclusiveStartKey }),
      });
      for (const Item of body.Items as object[]) await this.#copy.execute("PutItem", { TableName, Item });
      ExclusiveStartKey = body.LastEvaluatedKey;
    } while (ExclusiveStartKey !== undefined);
  }

  /** Puts items at once that the stream does not tell of. */
  load(table: string, items: readonly object[]): Promise<void> {
    return this.#copy.load(table, items);
  }

  /** Answers a query of an index. @throws RequestFailed */
  query(request: Record<string, unknown>): Promise<Executed> {
    return this.#copy.execute("Query", request);
  }

  #later(records: readonly StreamRecord[]): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#last = this.#last.then(async () => {
        for (const record of records) await this.#apply(record);
      });
    }, this.#milliseconds);
    this.#timers.add(timer);
  }

  async #apply({ eventSourceARN, dynamodb: { Keys, NewImage } }: StreamRecord): Promise<void> {
    const TableName = eventSourceARN.split(":table/")[1]?.split("/")[0];
    if (NewImage) await this.#copy.execute("PutItem", { TableName, Item: NewImage });
    else await this.#copy.execute("DeleteItem", { TableName, Key: Keys });
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#last;
    await this.#copy.close();
  }
}
