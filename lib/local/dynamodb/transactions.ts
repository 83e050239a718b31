/** TransactWriteItems and TransactGetItems: all or nothing, one member after the other against a pending store. */
import { createHash } from "node:crypto";
import { transactionalReadUnits } from "./capacity.ts";
import {
  checkCondition,
  describe,
  itemSize,
  type OperationName,
  type PendingStore,
  readItem,
  run,
  type Store,
  storageKey,
  validated,
} from "./dynalite.ts";
import { type AttributeMap, failure, isConditionFailure, RequestFailed, validationFailure } from "./protocol.ts";

const maxMembers = 100;
const maxBytes = 4 * 1024 * 1024;

type MemberKind = "Put" | "Update" | "Delete" | "ConditionCheck";
const operationOf: Record<MemberKind, OperationName> = {
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  // It has a key and a condition, like a delete, and writes nothing.
  ConditionCheck: "DeleteItem",
};

/** One member of a transaction, checked as far as is possible without looking at items. */
export interface Member {
  readonly kind: MemberKind;
  readonly table: string;
  readonly data: Record<string, unknown>;
  readonly storageKey: string;
  readonly wantsOld: boolean;
}

/** Why a member keeps its transaction from being committed; `None` for those that do not. */
export interface CancellationReason {
  readonly Code: "None" | "ConditionalCheckFailed" | "TransactionConflict" | "ValidationError";
  readonly Message?: string;
  readonly Item?: AttributeMap;
}

const none: CancellationReason = { Code: "None" };

export function cancelled(reasons: readonly CancellationReason[]): RequestFailed {
  const codes = reasons.map(({ Code }) => Code).join(", ");
  return new RequestFailed(400, {
    __type: "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
    Message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    CancellationReasons: reasons,
  });
}

/** @throws RequestFailed ValidationException TransactionCanceledException */
export const conflictReasons = (
  keys: readonly string[],
  disturbed: (key: string) => boolean,
): RequestFailed | undefined => {
  if (!keys.some(disturbed)) return undefined;
  const message = "Transaction is ongoing for the item";
  return cancelled(keys.map((key) => (disturbed(key) ? { Code: "TransactionConflict", Message: message } : none)));
};

const occupiedKey = (table: string, key: string): string => `${table}|${key}`;
export const keysOf = (members: readonly Member[]): string[] =>
  members.map(({ table, storageKey: key }) => occupiedKey(table, key));

function onlyEntry(item: unknown, index: number): [MemberKind, Record<string, unknown>] {
  const entries = Object.entries((item ?? {}) as Record<string, Record<string, unknown>>).filter(([, v]) => v);
  const [entry] = entries;
  if (!entry || entries.length !== 1 || !(entry[0] in operationOf)) {
    throw validationFailure(
      `TransactItems can only contain one of Check, Put, Update or Delete (member ${index + 1} of the request)`,
    );
  }
  return entry as [MemberKind, Record<string, unknown>];
}

/**
 * The items that a request names, read without checking it: a transaction that meets an occupied item is cancelled
 * before anything else is looked at, which keeps a crowd cheap.
 * @returns undefined when that cannot be told
 */
export async function claimedKeys(request: Record<string, unknown>, store: Store): Promise<string[] | undefined> {
  try {
    const keys: string[] = [];
    for (const item of request.TransactItems as Record<string, Record<string, unknown>>[]) {
      const [member] = Object.values(item);
      const table = String(member?.TableName);
      keys.push(
        occupiedKey(table, storageKey((member?.Key ?? member?.Item) as AttributeMap, await describe(store, table))),
      );
    }
    return keys;
  } catch {
    return undefined;
  }
}

