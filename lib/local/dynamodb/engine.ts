/** The table engine: single writes and transactions with AWS's conflicts, atomic with their stream records. */
import { writeUnits } from "./capacity.ts";
import { Conflicts } from "./conflicts.ts";
import {
  describe,
  type ItemChange,
  isOperation,
  type OperationName,
  openStore,
  pending,
  readItem,
  run,
  type Store,
  storageKey,
  validated,
} from "./dynalite.ts";
import {
  type AttributeMap,
  failure,
  isConditionFailure,
  type RequestFailed,
  type TableDefinition,
  type TableDescription,
  validationFailure,
} from "./protocol.ts";
import { StreamLog, type StreamRecord } from "./stream-log.ts";
import { isExpired } from "./time-to-live.ts";
import {
  claimedKeys,
  conflictReasons,
  evaluate,
  keysOf,
  membersOf,
  RequestTokens,
  transactGet,
} from "./transactions.ts";

type Data = Record<string, unknown>;

/** One request, after it was answered. */
export interface Call {
  readonly accessKeyId: string;
  readonly operation: string;
  readonly request: Data;
  /** Read and write units as AWS would bill them; 0 for a refused request. */
  readonly readUnits: number;
  readonly writeUnits: number;
}

export interface EngineOptions {
  /** Absent: in memory. */
  readonly directory?: string;
  /** How long a write occupies its items at least; 0: nothing conflicts. */
  readonly conflictMilliseconds: number;
  readonly region: string;
  readonly accountId: string;
  readonly clock: () => number;
}

interface Answer {
  readonly body: Data;
  readonly readUnits?: number;
  readonly writeUnits?: number;
}

const singleWrites: readonly string[] = ["PutItem", "UpdateItem", "DeleteItem"];

export class Engine {
  readonly stream: StreamLog;
  readonly #store: Store;
  readonly #options: EngineOptions;
  readonly #conflicts: Conflicts;
  readonly #tokens = new RequestTokens();
  readonly #definitions = new Map<string, TableDefinition>();
  /** Commits run one after the other. */
  #commits: Promise<unknown> = Promise.resolve();

  private constructor(store: Store, stream: StreamLog, options: EngineOptions) {
    this.#store = store;
    this.stream = stream;
    this.#options = options;
    this.#conflicts = new Conflicts(options.conflictMilliseconds);
  }

  static async open(options: EngineOptions): Promise<Engine> {
    const store = await openStore(options.directory);
    return new Engine(store, await StreamLog.open(store), options);
  }

  /** Creates a table that does not exist yet. */
  async ensureTable(definition: TableDefinition): Promise<void> {
    const { StreamSpecification, TimeToLiveSpecification, ...table } = definition;
    this.#definitions.set(definition.TableName, definition);
    const exists = await describe(this.#store, definition.TableName).then(
      () => true,
      () => false,
    );
    if (!exists) {
      const request = { ...table, BillingMode: "PAY_PER_REQUEST" };
      await run("CreateTable", this.#store, validated("CreateTable", request, this.#store));
    }
    const deadline = Date.now() + 5_000;
    while ((await this.#describe(definition.TableName)).TableStatus !== "ACTIVE" && Date.now() < deadline) {
      await new Promise(setImmediate);
    }
    this.#rememberTable(await this.#describe(definition.TableName));
  }

  /** Tables never change while the stage runs: their descriptions are not read again for every request. */
  #rememberTable(table: TableDescription): void {
    const { getTable } = this.#store;
    this.#store.getTable = (name, checkStatus, callback) => {
      const done = typeof checkStatus === "function" ? checkStatus : callback;
      if (name === table.TableName) done?.(null, table);
      else getTable(name, checkStatus, callback);
    };
  }

  #describe(table: string): Promise<TableDescription> {
    return describe(this.#store, table);
  }

  /**
   * Carries out one request of the JSON protocol.
   * @throws RequestFailed as DynamoDB would answer
   */
  async execute(operation: string, request: Data): Promise<Answer> {
    if (operation === "TransactWriteItems") return this.#transactWrite(request);
    if (operation === "TransactGetItems") return this.#transactGet(request);
    if (operation === "BatchWriteItem") return this.#batchWrite(request);
    if (operation === "DescribeTimeToLive") return this.#describeTimeToLive(request);
    if (!isOperation(operation)) throw failure("UnknownOperationException", `Unknown operation ${operation}`);
    if (singleWrites.includes(operation)) return this.#writeOne(operation, request);
    return this.#read(operation, request);
  }

