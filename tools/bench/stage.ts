/** A local stage in memory, and what each request to it costs: calls to the table, units, bytes, and what follows. */

import type { AnsweredCall } from "../laptop/dynamodb/index.ts";
import { accessKeyPrefix, shortName } from "../laptop/functions/index.ts";
import { type LocalStage, startLocalStage } from "../laptop/stage/index.ts";
import { localAssembly } from "../laptop/template/made-before.ts";

/** Cost at the table. A round trip is one call, also when several calls run at the same time. */
export interface TableCost {
  readonly roundTrips: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** What a request set off besides its answer. */
export interface Behind extends TableCost {
  /** Runs of functions other than that of the route, by the function's name in the stack, in milliseconds. */
  readonly runs: readonly { readonly functionName: string; readonly milliseconds: number }[];
  /** Messages that were put into the outbox. */
  readonly messages: number;
  readonly mails: number;
}

/** One request. */
export interface Sample extends TableCost {
  /** The function of the route, by its name in the stack. */
  readonly functionName: string;
  readonly milliseconds: number;
  /** Of the body of the answer. */
  readonly bytes: number;
  /** Milliseconds that the function of the route ran. */
  readonly run: number;
  readonly behind: Behind;
  /** Bytes of the lines that all functions logged. */
  readonly logged: number;
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
  /** Parsed JSON; the text where it is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: endpoints look at answers field by field
  readonly body: any;
  readonly headers: Headers;
}

export interface BenchStage {
  readonly stage: LocalStage;
  /** Sends a request, and waits until all that it set off is done. @throws Error when the answer is an error */
  send(request: Request): Promise<Sample>;
  close(): Promise<void>;
}

/** The outbox rows that a call wrote. */
const messagesIn = ({ operation, request, refusal }: AnsweredCall): number => {
  if (refusal !== undefined || !/^(?:TransactWriteItems|PutItem|BatchWriteItem)$/.test(operation)) return 0;
  return JSON.stringify(request).match(/"PK":\{"S":"OUT#/g)?.length ?? 0;
};

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
 * Starts a stage without data. Requests are sent one after the other, so all that happens until the stage is at rest
 * again belongs to the request that was sent last.
 */
export async function startBenchStage(): Promise<BenchStage> {
  let calls: AnsweredCall[] = [];
  let runs: { functionName: string; milliseconds: number }[] = [];
  /** The import's calls to the table belong to no request. */
  let isMeasuring = false;
  const stage = await startLocalStage({
    assembly: await localAssembly(),
    port: 0,
    memory: true,
    seed: false,
    // Requests one after the other do not overlap.
    conflicts: false,
    onTableCall: (call) => {
      // The sweeper runs by the clock, so it has nothing to do with a request.
      if (isMeasuring && functionOf(call) !== sweeper) calls.push(call);
    },
    onInvoked: (functionName, milliseconds) => {
      if (isMeasuring && functionName !== sweeper) runs.push({ functionName, milliseconds });
    },
  });
  const tokens = new Map<string, string>();
  const tokenOf = async (email: string): Promise<string> => {
    const token = tokens.get(email) ?? (await stage.identity.idToken(email));
    tokens.set(email, token);
    return token;
  };
  async function send({ method, path, as, body, headers }: Request): Promise<Sample> {
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
    [calls, runs, isMeasuring] = [[], [], true];
    const mails = stage.mailbox.list().length;
    const lines = stage.logs.length;
    const begun = performance.now();
    const response = await fetch(stage.outputs.apiUrl + path, init);
    const text = await response.text();
    const milliseconds = performance.now() - begun;
    await stage.settled();
    isMeasuring = false;
    const { status } = response;
    if (status >= 400) throw new Error(`${method} ${path} answered ${status}: ${text.slice(0, 500)}`);
    const isJson = response.headers.get("content-type")?.includes("json") && text !== "";
    const own = functionFor(path);
    const followed = calls.filter((call) => functionOf(call) !== own);
    return {
      functionName: own,
      milliseconds,
      run: runs.find(({ functionName }) => functionName === own)?.milliseconds ?? 0,
      bytes: Buffer.byteLength(text),
      ...sum(calls.filter((call) => functionOf(call) === own)),
      behind: {
        ...sum(followed),
        runs: runs.filter(({ functionName }) => functionName !== own),
        messages: calls.reduce((count, call) => count + messagesIn(call), 0),
        mails: stage.mailbox.list().length - mails,
      },
      logged: stage.logs.slice(lines).reduce((bytes, { text }) => bytes + Buffer.byteLength(text), 0),
      answer: { status, body: isJson ? JSON.parse(text) : text, headers: response.headers },
    };
  }

  return { stage, send, close: () => stage.close() };
}
