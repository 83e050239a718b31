/** The table client: typed reads, and transactions whose outcome is data (`docs/design.md`, "The executor"). */
import {
  type CancellationReason,
  ConditionalCheckFailedException,
  DynamoDBClient,
  IdempotentParameterMismatchException,
  type TransactWriteItem as RawTransactItem,
  TransactionCanceledException,
} from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { callLimits } from "../call-limits.ts";
import { requiredEnv } from "../env.ts";
import { chunk } from "../text/chunk.ts";
import { Conflict, Throttled, Unanswered, UnknownOutcome } from "./conflict.ts";
import { type Key, keyFrom, keyIn, kitKinds } from "./item.ts";

export type { Key } from "./item.ts";

export const tableName = requiredEnv("TABLE_NAME");

/** Stored numbers are numbers of JavaScript, rounded where they are too large: a BigInt breaks arithmetic and JSON. */
const numbers = { wrapNumbers: Number };

/** Created at module load, so that all invocations of an instance share its connections. */
export const client = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: {
      ...callLimits(3_000),
      httpsAgent: { maxSockets: 128 },
      httpAgent: { maxSockets: 128 },
    },
  }),
  // A copy: the document client changes its options.
  { marshallOptions: { removeUndefinedValues: true }, unmarshallOptions: { ...numbers } },
);

/** Sends a read. The class of its error determines what a caller can do. */
const send: typeof client.send = (async (command: Parameters<typeof client.send>[0]) => {
  try {
    return await client.send(command);
  } catch (error) {
    const cause = classified(error);
    throw cause instanceof UnknownOutcome ? new Unanswered(cause.message, { cause: error }) : cause;
  }
}) as typeof client.send;

/** A stored item: its key, and the attributes that its store wrote. */
export type Item = Key & Record<string, unknown>;

/** A record as stored: with its key, and with its key in the index of lists. */
export type Stored<T> = T & Key & { readonly GSI1PK?: string; readonly GSI1SK?: string };

/** An `eventual` read costs half. A `strong` read sees every acknowledged write. */
export type Consistency = "eventual" | "strong";

export async function getItem<T extends object>(key: Key, consistency: Consistency): Promise<(T & Key) | undefined> {
  const { Item } = await send(
    new GetCommand({ TableName: tableName, Key: key, ConsistentRead: consistency === "strong" }),
  );
  return Item as (T & Key) | undefined;
}

const batchSize = 100;

/**
 * Reads items by key, in parallel batches and in any order. Unprocessed keys are requested again. Duplicate keys, which
 * DynamoDB rejects, are removed: an index returns an item twice if it moved meanwhile.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
 * @throws Conflict the table is throttled, or does not respond
 */
export async function getItems<T extends object = Record<string, unknown>>(
  keys: readonly Key[],
  consistency: Consistency,
): Promise<(T & Key)[]> {
  const distinct = [...new Map(keys.map((key) => [JSON.stringify([key.PK, key.SK]), key])).values()];
  const found = await Promise.all(chunk(distinct, batchSize).map((batch) => getBatch<T>(batch, consistency)));
  return found.flat();
}

/** Reads items in one batch. @returns each item under the name of its key; undefined if it does not exist */
export async function getNamed<Items extends object>(
  keys: { readonly [N in keyof Items]?: Key },
  consistency: Consistency,
): Promise<{ readonly [N in keyof Items]?: Items[N] & Key }> {
  const named = Object.entries(keys) as [string, Key][];
  const items = await getItems(Object.values(keys) as Key[], consistency);
  const found = named.map(([name, { PK, SK }]) => [name, items.find((item) => item.PK === PK && item.SK === SK)]);
  return Object.fromEntries(found);
}

/** A record without the key and the index attributes of its item. */
export function recordOf<T extends object>({ PK, SK, GSI1PK, GSI1SK, ...record }: Stored<T>): T {
  return record as unknown as T;
}

export async function getRecord<T extends object>(key: Key, consistency: Consistency): Promise<T | undefined> {
  const item = await getItem<T>(key, consistency);
  return item && recordOf<T>(item);
}

/** The items of a batch, and the unprocessed keys. */
interface Batch {
  readonly Keys?: Record<string, unknown>[] | undefined;
  readonly Responses?: Record<string, unknown[]>;
  readonly UnprocessedKeys?: Record<string, Batch>;
}

async function getBatch<T extends object>(keys: readonly Key[], consistency: Consistency): Promise<(T & Key)[]> {
  const items: (T & Key)[] = [];
  let rest: Record<string, unknown>[] | undefined = keys.map((key) => ({ ...key }));
  while (rest && rest.length > 0) {
    const { Responses, UnprocessedKeys }: Batch = await send(
      new BatchGetCommand({
        RequestItems: { [tableName]: { Keys: rest, ConsistentRead: consistency === "strong" } },
      }),
    );
    items.push(...((Responses?.[tableName] ?? []) as (T & Key)[]));
    const left: Batch["Keys"] = UnprocessedKeys?.[tableName]?.Keys;
    // Throttled. The caller pauses before the next try.
    if (left && left.length === rest.length) throw new Throttled("no key was processed");
    rest = left;
  }
  return items;
}

