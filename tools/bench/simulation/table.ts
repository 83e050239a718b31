/**
 * The table of a simulation: the engine of the local stage, with its conflicts and partition limits, at calls that take
 * virtual time. It takes the place of the product's document client.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { ConditionalCheckFailedException, TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import { Engine } from "../../laptop/dynamodb/engine.ts";
import { type PartitionLimits, RequestFailed, type TableDefinition } from "../../laptop/dynamodb/index.ts";
import type { VirtualTime } from "./virtual-time.ts";

type Data = Record<string, unknown>;

/** How long calls take. */
export interface Latency {
  /** Milliseconds of a call on average. A call takes half of it to one and a half times as much. */
  readonly call: number;
  /** Milliseconds of a write's call in which it occupies its items. */
  readonly occupied: number;
}

export interface SimulatedTableOptions {
  readonly time: VirtualTime;
  /** Epoch milliseconds at the beginning. */
  readonly start: number;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly latency: Latency;
  readonly partitionLimits?: PartitionLimits | undefined;
}

/** A call that was answered. */
export interface SimulatedCall {
  /** The one who called. */
  readonly actor: string;
  readonly operation: string;
  /** What was sent, as the product writes it. */
  readonly input: Data;
  readonly answer?: Data | undefined;
  /** The codes of the members that cancelled a transaction, or the name of the error. */
  readonly refusal?: readonly string[] | undefined;
  /** Milliseconds of virtual time at which the call left. */
  readonly sent: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

const operations: Readonly<Record<string, string>> = {
  GetCommand: "GetItem",
  BatchGetCommand: "BatchGetItem",
  QueryCommand: "Query",
  UpdateCommand: "UpdateItem",
  TransactWriteCommand: "TransactWriteItems",
};

const documents = new Set(["Key", "Item", "ExpressionAttributeValues", "ExclusiveStartKey"]);

/** The input of a document command in the form of the protocol. */
function asSent(input: unknown): unknown {
  if (Array.isArray(input)) return input.map(asSent);
  if (typeof input !== "object" || input === null) return input;
  const fields = Object.entries(input).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    fields.map(([name, value]) => {
      if (documents.has(name)) return [name, marshall(value, { removeUndefinedValues: true })];
      if (name === "Keys") return [name, (value as Data[]).map((key) => marshall(key))];
      return [name, asSent(value)];
    }),
  );
}

type Marshalled = Parameters<typeof unmarshall>[0];
const items = (list: unknown) => (list as Marshalled[]).map((item) => unmarshall(item));

/** An answer of the protocol, as the document client gives it. */
function asReceived({ Item, Items, Attributes, LastEvaluatedKey, Responses, UnprocessedKeys, ...rest }: Data): Data {
  return {
    ...rest,
    ...(UnprocessedKeys !== undefined && {
      UnprocessedKeys: Object.fromEntries(
        Object.entries(UnprocessedKeys as Record<string, Data>).map(([name, { Keys, ...how }]) => [
          name,
          { ...how, Keys: items(Keys) },
        ]),
      ),
    }),
    ...(Item !== undefined && { Item: unmarshall(Item as Marshalled) }),
    ...(Items !== undefined && { Items: items(Items) }),
    ...(Attributes !== undefined && { Attributes: unmarshall(Attributes as Marshalled) }),
    ...(LastEvaluatedKey !== undefined && { LastEvaluatedKey: unmarshall(LastEvaluatedKey as Marshalled) }),
    ...(Responses !== undefined && {
      Responses: Object.fromEntries(Object.entries(Responses as Data).map(([name, found]) => [name, items(found)])),
    }),
  };
}

const nameOf = ({ body }: RequestFailed): string => String(body.__type).split("#").at(-1) as string;

/** The error that the client throws for a refusal. */
function thrown(failed: RequestFailed): Error {
  const name = nameOf(failed);
  const { message } = failed;
  const shared = { message, $metadata: { httpStatusCode: failed.statusCode, attempts: 1 } };
  if (name === "TransactionCanceledException") {
    const { CancellationReasons } = failed.body as { CancellationReasons: [] };
    return new TransactionCanceledException({ ...shared, CancellationReasons });
  }
  if (name === "ConditionalCheckFailedException") return new ConditionalCheckFailedException(shared);
  return Object.assign(failed, { name, $metadata: shared.$metadata });
}

