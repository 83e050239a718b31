/**
 * A table in memory that carries out the product's commands one at a time, each as a whole. It keeps all earlier values
 * of each item, so that eventually consistent reads can be old. A request that AWS refuses fails the run.
 * `table.test.ts` compares this table with the local stage's engine.
 */
import {
  ConditionalCheckFailedException,
  IdempotentParameterMismatchException,
  TransactionCanceledException,
} from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  GetCommand,
  type GetCommandInput,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from "@aws-sdk/lib-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { expectKnownKind } from "../known-kinds.ts";
import { loneMessage } from "../lone-messages.ts";
import { checkPlaceholders, holds, InvalidExpression, type Item, updated } from "./expression.ts";
import { checkExpressions, checkItem, checkKey, checkTransaction } from "./limits.ts";

/** One item before and after a commit. */
export interface Changed {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** A write, alone or in a transaction. */
export interface Write {
  readonly Key?: Item;
  readonly Item?: Item;
  UpdateExpression?: string | undefined;
  ConditionExpression?: string | undefined;
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: Record<string, unknown> | undefined;
  readonly ReturnValuesOnConditionCheckFailure?: string | undefined;
}

/** The sort keys of the indexes that the model knows. */
const sortKeys: Readonly<Record<string, string>> = { REGISTRATIONS: "queueKey", GSI1: "GSI1SK" };

const keyOf = ({ PK, SK }: Item): string => `${PK} ${SK}`;
const metadata = { $metadata: { httpStatusCode: 400 }, message: "" };

/** The item without undefined fields, as the document client sends it. */
const sent = (item: Item): Item => JSON.parse(JSON.stringify(item)) as Item;

function frozen<T>(value: T): T {
  if (value !== null && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) frozen(part);
  }
  return value;
}

const placeholdersOf = (call: Pick<Write, "ExpressionAttributeNames" | "ExpressionAttributeValues">) => ({
  names: call.ExpressionAttributeNames ?? {},
  values: call.ExpressionAttributeValues ?? {},
});

/** The writes of a command, none for a read. A mutant may change them before they are carried out. */
export function writesOf(command: unknown): Write[] {
  if (command instanceof UpdateCommand) return [command.input as Write];
  if (!(command instanceof TransactWriteCommand)) return [];
  return (command.input.TransactItems ?? []).map((item) => Object.values(item)[0] as Write);
}

export const partitionOf = ({ Key, Item }: Write): string => String((Key ?? Item)?.PK);

export class MemoryTable {
  /** All values of each item, oldest first, by key. */
  readonly #history = new Map<string, (Item | undefined)[]>();
  /** Tokens of committed transactions. DynamoDB remembers them for ten minutes. */
  readonly #tokens = new Map<string, string>();
  readonly #partitions = new Map<string, Map<string, Item>>();
  onCommit: (changes: readonly Changed[]) => void = () => undefined;
  /** Whether it may have items of kinds that the service does not declare. */
  hasStrays = false;

  /** @param age how many values old an eventually consistent read is: 0 reads the present one */
  execute(command: unknown, age: () => number): object {
    if (command instanceof GetCommand) return this.#get(command.input, age);
    if (command instanceof BatchGetCommand) return this.#batchGet(command.input, age);
    if (command instanceof QueryCommand) return this.#query(command.input);
    if (command instanceof UpdateCommand) return this.#update(command.input);
    if (command instanceof TransactWriteCommand) return this.#transact(command.input);
    throw new Error("a command that the model does not know");
  }

  /** Stores an item without any condition. */
  seed(item: Item): void {
    this.#store([[{ Item: item }, sent(item)]]);
  }

  /** Removes an item without any condition. */
  remove(key: Item): void {
    this.#store([[{ Key: key }, undefined]]);
  }

  /** The present item. */
  /** All items. */
  all(): Item[] {
    return [...this.#partitions.values()].flatMap((partition) => [...partition.values()]);
  }

  peek(key: Item): Item | undefined {
    return this.#now(key);
  }

  /** The present items of a partition. */
  itemsOf(partition: string): Item[] {
    return [...(this.#partitions.get(partition)?.values() ?? [])];
  }

  #now(key: Item): Item | undefined {
    return this.#partitions.get(String(key.PK))?.get(String(key.SK));
  }

  #read(key: Item, isConsistent: boolean | undefined, age: () => number): Item | undefined {
    checkKey(key);
    if (isConsistent) return this.#now(key);
    const values = this.#history.get(keyOf(key)) ?? [undefined];
    return values[Math.max(0, values.length - 1 - age())];
  }

  #get({ Key, ConsistentRead }: GetCommandInput, age: () => number): object {
    const item = this.#read(Key as Item, ConsistentRead, age);
    return item ? { Item: item } : {};
  }

  #batchGet({ RequestItems = {} }: BatchGetCommandInput, age: () => number): object {
    const responses = Object.entries(RequestItems).map(([table, { Keys = [], ConsistentRead }]) => {
      if (Keys.length === 0 || Keys.length > 100) throw new InvalidExpression(`${Keys.length} keys at once`);
      return [table, Keys.flatMap((key) => this.#read(key, ConsistentRead, age) ?? [])] as const;
    });
    return { Responses: Object.fromEntries(responses), UnprocessedKeys: {} };
  }

  /** What an index shows when it has every write. */
  #queryIndex(input: QueryCommandInput): object {
    const { IndexName, KeyConditionExpression, ExclusiveStartKey, FilterExpression } = input;
    const sortKey = sortKeys[IndexName ?? ""];
    if (sortKey === undefined || ExclusiveStartKey || FilterExpression) {
      throw new Error("the model knows two indexes, and reads them whole");
    }
    const given = placeholdersOf(input);
    checkPlaceholders([KeyConditionExpression], given);
    checkExpressions([KeyConditionExpression], given);
    const found = this.all()
      .filter((item) => item[sortKey] !== undefined && holds(KeyConditionExpression, item, given))
      .sort((a, b) => (String(a[sortKey]) < String(b[sortKey]) ? -1 : 1));
    return { Items: found, Count: found.length };
  }

