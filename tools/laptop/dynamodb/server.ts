/** DynamoDB's HTTP protocol, in front of the engine. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { type Authorize, accessKeyIdOf } from "../service-kit/authorize.ts";
import { callerHasLeft, closeServer, listen, readBody, readJsonObject } from "../service-kit/http-server.ts";
import { accessesOf } from "./access.ts";
import type { AnsweredCall, Call } from "./call.ts";
import { Engine } from "./engine.ts";
import { LaggingIndexes } from "./lagging-indexes.ts";
import { RequestFailed, type TableDefinition, unreadable } from "./protocol.ts";
import type { StreamLog } from "./stream-log.ts";

/** The running table engine of a local stage. */
export interface TableEngine {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Creates a table that does not exist yet. */
  ensureTable(definition: TableDefinition): Promise<void>;
  /** Puts items, with the types of their attributes, that no stream tells of. @throws RequestFailed */
  load(table: string, items: readonly object[]): Promise<void>;
  /** The committed writes, in commit order. */
  readonly stream: StreamLog;
  /** Deletes expired items; the engine also does so once a minute. */
  sweepExpired(): Promise<number>;
  close(): Promise<void>;
}

export interface TableEngineOptions {
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** Absent: in memory. */
  readonly directory?: string;
  /** Minimum milliseconds for which a write occupies its items; 0: nothing conflicts. */
  readonly conflictMilliseconds?: number;
  /** Milliseconds after which a write appears in the indexes. Absent or 0: at once. */
  readonly indexLag?: number | undefined;
  /** Milliseconds that each call takes besides its work, half on the way there and half on the way back. Absent: none. */
  readonly callLatency?: number | undefined;
  /** Write units per second of each partition key. Absent: no limit. */
  readonly partitionLimit?: number | undefined;
  readonly region?: string;
  readonly accountId?: string;
  readonly clock?: () => number;
  /** Authorizes every request before it is executed. Absent: every caller may do everything. */
  readonly authorize?: Authorize;
  /** Called for every answered request. */
  readonly onCall?: (call: AnsweredCall) => void;
}

/** Region and account of the engine, with defaults. */
const whereIs = ({ region = "us-west-2", accountId = "000000000000" }: TableEngineOptions) => ({ region, accountId });

const maxBytes = 16 * 1024 * 1024;
const sweepMilliseconds = 60_000;
const coral = "com.amazon.coral.service";

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const body = await readBody(request, maxBytes);
  if (!body) {
    throw new RequestFailed(413, {
      __type: `${coral}#RequestEntityTooLargeException`,
      message: "Request is too large",
    });
  }
  const fields = readJsonObject(body.toString("utf8"));
  if (!fields) throw unreadable("The request is not a JSON object");
  return fields;
}

function send(response: ServerResponse, status: number, body: Record<string, unknown>): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/x-amz-json-1.0",
    "x-amzn-requestid": randomUUID(),
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

const operationOf = ({ headers }: IncomingMessage): string => String(headers["x-amz-target"] ?? "").split(".")[1] ?? "";

/** Names of the tables of a request, as far as they can be read. */
function tablesOf({ TableName, RequestItems, TransactItems }: Record<string, unknown>): string[] {
  if (TableName !== undefined) return textsOf([TableName]);
  if (typeof RequestItems === "object" && RequestItems !== null) return Object.keys(RequestItems);
  if (!Array.isArray(TransactItems)) return [];
  const members = TransactItems.flatMap((item) => Object.values((item ?? {}) as object));
  return textsOf(members.map((member) => (member as { TableName?: unknown } | null)?.TableName));
}

/** Drops names that are not strings: the engine refuses them, and some JSON objects cannot be converted. */
const textsOf = (names: readonly unknown[]): string[] => [...new Set(names)].filter((name) => typeof name === "string");