const refusalOf = (failed: RequestFailed): readonly string[] => {
  const { CancellationReasons: reasons } = failed.body as { CancellationReasons?: readonly { Code: string }[] };
  return reasons ? [...new Set(reasons.map(({ Code }) => Code))].filter((code) => code !== "None") : [nameOf(failed)];
};

/** The tries of the product's client for a call that is throttled. */
const tries = 3;
/**
 * Milliseconds that the client waits at most before the next try of a throttled call; they double with each.
 * `StandardRetryStrategy` of `@smithy/core`, which the client uses.
 */
const throttledPause = 1_000;

/** Milliseconds of `patienceForPlace` in `lambda/domain/capacity/line.ts`. */
const patienceOfSignals = 2_000;

const actors = new AsyncLocalStorage<string>();

export class SimulatedTable {
  readonly #engine: Engine;
  readonly #options: SimulatedTableOptions;
  /** Sees each call when its answer leaves the table. */
  onCall: (call: SimulatedCall) => void = () => undefined;

  private constructor(engine: Engine, options: SimulatedTableOptions) {
    this.#engine = engine;
    this.#options = options;
  }

  static async open(definition: TableDefinition, options: SimulatedTableOptions): Promise<SimulatedTable> {
    const { time, start, latency, partitionLimits } = options;
    const engine = await Engine.open({
      region: "us-west-2",
      accountId: "000000000000",
      conflictMilliseconds: latency.occupied,
      clock: () => start + time.now,
      wait: time.asleep,
      partitionLimits,
    });
    await engine.ensureTable(definition);
    return new SimulatedTable(engine, options);
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  /** Runs work whose calls are this actor's. */
  as<T>(actor: string, work: () => Promise<T>): Promise<T> {
    return actors.run(actor, work);
  }

  /** Carries out a command before or after the rush. No message of it travels, and it counts as no call. */
  readonly direct = async (command: { readonly input: object }): Promise<Data> => {
    const operation = operations[command.constructor.name] as string;
    const { time } = this.#options;
    const { body } = await time.during(() => this.#engine.execute(operation, asSent(command.input) as Data));
    return asReceived(body);
  };

  /** Takes the place of the document client's `send`. */
  readonly send = async (
    command: { readonly input: object },
    { abortSignal }: { readonly abortSignal?: unknown } = {},
  ): Promise<Data> => {
    if (!abortSignal) return this.#tries(command);
    // The signal is of real time. Every read with a signal has the same patience.
    const late = this.#options.time.sleep(patienceOfSignals).then(() => {
      throw Object.assign(new Error("aborted"), { name: "AbortError" });
    });
    return Promise.race([this.#tries(command), late]);
  };

  async #tries(command: { readonly input: object }): Promise<Data> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await this.#try(command);
      } catch (error) {
        if (tried === tries || (error as Error).name !== "ThrottlingException") throw error;
        const { time, random } = this.#options;
        await time.sleep(random() * throttledPause * 2 ** (tried - 1));
      }
    }
  }

  async #try(command: { readonly input: object }): Promise<Data> {
    const { time, random, latency } = this.#options;
    const operation = operations[command.constructor.name];
    if (operation === undefined) throw new Error(`The simulation does not know ${command.constructor.name}.`);
    const input = command.input as Data;
    const isWrite = operation === "UpdateItem" || operation === "TransactWriteItems";
    const ways = latency.call - (isWrite ? latency.occupied : 0);
    const way = () => time.sleep((ways / 2) * (0.5 + random()));
    const call = { actor: actors.getStore() ?? "", operation, input, sent: time.now, readUnits: 0, writeUnits: 0 };
    await way();
    try {
      const { body, ...units } = await time.during(() => this.#engine.execute(operation, asSent(input) as Data));
      const answer = asReceived(body);
      this.onCall({ ...call, ...units, answer });
      await way();
      return answer;
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      this.onCall({ ...call, refusal: refusalOf(error) });
      await way();
      throw thrown(error);
    }
  }
}
