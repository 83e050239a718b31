/**
 * The permissions that a request needs. A transaction has no action of its own: each of its members needs
 * the action of the same single request.
 * Source: service authorization reference, "Actions, resources, and condition keys for Amazon DynamoDB".
 */
import type { Call } from "./call.ts";

/** One action on a table or on one of its indexes. */
export interface TableAccess {
  /** For example `dynamodb:GetItem`. */
  readonly action: string;
  /** The ARN's part after the account: `table/<name>`, or `table/<name>/index/<index>`. */
  readonly resource: string;
}

type Fields = Readonly<Record<string, unknown>>;

const actionOfMember: Readonly<Record<string, string>> = {
  ConditionCheck: "ConditionCheckItem",
  Delete: "DeleteItem",
  Get: "GetItem",
  Put: "PutItem",
  Update: "UpdateItem",
};

/** Leaves out what is malformed: the engine refuses such a request. */
export function accessesOf({ operation, tables, request }: Pick<Call, "operation" | "tables" | "request">) {
  const accesses =
    operation === "TransactWriteItems" || operation === "TransactGetItems"
      ? membersOf(request)
      : tables.map((table) => ({ action: operation, table, index: textOf(request.IndexName) }));
  return accesses.map(
    ({ action, table, index }): TableAccess => ({
      action: `dynamodb:${action}`,
      resource: index === undefined ? `table/${table}` : `table/${table}/index/${index}`,
    }),
  );
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});

function membersOf({ TransactItems }: Fields): { action: string; table: string; index: undefined }[] {
  const items = Array.isArray(TransactItems) ? TransactItems.map(fieldsOf) : [];
  return items.flatMap((item) =>
    Object.entries(item).flatMap(([kind, member]) => {
      const action = actionOfMember[kind];
      const table = textOf(fieldsOf(member).TableName);
      return action === undefined || table === undefined ? [] : [{ action, table, index: undefined }];
    }),
  );
}