/** @throws RequestFailed the request is not a valid transaction */
export async function membersOf(request: Record<string, unknown>, store: Store): Promise<Member[]> {
  const items = request.TransactItems;
  if (!Array.isArray(items) || items.length === 0 || items.length > maxMembers) {
    throw validationFailure(
      `1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length between 1 and ${maxMembers}`,
    );
  }
  const members: Member[] = [];
  for (const [index, item] of items.entries()) {
    const [kind, { ReturnValuesOnConditionCheckFailure: old, ...raw }] = onlyEntry(item, index);
    if (kind === "ConditionCheck" && !raw.ConditionExpression) {
      throw validationFailure("The ConditionExpression of a ConditionCheck must not be empty");
    }
    const data = validated(operationOf[kind], raw, store);
    const table = String(data.TableName);
    const description = await describe(store, table);
    const wanted = (data.Key ?? data.Item) as AttributeMap;
    for (const { AttributeName: name } of description.KeySchema) {
      if (!wanted[name]) throw validationFailure("The provided key element does not match the schema");
    }
    members.push({ kind, table, data, storageKey: storageKey(wanted, description), wantsOld: old === "ALL_OLD" });
  }
  const keys = keysOf(members);
  if (new Set(keys).size < keys.length) {
    throw validationFailure("Transaction request cannot include multiple operations on one item");
  }
  const bytes = members.reduce((sum, { data }) => sum + itemSize((data.Item ?? data.Key) as AttributeMap), 0);
  if (bytes > maxBytes) throw validationFailure("Transaction request size exceeds 4 MB");
  return members;
}

async function apply(member: Member, pendingStore: PendingStore, base: Store): Promise<CancellationReason> {
  try {
    if (member.kind === "ConditionCheck") {
      checkCondition(member.data, await readItem(base, member.table, member.storageKey));
    } else {
      await run(operationOf[member.kind], pendingStore.store, { ...member.data });
    }
    return none;
  } catch (error) {
    if (isConditionFailure(error)) {
      const old = member.wantsOld ? await readItem(base, member.table, member.storageKey) : undefined;
      return {
        Code: "ConditionalCheckFailed",
        Message: "The conditional request failed",
        ...(old && { Item: old }),
      };
    }
    if (error instanceof RequestFailed) return { Code: "ValidationError", Message: error.message };
    throw error;
  }
}

/**
 * Evaluates every member against the items as they are now and collects what they write.
 * @throws RequestFailed TransactionCanceledException
 */
export async function evaluate(members: readonly Member[], pendingStore: PendingStore, base: Store): Promise<void> {
  const reasons: CancellationReason[] = [];
  for (const member of members) reasons.push(await apply(member, pendingStore, base));
  if (reasons.some(({ Code }) => Code !== "None")) throw cancelled(reasons);
}

/** Reads the items of a TransactGetItems request, and what that consumes. */
export async function transactGet(request: Record<string, unknown>, store: Store) {
  const items = request.TransactItems as { Get?: Record<string, unknown> }[] | undefined;
  if (!Array.isArray(items) || items.length === 0 || items.length > maxMembers) {
    throw validationFailure("Member must have length between 1 and 100");
  }
  const reads: { readonly data: Record<string, unknown>; readonly occupied: string }[] = [];
  for (const { Get } of items) {
    const data = validated("GetItem", { ...Get }, store);
    const description = await describe(store, String(data.TableName));
    const key = storageKey(data.Key as AttributeMap, description);
    reads.push({ data, occupied: occupiedKey(String(data.TableName), key) });
  }
  return {
    keys: reads.map(({ occupied }) => occupied),
    async read() {
      const answers = await Promise.all(reads.map(({ data }) => run("GetItem", store, { ...data })));
      const units = answers.reduce(
        (sum, { Item }) => sum + transactionalReadUnits(Item as AttributeMap | undefined),
        0,
      );
      return { responses: answers.map(({ Item }) => (Item ? { Item } : {})), units };
    },
  };
}

const tokenMilliseconds = 10 * 60_000;

/** Remembers the tokens of committed transactions: the same request again is a success that writes nothing. */
export class RequestTokens {
  readonly #seen = new Map<string, { readonly hash: string; readonly at: number }>();

  /**
   * Whether a transaction with this token was committed.
   * @throws RequestFailed IdempotentParameterMismatchException
   */
  isRepeated(token: string | undefined, request: unknown, now: number): boolean {
    const seen = token === undefined ? undefined : this.#seen.get(token);
    if (!seen || seen.at < now - tokenMilliseconds) return false;
    if (seen.hash !== hashOf(request)) {
      throw failure("IdempotentParameterMismatchException", "Request parameters differ from those of the same token");
    }
    return true;
  }

  remember(token: string | undefined, request: unknown, now: number): void {
    if (token === undefined) return;
    this.#seen.set(token, { hash: hashOf(request), at: now });
    for (const [other, { at }] of this.#seen) {
      if (at >= now - tokenMilliseconds) break;
      this.#seen.delete(other);
    }
  }
}

const hashOf = (request: unknown): string => createHash("sha256").update(JSON.stringify(request)).digest("hex");
