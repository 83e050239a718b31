/** A handler on a table that answers what each test says. */
import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import type { BatchGetCommandInput, QueryCommandInput, TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import { BatchGetCommand, GetCommand, QueryCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { expect, jest } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import "./environment.ts";

const { client } = await import("#kit/table.ts");

/** The types of the mock know the low-level client only. */
export const table = mockClient(client as never) as unknown as ReturnType<typeof mockClient<never, never, never>>;

export const get = GetCommand as never;
export const batchGet = BatchGetCommand as never;
export const query = QueryCommand as never;
export const transactWrite = TransactWriteCommand as never;

const inputs = <I>(command: unknown): I[] =>
  table.commandCalls(command as never).map(({ args }) => (args[0] as { input: unknown }).input as I);

/** What was sent to the table, in order. */
export const sent = {
  gets: () => inputs<{ Key: { PK: string; SK: string }; ConsistentRead: boolean; TableName: string }>(GetCommand),
  batches: () => inputs<Required<BatchGetCommandInput>>(BatchGetCommand),
  queries: () => inputs<QueryCommandInput>(QueryCommand),
  transactions: () => inputs<Required<TransactWriteCommandInput>>(TransactWriteCommand),
};

/** The members of a transaction, all of which put an item. */
export const putsOf = (transaction: Required<TransactWriteCommandInput> | undefined) =>
  (transaction?.TransactItems ?? []).map(({ Put }) => Put);

/** A transaction that is cancelled: one code for each member. */
export const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({
    message: "secret detail",
    $metadata: { httpStatusCode: 400 },
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

/** A transaction whose first member's condition failed on this item. */
export const refusedBy = (item: Record<string, unknown>) =>
  new TransactionCanceledException({
    message: "secret detail",
    $metadata: { httpStatusCode: 400 },
    CancellationReasons: [{ Code: "ConditionalCheckFailed", Item: marshall(item) }, { Code: "None" }],
  });

const failure = (name: string, more: object = {}) => Object.assign(new Error("secret detail"), { name, ...more });

/** Nothing was done, trying again makes sense. */
export const throttled = failure("ThrottlingException", { $metadata: { httpStatusCode: 400 } });
/** Nobody knows whether it was done. */
export const unanswered = failure("TimeoutError");
/** An earlier try of the same transaction is still being carried out. */
export const inProgress = failure("TransactionInProgressException", { $metadata: { httpStatusCode: 400 } });
/** Trying again makes no sense. */
export const broken = failure("ValidationException", { $metadata: { httpStatusCode: 400 } });

/** Time runs so fast that nothing is tried twice. */
export function withoutPatience(): void {
  let milliseconds = 0;
  jest.spyOn(performance, "now").mockImplementation(() => {
    milliseconds += 20_000;
    return milliseconds;
  });
}

export const admin = "exec@club.example";
export const requestId = "r1";
/** When the gateway received the request. */
export const now = 1_800_000_000_000;

interface Request {
  readonly as?: string;
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
}
type Handler = (event: never) => Promise<{ statusCode?: number; body?: unknown; headers?: object }>;

/** Calls a handler as the gateway would. */
export const caller =
  (handler: unknown) =>
  async (routeKey: string, { as = admin, params, query: parameters, body }: Request = {}) => {
    const claims = { token_use: "id", email: as, email_verified: "true" };
    const answer = await (handler as Handler)({
      routeKey,
      headers: {},
      pathParameters: params,
      queryStringParameters: parameters,
      body: body === undefined ? undefined : JSON.stringify(body),
      isBase64Encoded: false,
      requestContext: { requestId, timeEpoch: now, authorizer: { jwt: { claims } } },
    } as never);
    return { status: answer.statusCode, body: JSON.parse(String(answer.body)), headers: answer.headers };
  };

const headers = { "content-type": "application/json", "cache-control": "no-store" };

/** What is answered to a failure of ours: nothing of the inside. */
export const internal = {
  status: 500,
  body: { code: "INTERNAL", message: expect.stringMatching(/^Something went wrong[\w ]*\.$/), requestId },
  headers,
};

/** What is answered when nobody knows whether it was done. */
export const outcomeUnknown = {
  status: 503,
  body: { code: "OUTCOME_UNKNOWN", message: expect.stringContaining("look before you try again"), requestId },
  headers,
};

/** What is answered when the table does not answer a read. */
export const unavailable = {
  status: 503,
  body: { code: "UNAVAILABLE", message: expect.stringContaining("try again"), requestId },
  headers: { ...headers, "retry-after": "5" },
};

/** What is answered when others were faster for too long. */
export const contended = {
  status: 503,
  body: { code: "CONTENDED", message: expect.stringContaining("try again"), requestId },
  headers: { ...headers, "retry-after": "1" },
};
