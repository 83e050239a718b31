/** Tables with their indexes, stream and expiry. Descriptions are kept in memory. */
import {
  act,
  type BatchOperation,
  descriptionKey,
  indexEntries,
  indexPrefix,
  itemPrefix,
  type Store,
  validated,
  within,
} from "./dynalite.ts";
import {
  type AttributeMap,
  failure,
  type IndexDefinition,
  type StreamSpecification,
  sameValue,
  type TableDefinition,
  type TableDescription,
  type TimeToLive,
  unreadable,
  validationFailure,
} from "./protocol.ts";

/** The settings of a table that dynalite does not keep. */
interface Settings {
  readonly StreamSpecification?: StreamSpecification;
  readonly TimeToLiveSpecification?: TimeToLive;
}

const settingsPrefix = "settings~";
const batchSize = 500;

const schemaOf = ({ IndexName, KeySchema, Projection }: IndexDefinition) => ({ IndexName, KeySchema, Projection });
const sameIndex = (a: IndexDefinition, b: IndexDefinition): boolean => sameValue(schemaOf(a), schemaOf(b));

export class Tables {
  readonly #store: Store;
  readonly #described = new Map<string, TableDescription>();
  readonly #settings = new Map<string, Settings>();

  private constructor(store: Store) {
    this.#store = store;
    store.getTable = (name, checkStatus, callback) => {
      const done = typeof checkStatus === "function" ? checkStatus : callback;
      const table = this.#described.get(name);
      if (table) done?.(null, table);
      else done?.(notFound());
    };
  }

  /** Reads the tables of the store. */
  static async open(store: Store): Promise<Tables> {
    const tables = new Tables(store);
    for await (const [, table] of store.db.iterator(within(descriptionKey("")))) {
      tables.#remember(table as TableDescription);
    }
    for await (const [key, settings] of store.db.iterator(within(settingsPrefix))) {
      tables.#settings.set(key.slice(settingsPrefix.length), settings as Settings);
    }
    return tables;
  }

