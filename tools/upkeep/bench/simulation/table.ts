/**
 * The table of a simulation: the engine of the local stage, with its conflicts and partition limits. Calls take virtual
 * time. It replaces the product's document client.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { ConditionalCheckFailedException, TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import { Engine } from "../../../laptop/dynamodb/engine.ts";
import { type PartitionLimits, RequestFailed, type TableDefinition } from "../../../laptop/dynamodb/index.ts";
import type { VirtualTime } from "./virtual-time.ts";

type Data = Record<string, unknown>;

/** How long calls take. */
export interface Latency {
  /** Average milliseconds of a call. A call takes 50 % to 150 % of it. */
  readonly call: number;
  /** Milliseconds for which a write occupies its items. */
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
  /** The caller. */
  readonly actor: string;
  readonly operation: string;
  /** The input of the document command. */
  readonly input: Data;
  readonly answer?: Data | undefined;
  /** The codes of the members that cancelled a transaction, or the name of the error. */
  readonly refusal?: readonly string[] | undefined;
  /** Virtual milliseconds at which the call was sent. */
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

/** Converts the input of a document command to the protocol. */
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

/** Converts an answer of the protocol to that of the document client. */
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

/** The error that the client throws for an error answer. */
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

/** Attempts of the product's client for a throttled call. */
const tries = 3;
/**
 * Maximum milliseconds before the second attempt of a throttled call, doubled each time:
 * `StandardRetryStrategy` of `@smithy/core`, which the client uses.
 */
const throttledPause = 1_000;

/** Milliseconds of `placeTimeoutMs` in `lambda/domain/capacity/line.ts`. */
const abortAfter = 2_000;

const actors = new AsyncLocalStorage<string>();

export class SimulatedTable {
  readonly #engine: Engine;
  readonly #options: SimulatedTableOptions;
  /** Called for each call when its answer is sent. */
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

  /** Runs work on behalf of this actor. */
  as<T>(actor: string, work: () => Promise<T>): Promise<T> {
    return actors.run(actor, work);
  }

  /** Executes a command before or after the rush, without latency and without counting. */
  readonly direct = async (command: { readonly input: object }): Promise<Data> => {
    const operation = operations[command.constructor.name] as string;
    const { time } = this.#options;
    const { body } = await time.during(() => this.#engine.execute(operation, asSent(command.input) as Data));
    return asReceived(body);
  };

  /** Replaces the document client's `send`. */
  readonly send = async (
    command: { readonly input: object },
    { abortSignal }: { readonly abortSignal?: unknown } = {},
  ): Promise<Data> => {
    if (!abortSignal) return this.#tries(command);
    // The signal uses real time. Every read with a signal has the same timeout.
    const late = this.#options.time.sleep(abortAfter).then(() => {
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
