/** Tables with their indexes, stream and expiry. Descriptions are kept in memory. */
import { act, descriptionKey, type Store, validated, within } from "./dynalite.ts";
import {
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

/** The settings of a table that dynalite does not keep: each start gives them anew. */
interface Settings {
  readonly StreamSpecification?: StreamSpecification;
  readonly TimeToLiveSpecification?: TimeToLive;
}

type Keys = Pick<TableDefinition, "KeySchema" | "GlobalSecondaryIndexes">;

/** The keys of a table, and those of its indexes with what they contain. */
const keysOf = ({ KeySchema, GlobalSecondaryIndexes = [] }: Keys) => ({
  KeySchema,
  indexes: Object.fromEntries(
    GlobalSecondaryIndexes.map(({ IndexName, KeySchema, Projection }: IndexDefinition) => [
      IndexName,
      { KeySchema, Projection },
    ]),
  ),
});

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

  /**
   * Creates a table that does not exist yet, or gives it the stream and expiry of its definition.
   * @throws Error the table has other keys or indexes
   */
  async ensure(definition: TableDefinition): Promise<void> {
    const existing = this.#described.get(definition.TableName);
    if (!existing) await this.#create(definition);
    else if (!sameValue(keysOf(existing), keysOf(definition))) {
      throw new Error(
        `Table ${existing.TableName} has other keys or indexes than its definition: npm start -- --reset`,
      );
    }
    const { StreamSpecification, TimeToLiveSpecification } = definition;
    this.#settings.set(definition.TableName, { StreamSpecification, TimeToLiveSpecification });
  }

  /** CreateTable. */
  async create(request: Record<string, unknown>): Promise<Record<string, unknown>> {
    const { StreamSpecification } = request as { StreamSpecification?: StreamSpecification };
    const name = await this.#create(request);
    this.#settings.set(name, StreamSpecification?.StreamViewType ? { StreamSpecification } : {});
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

  /** Undefined for a table without a stream. */
  streamViewType(name: string): string | undefined {
    return this.#settings.get(name)?.StreamSpecification?.StreamViewType;
  }

  timeToLive(name: string): TimeToLive | undefined {
    const specification = this.#settings.get(name)?.TimeToLiveSpecification;
    return specification?.Enabled ? specification : undefined;
  }

  /** Names of the tables whose items expire, with the attribute of the expiry time. */
  *expiring(): Iterable<readonly [string, string]> {
    for (const name of this.#described.keys()) {
      const specification = this.timeToLive(name);
      if (specification) yield [name, specification.AttributeName];
    }
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