export type Query = Omit<QueryCommandInput, "TableName">;

/** A list of the index, from its end. With `after`, it begins behind that sort key. */
export const listFromEnd = (list: string, after?: string): Query => ({
  IndexName: "GSI1",
  KeyConditionExpression: after === undefined ? "GSI1PK = :list" : "GSI1PK = :list AND GSI1SK < :after",
  ExpressionAttributeValues: { ":list": list, ...(after !== undefined && { ":after": after }) },
  ScanIndexForward: false,
});

/** A list of the index, from its beginning. With `after`, it begins behind that sort key. */
export const listFromStart = (list: string, after?: string): Query => ({
  IndexName: "GSI1",
  KeyConditionExpression: after === undefined ? "GSI1PK = :list" : "GSI1PK = :list AND GSI1SK > :after",
  ExpressionAttributeValues: { ":list": list, ...(after !== undefined && { ":after": after }) },
});

/**
 * One page of a query, at most DynamoDB's 1 MB.
 * @param within timeout in milliseconds. Default: the client's
 */
export async function queryOnce<T extends object>(
  query: Query,
  within?: number,
): Promise<{ items: (T & Key)[]; last?: Key; count: number }> {
  const options = within === undefined ? {} : { abortSignal: AbortSignal.timeout(within) };
  const command = new QueryCommand({ TableName: tableName, ...query });
  const { Items, LastEvaluatedKey, Count } = await send(command, options);
  return {
    items: (Items ?? []) as (T & Key)[],
    last: LastEvaluatedKey as Key | undefined,
    count: Count ?? 0,
  };
}

/**
 * The pages of a query, read lazily.
 * @param limitOf maximum items of a page, by its number and the previous items; default: the query's limit
 */
export async function* queryPages<T extends object>(
  query: Query,
  limitOf: (page: number, before: number) => number | undefined = () => undefined,
): AsyncGenerator<Awaited<ReturnType<typeof queryOnce<T>>>> {
  let [number, before] = [0, 0];
  let last = query.ExclusiveStartKey as Key | undefined;
  do {
    const Limit = limitOf(number, before) ?? query.Limit;
    const page = await queryOnce<T>({ ...query, ...(Limit && { Limit }), ExclusiveStartKey: last });
    yield page;
    number += 1;
    before += page.items.length;
    last = page.last;
  } while (last);
}

/** The number of items of a query. */
export async function countItems(query: Query): Promise<number> {
  let all = 0;
  for await (const { count } of queryPages({ ...query, Select: "COUNT" })) all += count;
  return all;
}

declare const stored: unique symbol;

/**
 * A member of a transaction.
 * @typeParam Stored the type of the item that a refusal returns, if the member requests it (`ALL_OLD`)
 */
export type TransactItem<Stored = unknown> = NonNullable<TransactWriteCommandInput["TransactItems"]>[number] & {
  readonly [stored]?: Stored;
};

/** The condition of a member. */
interface Condition
  extends Pick<
    NonNullable<TransactItem["Put"]>,
    "ExpressionAttributeNames" | "ExpressionAttributeValues" | "ReturnValuesOnConditionCheckFailure"
  > {
  readonly ConditionExpression: string;
}

/** The conditions that an item with the key exists, or does not. */
export const exists: Condition = { ConditionExpression: "attribute_exists(PK)" };
export const isAbsent: Condition = { ConditionExpression: "attribute_not_exists(PK)" };

/** The condition that an item is as it was read, by its version; or still absent, when none was read. */
export const isAsRead = (read: { readonly version: number } | undefined): Condition =>
  read ? { ConditionExpression: "version = :read", ExpressionAttributeValues: { ":read": read.version } } : isAbsent;

/**
 * Why a write may be unconditional.
 *
 * - `new key`: no other request writes an item with this key.
 * - `beside a condition`: the item belongs to a record that the same transaction writes on a condition.
 * - `last wins`: nothing of an existing item counts, and a repetition changes nothing.
 */
export type Unconditional = "new key" | "beside a condition" | "last wins";

/** Puts an item unconditionally. What was read of an existing one is no reason: that needs `putIf`. */
export const put = (item: Item, _because: Unconditional): TransactItem => ({
  Put: { TableName: tableName, Item: item },
});

/** Puts an item on a condition about the existing one. */
export const putIf = <Stored>(item: Item, condition: Condition): TransactItem<Stored> => ({
  Put: { TableName: tableName, Item: item, ...condition },
});

