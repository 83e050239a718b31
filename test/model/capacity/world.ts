/**
 * The world in which the capacity protocol is tested: the product's own code, with every call to the table released one
 * at a time by fast-check's scheduler, against the local engine in memory. Calls can be lost after they were carried
 * out, people can vanish between two calls, and eventually consistent reads can be old.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { jest } from "@jest/globals";
import type fc from "fast-check";
import { Engine } from "../../../lib/local/dynamodb/engine.ts";
import { RequestFailed } from "../../../lib/local/dynamodb/protocol.ts";
import type { StreamRecord } from "../../../lib/local/dynamodb/stream-log.ts";

Object.assign(process.env, {
  TABLE_NAME: "Model",
  ADMIN_EMAIL_DOMAIN: "club.example",
  TIME_ZONE: "America/Vancouver",
  AWS_REGION: "us-west-2",
  AWS_ACCESS_KEY_ID: "LOCALModel",
  AWS_SECRET_ACCESS_KEY: "local",
  POWERTOOLS_LOG_LEVEL: "SILENT",
});

type Json = Record<string, unknown>;
type Item = Record<string, Record<string, unknown>>;

/** A request to the table, on its way. */
export interface TableRequest {
  readonly operation: string;
  readonly body: Json;
  /** Who sends it. */
  readonly actor: string;
}

/** What a run may do to calls, and what it must not do to the product. */
export interface Interference {
  /** Changes a request before it is carried out: a mutant of the protocol. */
  readonly mutate?: (request: TableRequest) => void;
  /** Changes an answer: a mutant that sees something else than there is. */
  readonly disguise?: (request: TableRequest, answer: Json) => void;
  /** What happens to this call. */
  readonly fate: (request: TableRequest) => "fine" | "conflict" | "lost" | "vanish";
  /** Which of an item's former values an eventually consistent read shows: 0 is the current one. */
  readonly age: () => number;
}

const actors = new AsyncLocalStorage<string>();
let scheduler: fc.Scheduler | undefined;
let interference: Interference = { fate: () => "fine", age: () => 0 };
let underWay = 0;
let engine: Engine | undefined;

const immediate = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Resolves when everybody has reached their next call. */
export async function quiet(): Promise<void> {
  for (let calm = 0; calm < 4; ) {
    await immediate();
    calm = underWay > 0 ? 0 : calm + 1;
  }
}

// The pause between two tries takes no time, but is a point where others come first.
jest.unstable_mockModule("node:timers/promises", () => ({
  setTimeout: () => scheduler?.schedule(Promise.resolve(), "pause") ?? Promise.resolve(),
}));

const keySchema = (hash: string, range: string) => [
  { AttributeName: hash, KeyType: "HASH" as const },
  { AttributeName: range, KeyType: "RANGE" as const },
];

const definition = {
  TableName: "Model",
  AttributeDefinitions: ["PK", "SK", "GSI1PK", "GSI1SK"].map((AttributeName) => ({
    AttributeName,
    AttributeType: "S",
  })),
  KeySchema: keySchema("PK", "SK"),
  GlobalSecondaryIndexes: [
    { IndexName: "GSI1", KeySchema: keySchema("GSI1PK", "GSI1SK"), Projection: { ProjectionType: "ALL" } },
  ],
  StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
};

/** Every value that an item has had, oldest first. */
const history = new Map<string, (Item | undefined)[]>();
const keyOf = (item: Item): string => `${item.PK?.S}|${item.SK?.S}`;

function remember(records: readonly StreamRecord[]): void {
  for (const { dynamodb } of records) {
    const key = keyOf(dynamodb.Keys as Item);
    const values = history.get(key) ?? [undefined];
    values.push(dynamodb.NewImage as Item | undefined);
    history.set(key, values);
  }
}

/** The item as it may still look to a reader who is behind. */
function older(key: Item): Item | undefined {
  const values = history.get(keyOf(key)) ?? [undefined];
  return values[Math.max(0, values.length - 1 - interference.age())];
}

/** Plain items are read from the history, so that they may be old. */
async function execute(request: TableRequest): Promise<Json> {
  const { operation, body } = request;
  if (operation === "GetItem" && !body.ConsistentRead) {
    const item = older(body.Key as Item);
    return item ? { Item: structuredClone(item) } : {};
  }
  if (operation === "BatchGetItem") {
    const tables = body.RequestItems as Record<string, { Keys: Item[]; ConsistentRead?: boolean }>;
    const Responses = Object.entries(tables).map(([table, { Keys }]) => [
      table,
      Keys.flatMap((key) => structuredClone(older(key)) ?? []),
    ]);
    const isEventual = Object.values(tables).every(({ ConsistentRead }) => !ConsistentRead);
    if (isEventual) return { Responses: Object.fromEntries(Responses), UnprocessedKeys: {} };
  }
  return (await (engine as Engine).execute(operation, body)).body;
}

