/**
 * What a function is and may do, as data beside its code. The stack makes the function of it (`lib/resources.ts`); no bundle
 * contains it.
 */

/**
 * Actions on the table. Scan is deliberately missing: the cost of a request must not grow with the size of the table.
 * "Query" refers to the table itself; each index has an action with its name.
 */
export type TableAction =
  | "GetItem"
  | "BatchGetItem"
  | "Query"
  | `Query ${string}`
  | "PutItem"
  | "UpdateItem"
  | "DeleteItem"
  | "ConditionCheckItem";

/**
 * The actions of transactions: DynamoDB requires the actions of the members. Few transactions check an item without a
 * write; their functions also need "ConditionCheckItem".
 */
export const transactions = ["PutItem", "UpdateItem", "DeleteItem"] as const satisfies readonly TableAction[];

/** Without `ListBucket` S3 returns 403 instead of 404 for an object that does not exist. */
export type ImageAction = "GetObject" | "PutObject" | "DeleteObject" | "ListBucket";

export interface FunctionDeclaration {
  /** Its name in the stack, in alarms and in saved queries. Absent: its name as one word, `forget-user` as `ForgetUser`. */
  readonly id?: string;
  readonly description: string;
  /** In megabytes. CPU is proportional to it. By default 512 for routes and consumers, 256 for others. */
  readonly memory?: number;
  /** In seconds. By default 30 for consumers, 15 for others. */
  readonly timeout?: number;
  /** The environment variables that it reads with `requiredEnv`. `lib/settings.ts` has their values. */
  readonly settings?: readonly string[];
  /** What it may do with the table. */
  readonly table?: readonly TableAction[];
  readonly images?: readonly ImageAction[];
  /** The secrets that it reads. `lib/resources.ts` has their names. A stage without one of them lacks the function. */
  readonly secrets?: readonly string[];
  readonly sendsMail?: true;
}

/** The function of a capability of the API. */
export interface ApiFunctionDeclaration extends FunctionDeclaration {
  /** Its routes by operation id: all exports of `routes.ts` beside it. */
  readonly routes: Readonly<Record<string, object>>;
}
