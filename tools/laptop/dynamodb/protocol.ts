/** The part of DynamoDB's JSON protocol that the table engine serves. */

/** One attribute value: `{ S: "text" }`, `{ N: "1" }` and so on. */
export type AttributeValue = Readonly<Record<string, unknown>>;
export type AttributeMap = Record<string, AttributeValue>;

export interface KeySchemaElement {
  readonly AttributeName: string;
  readonly KeyType: "HASH" | "RANGE";
}

export interface IndexDefinition {
  readonly IndexName: string;
  readonly KeySchema: readonly KeySchemaElement[];
  readonly Projection: { readonly ProjectionType: string; readonly NonKeyAttributes?: readonly string[] };
}

export interface TimeToLive {
  readonly AttributeName: string;
  readonly Enabled: boolean;
}

export interface StreamSpecification {
  readonly StreamViewType: string;
}

/** The definition of a table: the fields of CreateTable, and those that CloudFormation adds. */
export interface TableDefinition {
  readonly TableName: string;
  readonly AttributeDefinitions: readonly { readonly AttributeName: string; readonly AttributeType: string }[];
  readonly KeySchema: readonly KeySchemaElement[];
  readonly GlobalSecondaryIndexes?: readonly IndexDefinition[];
  readonly StreamSpecification?: StreamSpecification;
  readonly TimeToLiveSpecification?: TimeToLive;
}

export interface TableDescription {
  readonly TableName: string;
  readonly TableStatus: string;
  readonly KeySchema: readonly KeySchemaElement[];
  readonly AttributeDefinitions: TableDefinition["AttributeDefinitions"];
  readonly GlobalSecondaryIndexes?: readonly IndexDefinition[];
}

/** The error answer to a request. */
export class RequestFailed extends Error {
  readonly statusCode: number;
  readonly body: Record<string, unknown>;
  constructor(statusCode: number, body: Record<string, unknown>) {
    super(String(body.message ?? body.Message ?? body.__type));
    this.statusCode = statusCode;
    this.body = body;
  }
}

const namespace = "com.amazonaws.dynamodb.v20120810";

export const failure = (type: string, message: string, more: object = {}): RequestFailed =>
  new RequestFailed(400, { __type: `${namespace}#${type}`, message, ...more });

export const validationFailure = (message: string): RequestFailed =>
  new RequestFailed(400, { __type: "com.amazon.coral.validate#ValidationException", message });

/** The request does not have the structure of its operation. */
export const unreadable = (message: string): RequestFailed =>
  new RequestFailed(400, { __type: "com.amazon.coral.service#SerializationException", message });

export const conditionFailure = (more: object = {}): RequestFailed =>
  failure("ConditionalCheckFailedException", "The conditional request failed", more);

export const isConditionFailure = (error: unknown): error is RequestFailed =>
  error instanceof RequestFailed && String(error.body.__type).endsWith("ConditionalCheckFailedException");

/** Whether two attribute values, or items, are equal, in any order of their fields. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && sameValue(a[name as never], b[name as never]));
}