const encode = (body: Json): Uint8Array => new Uint8Array(Buffer.from(JSON.stringify(body)));
const reply = (statusCode: number, body: Json) => ({
  response: { statusCode, headers: { "content-type": "application/x-amz-json-1.0" }, body: encode(body) },
});

function conflictFor({ operation, body }: TableRequest) {
  const type = "com.amazonaws.dynamodb.v20120810#";
  if (operation !== "TransactWriteItems")
    return reply(400, { __type: `${type}TransactionConflictException`, message: "" });
  const CancellationReasons = (body.TransactItems as unknown[]).map(() => ({ Code: "TransactionConflict" }));
  return reply(400, { __type: `${type}TransactionCanceledException`, Message: "conflict", CancellationReasons });
}

const isWrite = (operation: string): boolean => operation === "TransactWriteItems" || operation === "UpdateItem";
const forever = new Promise<never>(() => undefined);

/** Stands in the place of the SDK's HTTP client. */
async function handle(http: { headers: Record<string, string>; body: string | Uint8Array }) {
  const actor = actors.getStore() ?? "nobody";
  const operation = http.headers["x-amz-target"]?.split(".")[1] ?? "";
  const text = typeof http.body === "string" ? http.body : new TextDecoder().decode(http.body);
  const request = { operation, body: JSON.parse(text) as Json, actor };
  interference.mutate?.(request);
  await scheduler?.schedule(Promise.resolve(), `${actor}: ${operation}`);
  const fate = interference.fate(request);
  if (fate === "vanish") return forever;
  if (fate === "conflict" && isWrite(operation)) return conflictFor(request);
  underWay += 1;
  try {
    onCall?.(request);
    const answer = await actors.run(actor, () => execute(request));
    interference.disguise?.(request, answer);
    if (fate === "lost" && isWrite(operation)) throw Object.assign(new Error("no answer"), { code: "ELOST" });
    return reply(200, answer);
  } catch (error) {
    if (error instanceof RequestFailed) {
      interference.disguise?.(request, error.body);
      return reply(error.statusCode, error.body);
    }
    throw error;
  } finally {
    underWay -= 1;
  }
}

let onCall: ((request: TableRequest) => void) | undefined;

/** Opens the engine once and puts it behind the product's client. */
export async function openWorld(): Promise<void> {
  const options = { conflictMilliseconds: 0, region: "us-west-2", accountId: "000000000000", clock: Date.now };
  engine = await Engine.open(options);
  await engine.ensureTable(definition);
  const { client } = await import("../../../lambda/kit/table.ts");
  Object.assign(client.config, { requestHandler: { handle, metadata: { handlerProtocol: "http/1.1" } } });
}

export const closeWorld = async (): Promise<void> => engine?.close();

/** Hears of every commit as it is made, with who made it, and of every call. */
export interface Witness {
  commit(records: readonly StreamRecord[], actor: string): void;
  call(request: TableRequest): void;
}

function watch(witness: Witness, actorOf: () => string): () => void {
  return (engine as Engine).stream.onAppend((records) => {
    remember(records);
    witness.commit(records, actorOf());
  });
}

/** Runs people against each other until all have finished or vanished. */
export async function play(
  people: Readonly<Record<string, () => Promise<void>>>,
  { order, witness, ...rest }: Interference & { order: fc.Scheduler; witness: Witness },
): Promise<void> {
  const gone = new Map<string, () => void>();
  interference = {
    ...rest,
    fate: (request) => {
      const fate = rest.fate(request);
      if (fate === "vanish") gone.get(request.actor)?.();
      return fate;
    },
  };
  scheduler = order;
  onCall = (request) => witness.call(request);
  const stop = watch(witness, () => actors.getStore() ?? "nobody");
  try {
    const all = Object.entries(people).map(([name, act]) => {
      const vanished = new Promise<void>((resolve) => gone.set(name, resolve));
      return Promise.race([actors.run(name, act), vanished]);
    });
    await order.waitFor(Promise.all(all));
  } finally {
    stop();
    scheduler = undefined;
    onCall = undefined;
    interference = { fate: () => "fine", age: () => 0 };
  }
}

/** Runs something without interference: preparations, and the repair that a consumer makes after a crash. */
export async function calmly<T>(witness: Witness, act: () => Promise<T>): Promise<T> {
  const stop = watch(witness, () => "repair");
  try {
    return await act();
  } finally {
    stop();
  }
}

export const forgetHistory = (): void => history.clear();
