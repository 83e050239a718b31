/** The members of a transaction, checked without reading any item. */
import {
  checkedStorageKey,
  type OperationName,
  type Store,
  storageKey,
  type Validated,
  validated,
} from "./dynalite.ts";
import { itemSize } from "./item-size.ts";
import { type AttributeMap, RequestFailed, validationFailure } from "./protocol.ts";
import type { Tables } from "./tables.ts";

const maxMembers = 100;
export const maxTransactionBytes = 4 * 1024 * 1024;

type MemberKind = "Put" | "Update" | "Delete" | "ConditionCheck";
const operationOf: Record<MemberKind, OperationName> = {
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  // A ConditionCheck has a key and a condition, like a delete, and writes nothing.
  ConditionCheck: "DeleteItem",
};

export interface Member {
  readonly kind: MemberKind;
  readonly operation: OperationName;
  readonly table: string;
  readonly data: Validated;
  readonly storageKey: string;
  /** Why the key does not fit the table. AWS cancels the transaction then, instead of refusing the request. */
  readonly misfit?: string;
  readonly wantsOld: boolean;
}

/** The name of an item across all tables. */
export const itemName = (table: string, key: string): string => `${table}|${key}`;

/** The error of a field that violates the protocol. */
export const constraint = (field: string, rule: string) =>
  validationFailure(`1 validation error detected: Value at '${field}' failed to satisfy constraint: ${rule}`);

/** @throws RequestFailed ValidationException */
export function assertCount(items: unknown): asserts items is unknown[] {
  if (!Array.isArray(items) || items.length === 0) {
    throw constraint("TransactItems", "Member must have length greater than or equal to 1");
  }
  if (items.length > maxMembers) {
    throw constraint("TransactItems", `Member must have length less than or equal to ${maxMembers}`);
  }
}

/** @throws RequestFailed ValidationException */
export function assertDistinct(names: readonly string[]): void {
  if (new Set(names).size === names.length) return;
  throw validationFailure("Transaction request cannot include multiple operations on one item");
}

function onlyEntry(item: unknown): [MemberKind, Record<string, unknown>] {
  const entries = Object.entries((item ?? {}) as object).filter(([, operation]) => operation);
  const [[kind, operation] = []] = entries;
  if (entries.length !== 1 || typeof operation !== "object" || !Object.hasOwn(operationOf, kind as string)) {
    throw validationFailure("TransactItems can only contain one of Check, Put, Update or Delete");
  }
  return [kind as MemberKind, operation];
}

function memberOf(item: unknown, store: Store, tables: Tables): Member {
  const [kind, { ReturnValuesOnConditionCheckFailure: old, ...raw }] = onlyEntry(item);
  assertReturnsOld(old);
  if (kind === "ConditionCheck" && raw.ConditionExpression === undefined) {
    throw validationFailure("The ConditionExpression of a ConditionCheck must not be null");
  }
  if (kind === "Update" && raw.UpdateExpression === undefined) {
    throw validationFailure("The UpdateExpression of an Update must not be null");
  }
  const operation = operationOf[kind];
  const data = validated(operation, raw, store);
  const table = tables.get(data.TableName);
  const member = { kind, operation, table: data.TableName, data, wantsOld: old === "ALL_OLD" };
  try {
    return { ...member, storageKey: checkedStorageKey(data, table) };
  } catch (error) {
    if (!isMisfit(error)) throw error;
    return { ...member, storageKey: "", misfit: error.message };
  }
}

/** Only the table shows that a key has the wrong type. Empty and missing keys are refused as in a single write. */
const isMisfit = (error: unknown): error is RequestFailed =>
  error instanceof RequestFailed && /Type mismatch|does not match the schema/.test(error.message);

/** @throws RequestFailed ValidationException */
export function assertReturnsOld(value: unknown): void {
  if (value === undefined || value === null || value === "ALL_OLD" || value === "NONE") return;
  throw validationFailure(
    "1 validation error detected: Value at 'returnValuesOnConditionCheckFailure' failed to satisfy constraint: " +
      "Member must satisfy enum value set: [ALL_OLD, NONE]",
  );
}

/** @throws RequestFailed the request is not a valid transaction */
export function membersOf(request: Record<string, unknown>, store: Store, tables: Tables): Member[] {
  const items = request.TransactItems;
  assertCount(items);
  const members = items.map((item) => memberOf(item, store, tables));
  assertDistinct(namesOf(members.filter(({ misfit }) => misfit === undefined)));
  const bytes = members.reduce((sum, { data }) => sum + itemSize((data.Item ?? data.Key) as AttributeMap), 0);
  if (bytes > maxTransactionBytes) throw tooLarge();
  return members;
}

export const tooLarge = () => validationFailure("Transaction request size exceeds the limit of 4 MB");

export const namesOf = (members: readonly Member[]): string[] =>
  members.map(({ table, storageKey: key }) => itemName(table, key));

/**
 * The items that a request names, read without checking the request: a transaction that meets an occupied item is
 * cancelled before any other check, which keeps a rush cheap.
 * @returns an empty list when the request cannot be read
 */
export function claimedNames(request: Record<string, unknown>, tables: Tables): string[] {
  try {
    return (request.TransactItems as Record<string, Record<string, unknown>>[]).map((item) => {
      const [member] = Object.values(item);
      const table = String(member?.TableName);
      return itemName(table, storageKey((member?.Key ?? member?.Item) as AttributeMap, tables.get(table)));
    });
  } catch {
    return [];
  }
}