/** Puts a new item. Refused when one with its key exists. */
export const putNew = (item: Item): TransactItem => putIf(item, isAbsent);

/** Updates an item, or creates it if the condition allows that. */
export const updateIf = <Stored>(
  key: Key,
  update: Omit<NonNullable<TransactItem["Update"]>, "TableName" | "Key">,
): TransactItem<Stored> => ({ Update: { TableName: tableName, Key: key, ...update } });

/** Checks a condition about an item. */
export const checkIf = (key: Key, condition: Condition): TransactItem => ({
  ConditionCheck: { TableName: tableName, Key: key, ...condition },
});

/** The parts of a `SET` of attributes, with placeholders named after them. */
export const setting = <V>(attributes: Readonly<Record<string, V>>) => ({
  parts: Object.keys(attributes).map((name) => `#${name} = :${name}`),
  names: Object.fromEntries(Object.keys(attributes).map((name) => [`#${name}`, name])),
  values: Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`:${name}`, value])),
});

/** Deletes an item, if there is one. What was read of it is no reason: that needs `deleteIf`. */
export const drop = (key: Key, _because: Unconditional): TransactItem => ({
  Delete: { TableName: tableName, Key: keyIn(key) },
});

/** Deletes an item on a condition about it. */
export const deleteIf = (key: Key, condition: Condition): TransactItem => ({
  Delete: { TableName: tableName, Key: keyIn(key), ...condition },
});

/** The members of a transaction, by name, so that a refusal shows which condition failed. */
export type Transaction = Readonly<Record<string, TransactItem | undefined>>;

/**
 * The members whose condition failed, each with the current item. The value is null when the member did not request the
 * item, or it does not exist.
 */
export type Refused<T extends Transaction> = {
  readonly [N in keyof T]?: (NonNullable<T[N]> extends TransactItem<infer Stored> ? Stored : never) | null;
};

/** `wasRepeated`: the client has retried the call, and an earlier try may have got no response. */
export type Outcome<T extends Transaction> =
  | { readonly committed: true }
  | { readonly committed: false; readonly refused: Refused<T>; readonly wasRepeated: boolean };

const throttledCodes = new Set(["ThrottlingError", "ProvisionedThroughputExceeded"]);
const throttledErrors = new Set([
  "ProvisionedThroughputExceededException",
  "ThrottlingException",
  "RequestLimitExceeded",
]);
/** An earlier try of the same transaction, with the same token, is still running. */
const inProgress = "TransactionInProgressException";

/**
 * Writes all members or none. A failed condition is an outcome, not an error.
 * @param token the idempotency token: DynamoDB executes the transaction once, even if it is repeated within ten minutes
 * @throws Conflict nothing was written; retry after a pause
 * @throws UnknownOutcome it may have been written, or is still running: send the same again with the same token
 */
export async function commit<T extends Transaction>(transaction: T, token?: string): Promise<Outcome<T>> {
  const members = Object.entries(transaction).flatMap(([name, item]) => (item ? [[name, item] as const] : []));
  try {
    await client.send(
      new TransactWriteCommand({ TransactItems: members.map(([, item]) => item), ClientRequestToken: token }),
    );
    return { committed: true };
  } catch (error) {
    try {
      if (error instanceof TransactionCanceledException) {
        return refusal(
          members.map(([name]) => name),
          error,
        );
      }
      throw classified(error);
    } catch (cause) {
      throw cause instanceof Conflict && wasRepeated(error)
        ? new UnknownOutcome(cause.message, { cause: error })
        : cause;
    }
  }
}

/** Whether the client has retried the call. The last response then says nothing about earlier tries. */
const wasRepeated = (error: unknown): boolean =>
  ((error as { $metadata?: { attempts?: number } }).$metadata?.attempts ?? 1) > 1;

/** Seconds for which the item of a closed token is kept; DynamoDB remembers the token itself for ten minutes. */
const closedFor = 3_600;

/** Members of each kind that only write the item of a closed token. */
const closings = {
  Put: (key: Key, ttl: number) => ({ Item: { ...key, ttl } }),
  Delete: (key: Key) => ({ Key: key }),
  Update: (key: Key, ttl: number) => ({
    Key: key,
    UpdateExpression: "SET #ttl = :ttl",
    ExpressionAttributeNames: { "#ttl": "ttl" },
    ExpressionAttributeValues: { ":ttl": ttl },
  }),
};

/**
 * The only member of a transaction that uses up the token of another one. It is of a kind that the other one has, for
 * which the function has permission.
 */
