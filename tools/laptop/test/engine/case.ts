/** One request to a table, and what AWS documents of its answer. */
import type { Json } from "./protocol-client.ts";

/** An operation and its fields. */
export type Request = readonly [operation: string, body: Json];

export interface Case {
  readonly name: string;
  readonly request: Request;
  /** `fine`, or the name of the error. */
  readonly outcome: string;
  /** Codes of the reasons of a cancelled transaction. */
  readonly reasons?: readonly string[];
  /** The sentence that AWS answers with. */
  readonly message?: string;
  /** Fields of the answer, or of the item in it. */
  readonly shows?: Json;
  /** Why the case is not sent to DynamoDB Local: it differs from AWS. */
  readonly only?: string;
}

type Details = Pick<Case, "message" | "shows" | "only">;

export const fine = (name: string, request: Request, shows: Json = {}): Case => ({
  name,
  request,
  outcome: "fine",
  shows,
});

export const refused = (name: string, request: Request, more: Details & Partial<Case> = {}): Case => ({
  name,
  request,
  outcome: "ValidationException",
  ...more,
});

export const cancelled = (name: string, request: Request, reasons: readonly string[], more: Details = {}): Case => ({
  name,
  request,
  outcome: "TransactionCanceledException",
  reasons,
  ...more,
});

export const TableName = "Club";

export const n = (value: number | string) => ({ N: `${value}` });

export const put = (Item: Json, more: Json = {}): Request => ["PutItem", { TableName, Item, ...more }];

export const get = (Key: Json): Request => ["GetItem", { TableName, Key, ConsistentRead: true }];

export const update = (Key: Json, UpdateExpression: string, values?: Json, more: Json = {}): Request => [
  "UpdateItem",
  {
    TableName,
    Key,
    UpdateExpression,
    ...(values && { ExpressionAttributeValues: values }),
    ReturnValues: "ALL_NEW",
    ...more,
  },
];

export const query = (KeyConditionExpression: string, values: Json, more: Json = {}): Request => [
  "Query",
  { TableName, KeyConditionExpression, ExpressionAttributeValues: values, ...more },
];

export const transaction = (TransactItems: readonly Json[], ClientRequestToken?: unknown): Request => [
  "TransactWriteItems",
  { TransactItems, ClientRequestToken },
];

export const reads = (keys: readonly Json[]): Request => [
  "TransactGetItems",
  { TransactItems: keys.map((Key) => ({ Get: { TableName, Key } })) },
];

/** A member of a transaction: `Put`, `Update`, `Delete` or `ConditionCheck`. */
export const member = (kind: string, more: Json): Json => ({ [kind]: { TableName, ...more } });

export const putting = (Item: Json): Json => member("Put", { Item });

export const checking = (Key: Json, ConditionExpression: string): Json =>
  member("ConditionCheck", { Key, ConditionExpression });

export const numbered = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(index));