/** @throws RequestFailed AccessDeniedException */
function checkAccess(call: Call, { authorize, ...options }: TableEngineOptions): void {
  if (!authorize) return;
  const { region, accountId } = whereIs(options);
  for (const { action, resource } of accessesOf(call)) {
    const refusal = authorize(call.accessKeyId, action, `arn:aws:dynamodb:${region}:${accountId}:${resource}`);
    if (refusal) throw new RequestFailed(400, { __type: `${coral}#AccessDeniedException`, Message: refusal });
  }
}

/** `TransactionCanceledException [None, ThrottlingError]` */
function refusalOf({ body: { __type, CancellationReasons: reasons } }: RequestFailed): string {
  const name = String(__type).split("#").at(-1) as string;
  return Array.isArray(reasons) ? `${name} [${reasons.map(({ Code }) => Code).join(", ")}]` : name;
}

async function carryOut(
  engine: Engine,
  request: IncomingMessage,
  options: TableEngineOptions,
  lagging: LaggingIndexes | undefined,
): Promise<Record<string, unknown>> {
  const data = await readJson(request);
  const operation = operationOf(request);
  const accessKeyId = accessKeyIdOf(request.headers.authorization);
  const call: Call = { accessKeyId, operation, tables: tablesOf(data), request: data };
  let answered: Omit<AnsweredCall, keyof Call> = { readUnits: 0, writeUnits: 0 };
  try {
    checkAccess(call, options);
    const isOfIndex = operation === "Query" && data.IndexName !== undefined;
    const executed = isOfIndex && lagging ? lagging.query(data) : engine.execute(operation, data);
    const { body, ...billed } = await executed;
    answered = billed;
    return body;
  } catch (error) {
    if (error instanceof RequestFailed) answered = { ...answered, refusal: refusalOf(error) };
    throw error;
  } finally {
    options.onCall?.({ ...call, ...answered });
  }
}

async function answer(
  engine: Engine,
  request: IncomingMessage,
  response: ServerResponse,
  options: TableEngineOptions,
  lagging: LaggingIndexes | undefined,
): Promise<void> {
  const { callLatency = 0 } = options;
  // A closed engine does not wait for calls in transit.
  const way = async () => void (callLatency > 0 && (await pause(callLatency / 2, undefined, { ref: false })));
  try {
    await way();
    // A call whose caller disconnected in transit never arrives.
    if (response.destroyed) return;
    const body = await carryOut(engine, request, options, lagging).finally(way);
    send(response, 200, body);
  } catch (error) {
    if (error instanceof RequestFailed) return send(response, error.statusCode, error.body);
    if (callerHasLeft(request)) return;
    console.error("table engine:", error);
    send(response, 500, { __type: `${coral}#InternalServerError`, message: "The table engine failed" });
  }
}

/** Starts the engine; it must be closed. */
export async function startTableEngine(options: TableEngineOptions = {}): Promise<TableEngine> {
  const { directory, conflictMilliseconds = 6, clock = Date.now, partitionLimit, indexLag } = options;
  const place = { ...whereIs(options), clock };
  const engine = await Engine.open({ ...place, directory, conflictMilliseconds, partitionLimit });
  const lagging = indexLag ? await LaggingIndexes.open(engine, { ...place, milliseconds: indexLag }) : undefined;
  const server = createServer((request, response) => void answer(engine, request, response, options, lagging));
  server.keepAliveTimeout = 60_000;
  const url = await listen(server, { port: options.port }).catch(async (error) => {
    await engine.close();
    throw error;
  });
  const sweep = setInterval(() => void engine.sweepExpired().catch(console.error), sweepMilliseconds).unref();
  return {
    url,
    ensureTable: async (definition) => {
      await engine.ensureTable(definition);
      await lagging?.ensureTable(engine, definition);
    },
    load: async (table, items) => {
      await engine.load(table, items);
      await lagging?.load(table, items);
    },
    stream: engine.stream,
    sweepExpired: () => engine.sweepExpired(),
    async close() {
      clearInterval(sweep);
      await closeServer(server);
      await lagging?.close();
      await engine.close();
    },
  };
}