  async #read(operation: OperationName, request: Data): Promise<Answer> {
    const wantsCapacity = request.ReturnConsumedCapacity;
    const data = validated(operation, { ...request, ReturnConsumedCapacity: wantsCapacity ?? "TOTAL" }, this.#store);
    const { ConsumedCapacity, ...body } = await run(operation, this.#store, data);
    const units = [ConsumedCapacity ?? []].flat() as { CapacityUnits?: number }[];
    const readUnits = units.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
    return { body: wantsCapacity ? { ...body, ConsumedCapacity } : body, readUnits };
  }

  async #writeOne(operation: OperationName, request: Data): Promise<Answer> {
    const { ReturnValuesOnConditionCheckFailure: old, ReturnConsumedCapacity: wantsCapacity, ...raw } = request;
    const data = validated(operation, raw, this.#store);
    const tableName = String(data.TableName);
    const table = await this.#describe(tableName);
    const wanted = (data.Key ?? data.Item) as AttributeMap;
    const hasKey = table.KeySchema.every(({ AttributeName }) => wanted[AttributeName]);
    // Without a full key the action itself says what is wrong.
    const key = hasKey ? storageKey(wanted, table) : "";
    const occupied = `${tableName}|${key}`;
    if (this.#conflicts.disturbsWrite(occupied)) {
      throw failure("TransactionConflictException", "Transaction is ongoing for the item");
    }
    return this.#conflicts.during([occupied], false, () =>
      this.#exclusively(async () => {
        const held = pending(this.#store);
        try {
          const body = await run(operation, held.store, data);
          const units = await this.#commit(held.operations(), held.changes(), false);
          return { body: { ...body, ...capacityOf(wantsCapacity, units) }, writeUnits: sum(units) };
        } catch (error) {
          if (old === "ALL_OLD" && isConditionFailure(error)) throw await this.#withItem(error, tableName, key);
          throw error;
        }
      }),
    );
  }

  async #withItem(error: RequestFailed, table: string, key: string): Promise<RequestFailed> {
    const item = await readItem(this.#store, table, key);
    return item ? failure("ConditionalCheckFailedException", error.message, { Item: item }) : error;
  }

  async #transactWrite(request: Data): Promise<Answer> {
    const { clock } = this.#options;
    const token = request.ClientRequestToken as string | undefined;
    const fingerprint = request.TransactItems;
    if (this.#tokens.isRepeated(token, fingerprint, clock())) return { body: {} };
    const claimed = (await claimedKeys(request, this.#store)) ?? [];
    this.#assertUndisturbed(claimed);
    const members = await membersOf(request, this.#store);
    const keys = keysOf(members);
    this.#assertUndisturbed(keys);
    return this.#conflicts.during(keys, true, () =>
      this.#exclusively(async () => {
        const held = pending(this.#store);
        await evaluate(members, held, this.#store);
        const units = await this.#commit(held.operations(), held.changes(), true);
        for (const { kind, table } of members) {
          if (kind === "ConditionCheck") units.set(table, (units.get(table) ?? 0) + 2);
        }
        this.#tokens.remember(token, fingerprint, clock());
        const consumed = request.ReturnConsumedCapacity;
        return {
          body: consumed && consumed !== "NONE" ? { ConsumedCapacity: listOf(units) } : {},
          writeUnits: sum(units),
        };
      }),
    );
  }

  /** @throws RequestFailed TransactionCanceledException when another write occupies one of the items */
  #assertUndisturbed(keys: readonly string[]): void {
    const conflict = conflictReasons(keys, (key) => this.#conflicts.disturbsTransaction(key));
    if (conflict) throw conflict;
  }

  async #transactGet(request: Data): Promise<Answer> {
    const { keys, read } = await transactGet(request, this.#store);
    this.#assertUndisturbed(keys);
    const { responses, units } = await this.#exclusively(read);
    return { body: { Responses: responses }, readUnits: units };
  }

  /** Single writes one after the other, as BatchWriteItem promises no more than that. */
  async #batchWrite(request: Data): Promise<Answer> {
    const tables = Object.entries((request.RequestItems ?? {}) as Record<string, Data[]>);
    const count = tables.reduce((total, [, writes]) => total + writes.length, 0);
    if (count === 0 || count > 25) throw validationFailure("A batch must have between 1 and 25 writes");
    let units = 0;
    for (const [TableName, writes] of tables) {
      for (const { PutRequest, DeleteRequest } of writes as { PutRequest?: Data; DeleteRequest?: Data }[]) {
        const [operation, data] = PutRequest
          ? (["PutItem", PutRequest] as const)
          : (["DeleteItem", DeleteRequest] as const);
        units += (await this.#writeOne(operation, { TableName, ...data })).writeUnits ?? 0;
      }
    }
    return { body: { UnprocessedItems: {} }, writeUnits: units };
  }

  async #describeTimeToLive({ TableName }: Data): Promise<Answer> {
    await this.#describe(String(TableName));
    const specification = this.#definitions.get(String(TableName))?.TimeToLiveSpecification;
    const enabled = specification?.Enabled
      ? { TimeToLiveStatus: "ENABLED", AttributeName: specification.AttributeName }
      : { TimeToLiveStatus: "DISABLED" };
    return { body: { TimeToLiveDescription: enabled } };
  }

  /**
   * Deletes what has expired, as AWS does within days, and forgets stream records of more than a day ago.
   * @returns how many items were deleted
   */
  async sweepExpired(): Promise<number> {
    const now = this.#options.clock();
    let swept = 0;
    for (const { TableName, TimeToLiveSpecification: ttl } of this.#definitions.values()) {
      if (!ttl?.Enabled) continue;
      const prefix = `item-${TableName}~`;
      for await (const [key, item] of this.#store.db.iterator({ gte: prefix, lt: `${prefix}~` })) {
        if (!isExpired((item as AttributeMap)[ttl.AttributeName], now)) continue;
        swept += await this.#exclusively(() =>
          this.#expire(TableName, key.slice(prefix.length), ttl.AttributeName, now),
        );
      }
    }
    await this.stream.trim(now);
    return swept;
  }

  /** Deletes an item unless it was given more time since it was looked at. */
  async #expire(tableName: string, key: string, attribute: string, now: number): Promise<number> {
    const item = await readItem(this.#store, tableName, key);
    if (!item || !isExpired(item[attribute], now)) return 0;
    const table = await this.#describe(tableName);
    const Key = Object.fromEntries(table.KeySchema.map(({ AttributeName: name }) => [name, item[name]]));
    const held = pending(this.#store);
    await run("DeleteItem", held.store, validated("DeleteItem", { TableName: tableName, Key }, this.#store));
    await this.#commit(held.operations(), held.changes(), false, true);
    return 1;
  }

  /** Everything in one batch: items, index entries, stream records. */
  async #commit(
    operations: ReturnType<ReturnType<typeof pending>["operations"]>,
    changes: readonly ItemChange[],
    transactional: boolean,
    expired = false,
  ): Promise<Map<string, number>> {
    const { region, accountId, clock } = this.#options;
    const units = new Map<string, number>();
    const records: StreamRecord[] = [];
    for (const change of changes) {
      const table = await this.#describe(change.table);
      units.set(change.table, (units.get(change.table) ?? 0) + writeUnits(change, table, transactional));
      const viewType = this.#definitions.get(change.table)?.StreamSpecification?.StreamViewType;
      const record =
        viewType && this.stream.record(change, table, { region, accountId, viewType, expired, now: clock() });
      if (record) records.push(record);
    }
    await this.#store.db.batch([...operations, ...this.stream.operations(records)]);
    this.stream.announce(records);
    return units;
  }

  /** Runs one critical section at a time. */
  #exclusively<T>(section: () => Promise<T>): Promise<T> {
    const result = this.#commits.then(section, section);
    this.#commits = result.catch(() => undefined);
    return result;
  }

  async close(): Promise<void> {
    await this.#commits;
    await this.#store.db.close();
  }
}

const sum = (units: ReadonlyMap<string, number>): number => [...units.values()].reduce((a, b) => a + b, 0);

const listOf = (units: ReadonlyMap<string, number>) =>
  [...units].map(([TableName, CapacityUnits]) => ({ TableName, CapacityUnits }));

const capacityOf = (wanted: unknown, units: ReadonlyMap<string, number>) =>
  wanted && wanted !== "NONE" ? { ConsumedCapacity: listOf(units)[0] } : {};
