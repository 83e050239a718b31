/**
 * The table engine: DynamoDB's operations with their conflicts. A write and its stream record are committed together.
 */
import { Commits } from "./commits.ts";
import { Conflicts } from "./conflicts.ts";
import { type OperationName, openStore, type Place, validated } from "./dynalite.ts";
import { writeItem } from "./item-write.ts";
import { RequestFailed, type TableDefinition } from "./protocol.ts";
import { read } from "./reads.ts";
import type { Services } from "./services.ts";
import { StreamLog } from "./stream-log.ts";
import { Tables, tableName } from "./tables.ts";
import { Throughput } from "./throughput.ts";
import { sweep } from "./time-to-live.ts";
import { Transactions } from "./transactions.ts";
import type { PendingStore } from "./views.ts";
import { Writes } from "./writes.ts";

type Data = Record<string, unknown>;

export interface EngineOptions extends Place {
  /** Minimum milliseconds for which a write occupies its items; 0: nothing conflicts. */
  readonly conflictMilliseconds: number;
  readonly clock: () => number;
  /** Lets the milliseconds of a conflict pass. Absent: real ones. */
  readonly wait?: ((milliseconds: number) => Promise<unknown>) | undefined;
  /** Write units per second of each partition key. Absent: no limit. */
  readonly partitionLimit?: number | undefined;
}

/** An answer of the JSON protocol, and the units that AWS would bill for it. */
export interface Executed {
  readonly body: Data;
  readonly readUnits: number;
  readonly writeUnits: number;
}

type Operation = (request: Data) => Promise<Omit<Executed, "readUnits" | "writeUnits"> & Partial<Executed>>;

/** The engine without HTTP. It must be closed. */
export class Engine {
  readonly stream: StreamLog;
  readonly #services: Services;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #underWay = new Set<Promise<unknown>>();

  private constructor(services: Services, stream: StreamLog) {
    this.#services = services;
    this.stream = stream;
    this.#operations = operationsOf(services);
  }

  /** Opens the data of a directory, or an empty engine in memory. */
  static async open(options: EngineOptions): Promise<Engine> {
    const { clock, conflictMilliseconds, partitionLimit, wait } = options;
    const store = await openStore(options);
    const tables = await Tables.open(store);
    const stream = await StreamLog.open(store);
    const commits = new Commits(store, tables, stream, options);
    const conflicts = new Conflicts(conflictMilliseconds, wait);
    const throughput = new Throughput(partitionLimit, clock);
    return new Engine({ store, tables, commits, conflicts, throughput, clock }, stream);
  }

  /** Creates a table that does not exist yet, or gives it the indexes, stream and expiry of its definition. */
  ensureTable(definition: TableDefinition): Promise<void> {
    return this.#services.tables.ensure(definition);
  }

  /** Puts items in one commit that the stream does not tell of. @throws RequestFailed as PutItem */
  async load(TableName: string, items: readonly object[]): Promise<void> {
    const { store, commits } = this.#services;
    const write = async (held: PendingStore): Promise<void> => {
      for (const Item of items) {
        const data = validated("PutItem", { TableName, Item }, store);
        await writeItem({ operation: "PutItem", data }, held);
      }
    };
    await this.#tracked(commits.commit(write, { silent: true }));
  }

  /**
   * Executes one request of the JSON protocol.
   * @throws RequestFailed as DynamoDB would answer
   */
  async execute(operation: string, request: Data): Promise<Executed> {
    const run = this.#operations.get(operation);
    if (!run) {
      throw new RequestFailed(400, {
        __type: "com.amazon.coral.service#UnknownOperationException",
        message: `Unknown operation ${operation}`,
      });
    }
    return { readUnits: 0, writeUnits: 0, ...(await this.#tracked(run(request))) };
  }

  /** Notes work under way, so that closing waits for it. */
  async #tracked<T>(running: Promise<T>): Promise<T> {
    this.#underWay.add(running);
    try {
      return await running;
    } finally {
      this.#underWay.delete(running);
    }
  }

  /**
   * Deletes expired items, and stream records that are older than a day.
   * @returns the number of deleted items
   */
  async sweepExpired(): Promise<number> {
    const swept = await this.#tracked(sweep(this.#services));
    await this.#tracked(this.stream.trimOld(this.#services.clock()));
    return swept;
  }

  /** Waits for the work under way. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#underWay);
    await this.#services.commits.settled();
    await this.#services.store.db.close();
  }
}

const reads: readonly OperationName[] = ["GetItem", "BatchGetItem", "Query", "Scan"];

function operationsOf(services: Services): Map<string, Operation> {
  const { tables } = services;
  const writes = new Writes(services);
  const transactions = new Transactions(services);
  const billed =
    (operation: (request: Data) => ReturnType<typeof read>): Operation =>
    async (request) => {
      const { body, consumption } = await operation(request);
      return {
        body,
        readUnits: consumption.kind === "Read" ? consumption.total : 0,
        writeUnits: consumption.kind === "Write" ? consumption.total : 0,
      };
    };
  return new Map<string, Operation>([
    ...reads.map((name) => [name, billed((request) => read(name, request, services.store))] as const),
    ...(["PutItem", "UpdateItem", "DeleteItem"] as const).map(
      (name) => [name, billed((request) => writes.one(name, request))] as const,
    ),
    ["TransactWriteItems", billed((request) => transactions.write(request))],
    ["TransactGetItems", billed((request) => transactions.get(request))],
    ["CreateTable", async (request) => ({ body: await tables.create(request) })],
    ["DescribeTable", async ({ TableName }) => ({ body: { Table: tables.description(tableName(TableName)) } })],
  ]);
}
