/** A local stage in memory, and the cost of each request: calls to the table, units, bytes, and what it triggers. */

import type { AnsweredCall } from "../../laptop/dynamodb/index.ts";
import { accessKeyPrefix, shortName } from "../../laptop/functions/index.ts";
import { type LocalStage, startLocalStage } from "../../laptop/stage/index.ts";
import { localAssembly } from "../../laptop/template/made-before.ts";

/** Cost at the table. A round trip is one call, also when calls run in parallel. */
export interface TableCost {
  readonly roundTrips: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** One request. */
export interface Sample extends TableCost {
  /** The work that it triggered after its answer. */
  readonly triggered: TableCost;
  /** Of the answer's body. */
  readonly bytes: number;
  readonly answer: Answer;
}

export interface Request {
  readonly method: string;
  readonly path: string;
  /** Email of the caller. */
  readonly as?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  /** Parsed JSON, or the text if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: endpoints read answers field by field
  readonly body: any;
  readonly headers: Headers;
}

export interface BenchStage {
  readonly stage: LocalStage;
  /**
   * Sends a request, and waits until all work that it triggered is done.
   * @param by the function of the route; that of the first part of its path when absent
   * @throws Error when the answer is an error
   */
  send(request: Request, by?: string): Promise<Sample>;
  close(): Promise<void>;
}

const sweeper = "Sweeper";

const functionOf = ({ accessKeyId }: AnsweredCall): string => shortName(accessKeyId.slice(accessKeyPrefix.length));

/** The functions of the routes that are measured are named after the first part of the path. */
const functionFor = (path: string): string => {
  const [, part = ""] = /^\/([a-z]+)/.exec(path) ?? [];
  return `${part.charAt(0).toUpperCase()}${part.slice(1)}`;
};

const sum = (calls: readonly AnsweredCall[]): TableCost => ({
  roundTrips: calls.length,
  readUnits: calls.reduce((units, { readUnits }) => units + readUnits, 0),
  writeUnits: calls.reduce((units, { writeUnits }) => units + writeUnits, 0),
});

/**
 * Starts a stage without data. Requests are sent in sequence, so all work until the stage is idle again belongs to the
 * last request.
 */
export async function startBenchStage(): Promise<BenchStage> {
  let calls: AnsweredCall[] = [];
  /** False during the import, whose calls belong to no request. */
  let isMeasuring = false;
  const stage = await startLocalStage({
    assembly: await localAssembly(),
    port: 0,
    memory: true,
    seed: false,
    // Sequential requests do not conflict.
    conflicts: false,
    onTableCall: (call) => {
      // The sweeper runs on a schedule, independent of requests.
      if (isMeasuring && functionOf(call) !== sweeper) calls.push(call);
    },
  });
  const tokens = new Map<string, string>();
  const tokenOf = async (email: string): Promise<string> => {
    const token = tokens.get(email) ?? (await stage.identity.idToken(email));
    tokens.set(email, token);
    return token;
  };
  async function send({ method, path, as, body, headers }: Request, own = functionFor(path)): Promise<Sample> {
    const token = as && (await tokenOf(as));
    const init = {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    };
    [calls, isMeasuring] = [[], true];
    const response = await fetch(stage.outputs.apiUrl + path, init);
    const text = await response.text();
    await stage.settled();
    isMeasuring = false;
    const { status } = response;
    if (status >= 400) throw new Error(`${method} ${path} answered ${status}: ${text.slice(0, 500)}`);
    const isJson = response.headers.get("content-type")?.includes("json") && text !== "";
    return {
      ...sum(calls.filter((call) => functionOf(call) === own)),
      triggered: sum(calls.filter((call) => functionOf(call) !== own)),
      bytes: Buffer.byteLength(text),
      answer: { status, body: isJson ? JSON.parse(text) : text, headers: response.headers },
    };
  }

  return { stage, send, close: () => stage.close() };
}
