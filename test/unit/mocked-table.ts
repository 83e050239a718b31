/** A handler on a table that gives the answers of each test. */
import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import type { BatchGetCommandInput, QueryCommandInput, TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import { BatchGetCommand, GetCommand, QueryCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { expect, jest } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import { gatewayEvent } from "../gateway-event.ts";
import "./environment.ts";

const { client } = await import("#kit/table/table.ts");

/** The types of the mock know the low-level client only. */
export const table = mockClient(client as never) as unknown as ReturnType<typeof mockClient<never, never, never>>;

export const get = GetCommand as never;
export const batchGet = BatchGetCommand as never;
export const query = QueryCommand as never;
export const transactWrite = TransactWriteCommand as never;

const inputs = <I>(command: unknown): I[] =>
  table.commandCalls(command as never).map(({ args }) => (args[0] as { input: unknown }).input as I);

/** The calls to the table, in order. */
export const sent = {
  gets: () => inputs<{ Key: { PK: string; SK: string }; ConsistentRead: boolean; TableName: string }>(GetCommand),
  batches: () => inputs<Required<BatchGetCommandInput>>(BatchGetCommand),
  queries: () => inputs<QueryCommandInput>(QueryCommand),
  transactions: () => inputs<Required<TransactWriteCommandInput>>(TransactWriteCommand),
};

/** The items that a transaction of puts writes. */
export const putsOf = (transaction: Required<TransactWriteCommandInput> | undefined) =>
  (transaction?.TransactItems ?? []).map(({ Put }) => Put);

/** A transaction that was cancelled, with one code for each member. */
export const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({
    message: "secret detail",
    $metadata: { httpStatusCode: 400 },
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

/** A transaction that was refused because the first member's condition failed on this item. */
export const refusedBy = (item: Record<string, unknown>) =>
  new TransactionCanceledException({
    message: "secret detail",
    $metadata: { httpStatusCode: 400 },
    CancellationReasons: [{ Code: "ConditionalCheckFailed", Item: marshall(item) }, { Code: "None" }],
  });

const failure = (name: string, more: object = {}) => Object.assign(new Error("secret detail"), { name, ...more });

/** Nothing was written, and a repeat may succeed. */
export const throttled = failure("ThrottlingException", { $metadata: { httpStatusCode: 400 } });
/** It is unknown whether the write was made. */
export const unanswered = failure("TimeoutError");
/** An earlier try of the same transaction is still at work. */
export const inProgress = failure("TransactionInProgressException", { $metadata: { httpStatusCode: 400 } });
/** A repeat cannot succeed. */
export const broken = failure("ValidationException", { $metadata: { httpStatusCode: 400 } });

/** Lets the clock run so fast that no call is tried twice. */
export function withoutPatience(): void {
  let milliseconds = 0;
  jest.spyOn(performance, "now").mockImplementation(() => {
    milliseconds += 20_000;
    return milliseconds;
  });
}

export const admin = "exec@club.example";
export const requestId = "r1";
/** The time at which the gateway received the request, in epoch milliseconds. */
export const now = 1_800_000_000_000;

interface Request {
  readonly as?: string;
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
  /** The time at which the gateway received the request. */
  readonly at?: number;
}
type Handler = (event: never) => Promise<{ statusCode?: number; body?: unknown; headers?: object }>;

/** Calls a handler as the gateway would. */
export const caller =
  (handler: unknown) =>
  async (routeKey: string, { as = admin, params, query: parameters, body, at = now }: Request = {}) => {
    const event = gatewayEvent(routeKey, { as, params, query: parameters, body, requestId, at });
    const answer = await (handler as Handler)(event);
    return { status: answer.statusCode, body: JSON.parse(String(answer.body)), headers: answer.headers };
  };

const headers = { "content-type": "application/json", "cache-control": "no-store" };

/** The answer to an error of the service: it tells no details. */
export const internal = {
  status: 500,
  body: { code: "INTERNAL", message: expect.stringMatching(/^Something went wrong[\w ]*\.$/), requestId },
  headers,
};

/** The answer when it is unknown whether a change was made. */
export const outcomeUnknown = {
  status: 503,
  body: { code: "OUTCOME_UNKNOWN", message: expect.stringContaining("look before you try again"), requestId },
  headers,
};

/** The answer when the table does not answer a read. */
export const unavailable = {
  status: 503,
  body: { code: "UNAVAILABLE", message: expect.stringContaining("try again"), requestId },
  headers: { ...headers, "retry-after": "5" },
};

/** The answer when other writes were in the way until the deadline. */
export const contended = {
  status: 503,
  body: { code: "CONTENDED", message: expect.stringContaining("try again"), requestId },
  headers: { ...headers, "retry-after": "1" },
};