  /** A table that was being created when the process ended is complete: creation has no further steps. */
  #remember(table: TableDescription): TableDescription {
    const active: TableDescription = {
      ...table,
      TableStatus: "ACTIVE",
      ...(table.GlobalSecondaryIndexes && {
        GlobalSecondaryIndexes: table.GlobalSecondaryIndexes.map((index) => ({ ...index, IndexStatus: "ACTIVE" })),
      }),
    };
    this.#described.set(table.TableName, active);
    return active;
  }

  /** @throws RequestFailed ResourceNotFoundException */
  get(name: string): TableDescription {
    const table = this.#described.get(name);
    if (!table) throw notFound();
    return table;
  }

  /** Creates a table that does not exist yet, or gives it the indexes, stream and expiry of its definition. */
  async ensure(definition: TableDefinition): Promise<void> {
    const existing = this.#described.get(definition.TableName);
    if (existing) await this.#reindex(existing, definition);
    else await this.#create(definition);
    const { StreamSpecification, TimeToLiveSpecification } = definition;
    await this.#set(definition.TableName, { StreamSpecification, TimeToLiveSpecification });
  }

  /** CreateTable. */
  async create(request: Record<string, unknown>): Promise<Record<string, unknown>> {
    const { StreamSpecification } = request as { StreamSpecification?: StreamSpecification };
    const name = await this.#create(request);
    await this.#set(name, StreamSpecification?.StreamViewType ? { StreamSpecification } : {});
    return { TableDescription: this.description(name) };
  }

  async #create(request: object): Promise<string> {
    const data = validated("CreateTable", { BillingMode: "PAY_PER_REQUEST", ...request }, this.#store);
    if (this.#described.has(data.TableName)) {
      throw failure("ResourceInUseException", `Table already exists: ${data.TableName}`);
    }
    await act("CreateTable", this.#store, data);
    this.#remember(data as unknown as TableDescription);
    return data.TableName;
  }

  /** DescribeTable. */
  description(name: string): Record<string, unknown> {
    const { StreamSpecification } = this.#settings.get(name) ?? {};
    return {
      ...this.get(name),
      ...(StreamSpecification && { StreamSpecification: { StreamEnabled: true, ...StreamSpecification } }),
    };
  }

  async #set(name: string, settings: Settings): Promise<void> {
    await this.#store.db.batch([{ type: "put", key: settingsPrefix + name, value: settings }]);
    this.#settings.set(name, settings);
  }

  /** Undefined for a table without a stream. */
  streamViewType(name: string): string | undefined {
    return this.#settings.get(name)?.StreamSpecification?.StreamViewType;
  }

  timeToLive(name: string): TimeToLive | undefined {
    const specification = this.#settings.get(name)?.TimeToLiveSpecification;
    return specification?.Enabled ? specification : undefined;
  }

  /** UpdateTimeToLive. */
  async updateTimeToLive(request: Record<string, unknown>): Promise<Record<string, unknown>> {
    const { TableName, TimeToLiveSpecification: wanted } = request as {
      TableName?: unknown;
      TimeToLiveSpecification?: Partial<TimeToLive>;
    };
    const { TableName: name } = this.get(tableName(TableName));
    if (typeof wanted?.AttributeName !== "string" || typeof wanted.Enabled !== "boolean") {
      throw validationFailure("TimeToLiveSpecification must name an attribute and say whether it is enabled");
    }
    const TimeToLiveSpecification = { AttributeName: wanted.AttributeName, Enabled: wanted.Enabled };
    if ((this.timeToLive(name) !== undefined) === wanted.Enabled) {
      throw validationFailure(`TimeToLive is already ${wanted.Enabled ? "enabled" : "disabled"}`);
    }
    await this.#set(name, { ...this.#settings.get(name), TimeToLiveSpecification });
    return { TimeToLiveSpecification };
  }

  /** DescribeTimeToLive. */
  describeTimeToLive({ TableName }: Record<string, unknown>): Record<string, unknown> {
    const { TableName: name } = this.get(tableName(TableName));
    const specification = this.timeToLive(name);
    return {
      TimeToLiveDescription: specification
        ? { TimeToLiveStatus: "ENABLED", AttributeName: specification.AttributeName }
        : { TimeToLiveStatus: "DISABLED" },
    };
  }

  /** Names of the tables whose items expire, with the attribute of the expiry time. */
  *expiring(): Iterable<readonly [string, string]> {
    for (const name of this.#described.keys()) {
      const specification = this.timeToLive(name);
      if (specification) yield [name, specification.AttributeName];
    }
  }

  /** The template changed while there are data: indexes are dropped and filled as in AWS, but at once. */
  async #reindex(existing: TableDescription, definition: TableDefinition): Promise<void> {
    if (!sameValue(existing.KeySchema, definition.KeySchema)) {
      throw new Error(`Table ${existing.TableName} has other keys than its definition. Delete its data to go on.`);
    }
    const before = existing.GlobalSecondaryIndexes ?? [];
    const after = definition.GlobalSecondaryIndexes ?? [];
    const dropped = before.filter((index) => !after.some((other) => sameIndex(index, other)));
    const added = after.filter((index) => !before.some((other) => sameIndex(index, other)));
    if (dropped.length === 0 && added.length === 0) return;
    const { TableName } = existing;
    for (const { IndexName } of [...dropped, ...added]) {
      await this.#store.db.clear(within(indexPrefix("global", TableName, IndexName)));
    }
    const { GlobalSecondaryIndexes: _old, ...rest } = existing;
    const table = this.#remember({
      ...rest,
      AttributeDefinitions: definition.AttributeDefinitions,
      ...(after.length > 0 && { GlobalSecondaryIndexes: after.map(schemaOf) }),
    });
    await this.#fill(added, table);
    await this.#store.db.batch([{ type: "put", key: descriptionKey(TableName), value: table }]);
  }

  async #fill(indexes: readonly IndexDefinition[], table: TableDescription): Promise<void> {
    const types = new Map(table.AttributeDefinitions.map((one) => [one.AttributeName, one.AttributeType]));
    let operations: BatchOperation[] = [];
    for await (const [, stored] of this.#store.db.iterator(within(itemPrefix(table.TableName)))) {
      const item = stored as AttributeMap;
      // An item whose attribute has another type than the index's key stays out of the index.
      const fitting = indexes.filter(({ KeySchema }) =>
        KeySchema.every(({ AttributeName: name }) => item[name]?.[types.get(name) as string] !== undefined),
      );
      operations.push(...indexEntries(item, fitting, table));
      if (operations.length < batchSize) continue;
      await this.#store.db.batch(operations);
      operations = [];
    }
    await this.#store.db.batch(operations);
  }
}

/** @throws RequestFailed SerializationException ValidationException when the request names no table */
export function tableName(given: unknown): string {
  if (typeof given === "string") return given;
  if (given === undefined || given === null) {
    throw validationFailure("The parameter 'TableName' is required but was not present in the request");
  }
  throw unreadable("The name of a table must be text");
}

const notFound = () => failure("ResourceNotFoundException", "Requested resource not found");