function closingMember(transaction: Transaction, token: string, begunAt: number): TransactItem {
  const ttl = Math.floor(begunAt / 1_000) + closedFor;
  const members = Object.values(transaction);
  const kind = (["Put", "Delete"] as const).find((one) => members.some((member) => member?.[one])) ?? "Update";
  return { [kind]: { TableName: tableName, ...closings[kind](keyFrom(kitKinds["closed token"], { token }), ttl) } };
}

/**
 * Ensures that no delayed try of a transaction is executed within the next ten minutes, by committing another transaction
 * with its token. DynamoDB then rejects a late try, because it differs from what was committed with the token.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html, "ClientRequestToken"
 * @param begunAt epoch milliseconds, the same at each call for a token: another time would result in another transaction,
 * whose rejection would look as if the first transaction had used the token
 * @returns whether a try was executed before. AWS does not document whether a refused transaction uses its token too, so a
 * used token is no proof: the transaction itself is sent once more.
 * @throws Conflict UnknownOutcome as `commit`: call again with the same token
 */
export async function closeToken(transaction: Transaction, token: string, begunAt: number): Promise<boolean> {
  try {
    await commit({ closing: closingMember(transaction, token, begunAt) }, token);
    return false;
  } catch (error) {
    if (!(error instanceof IdempotentParameterMismatchException)) throw error;
    return wasCommitted(transaction, token);
  }
}

/** Whether a transaction was committed with a used token. @throws Conflict UnknownOutcome as `commit` */
async function wasCommitted(transaction: Transaction, token: string): Promise<boolean> {
  try {
    return (await commit(transaction, token)).committed;
  } catch (error) {
    // An earlier call has closed the token.
    if (error instanceof IdempotentParameterMismatchException) return false;
    throw error;
  }
}

/**
 * One conditional update.
 * @returns whether the condition held
 * @throws Conflict nothing was written: a transaction was writing the same item, or the table is throttled
 * @throws UnknownOutcome it may have been written
 */
export async function writeIf(update: Omit<UpdateCommandInput, "TableName">): Promise<boolean> {
  try {
    await client.send(new UpdateCommand({ TableName: tableName, ...update }));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw classified(error);
  }
}

/**
 * One conditional update that returns the item if it is refused, for half the cost of a transaction. An update without a
 * response may still be executed later: its condition must then refuse it, or it must be harmless.
 * @returns undefined when the condition held; otherwise the current item
 * @throws Conflict nothing was written: a transaction was writing the same item, or the table is throttled
 * @throws UnknownOutcome it may have been written
 */
export async function updateOrFind<T extends object>(
  update: Omit<UpdateCommandInput, "TableName" | "ReturnValuesOnConditionCheckFailure">,
): Promise<(T & Key) | undefined> {
  try {
    const shows = { TableName: tableName, ReturnValuesOnConditionCheckFailure: "ALL_OLD" } as const;
    await client.send(new UpdateCommand({ ...shows, ...update }));
    return undefined;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException && error.Item)) throw classified(error);
    // The document client does not convert the item inside an error.
    return unmarshall(error.Item, numbers) as T & Key;
  }
}

function refusal<T extends Transaction>(names: readonly string[], error: TransactionCanceledException): Outcome<T> {
  const reasons = error.CancellationReasons ?? [];
  if (reasons.some(({ Code }) => throttledCodes.has(Code ?? ""))) throw new Throttled("throttled", { cause: error });
  if (reasons.some(({ Code }) => Code === "TransactionConflict")) throw new Conflict("conflict", { cause: error });
  const failed = reasons.flatMap((reason, index) =>
    reason.Code === "ConditionalCheckFailed" ? [[names[index], itemOf(reason)] as const] : [],
  );
  if (failed.length === 0) throw error;
  return { committed: false, refused: Object.fromEntries(failed) as Refused<T>, wasRepeated: wasRepeated(error) };
}

/** The document client does not convert the items inside an error. */
const itemOf = ({ Item }: CancellationReason): Item | null =>
  Item ? (unmarshall(Item as NonNullable<RawTransactItem["Put"]>["Item"] & object, numbers) as Item) : null;

/** The fields of a call's error that the SDK (`$metadata`) or the socket (`code`) sets. */
interface CallError {
  readonly name?: string;
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Classifies a failed call by what the caller can do: `Conflict`, `UnknownOutcome`, or the original error. */
export function classified(error: unknown): unknown {
  const { name = "", code, $metadata } = error as CallError;
  if (throttledErrors.has(name)) return new Throttled(name, { cause: error });
  if (name === "TransactionConflictException") return new Conflict(name, { cause: error });
  if (name === inProgress) return new UnknownOutcome(name, { cause: error });
  const unanswered = $metadata
    ? ($metadata.httpStatusCode ?? 500) >= 500
    : code !== undefined || name === "TimeoutError";
  return unanswered ? new UnknownOutcome(name, { cause: error }) : error;
}