  #query(input: QueryCommandInput): object {
    if (input.IndexName) return this.#queryIndex(input);
    const isBackward = input.ScanIndexForward === false;
    const { KeyConditionExpression, FilterExpression, ExclusiveStartKey, Limit = Number.POSITIVE_INFINITY } = input;
    const given = placeholdersOf(input);
    checkPlaceholders([KeyConditionExpression, FilterExpression], given);
    checkExpressions([KeyConditionExpression, FilterExpression], given);
    if (ExclusiveStartKey) checkKey(ExclusiveStartKey);
    const partition = given.values[/PK = (:\w+)/.exec(KeyConditionExpression ?? "")?.[1] ?? ""];
    const found = [...(this.#partitions.get(String(partition))?.values() ?? [])]
      .filter((item) => holds(KeyConditionExpression, item, given))
      .sort((a, b) => (String(a.SK) < String(b.SK) !== isBackward ? -1 : 1))
      .filter(({ SK }) => {
        const last = ExclusiveStartKey && String(ExclusiveStartKey.SK);
        return last === undefined || (isBackward ? String(SK) < last : String(SK) > last);
      });
    const page = found.slice(0, Limit);
    const items = page.filter((item) => holds(FilterExpression, item, given));
    const last = page.length === Limit ? page.at(-1) : undefined;
    return {
      ...(input.Select !== "COUNT" && { Items: items }),
      Count: items.length,
      ...(last && { LastEvaluatedKey: { PK: last.PK, SK: last.SK } }),
    };
  }

  /** The item after a write; `undefined` if it is gone. */
  #result(kind: string, write: Write): Item | undefined {
    if (kind === "Delete" || kind === "ConditionCheck")
      return kind === "Delete" ? undefined : this.#now(write.Key ?? {});
    if (kind === "Put") return sent(write.Item ?? {});
    return updated(this.#now(write.Key ?? {}) ?? write.Key ?? {}, write.UpdateExpression ?? "", {
      ...placeholdersOf(write),
    });
  }

  #isAllowed(write: Write): boolean {
    const given = placeholdersOf(write);
    checkKey(write.Key ?? write.Item ?? {});
    checkPlaceholders([write.ConditionExpression, write.UpdateExpression], given);
    checkExpressions([write.ConditionExpression, write.UpdateExpression], given);
    return holds(write.ConditionExpression, this.#now(write.Key ?? write.Item ?? {}), given);
  }

  #update(input: UpdateCommandInput): object {
    const write = input as Write;
    if (!this.#isAllowed(write)) {
      const old = this.#now(write.Key ?? {});
      const isAsked = write.ReturnValuesOnConditionCheckFailure === "ALL_OLD" && old;
      throw new ConditionalCheckFailedException({ ...metadata, ...(isAsked && { Item: marshall(old) }) });
    }
    const after = this.#result("Update", write);
    if (after) checkItem(after);
    this.#store([[write, after]]);
    return input.ReturnValues === "ALL_NEW" ? { Attributes: after } : {};
  }

  #transact({ TransactItems = [], ClientRequestToken: token }: TransactWriteCommandInput): object {
    const parameters = JSON.stringify(TransactItems);
    const known = token === undefined ? undefined : this.#tokens.get(token);
    if (known !== undefined && known !== parameters) throw new IdempotentParameterMismatchException(metadata);
    if (known !== undefined) return {};
    const writes = TransactItems.map((item) => Object.entries(item)[0] as [string, Write]);
    const keys = new Set(writes.map(([, { Key, Item }]) => keyOf(Key ?? Item ?? {})));
    if (keys.size < writes.length) throw new InvalidExpression("two members write the same item");
    const lone = loneMessage(writes.map(([, { Item }]) => Item));
    if (lone !== undefined) throw new InvalidExpression(lone);
    const reasons = writes.map(([, write]) => {
      if (this.#isAllowed(write)) return { Code: "None" };
      const old = this.#now(write.Key ?? write.Item ?? {});
      const isAsked = write.ReturnValuesOnConditionCheckFailure === "ALL_OLD" && old;
      return { Code: "ConditionalCheckFailed", ...(isAsked && { Item: marshall(old) }) };
    });
    if (reasons.some(({ Code }) => Code !== "None"))
      throw new TransactionCanceledException({ ...metadata, CancellationReasons: reasons });
    const results = writes.map(([kind, write]) => [write, this.#result(kind, write)] as const);
    const stored = results.map(([, after]) => after);
    for (const item of stored) if (item) checkItem(item);
    checkTransaction(writes.length, stored);
    this.#store(results);
    if (token !== undefined) this.#tokens.set(token, parameters);
    return {};
  }

  #store(results: readonly (readonly [Write, Item | undefined])[]): void {
    const changes = results.map(([{ Key, Item }, after]): Changed => {
      const key = Key ?? Item ?? {};
      if (after && !this.hasStrays) expectKnownKind(after);
      const before = this.#now(key);
      const partition = this.#partitions.get(String(key.PK)) ?? new Map<string, Item>();
      this.#partitions.set(String(key.PK), partition);
      if (after) partition.set(String(key.SK), frozen(after));
      else partition.delete(String(key.SK));
      const values = this.#history.get(keyOf(key)) ?? [undefined];
      values.push(after);
      this.#history.set(keyOf(key), values);
      return { before, after };
    });
    this.onCommit(changes);
  }
}
