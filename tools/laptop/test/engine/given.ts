/** A running engine with the table `Club`, which is closed after the test, and requests to it. */
import { afterEach } from "@jest/globals";
import { startTableEngine, type TableEngineOptions } from "../../dynamodb/index.ts";
import { type Json, protocolClient, type Reply, reasonsOf } from "./protocol-client.ts";
import { givenDefinition, givenKey } from "./table.ts";

/** What is closed after the test, the last first. */
export const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

export const TableName = "Club";

/** Nothing conflicts, unless the options say so. */
export async function givenTable(options: TableEngineOptions = {}, definition = givenDefinition()) {
  const engine = await startTableEngine({ conflictMilliseconds: 0, ...options });
  const client = protocolClient(engine.url);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= engine.close().finally(() => client.close());
    return closing;
  };
  open.push(close);
  await engine.ensureTable(definition);
  const call = (operation: string, body: Json = {}) => client.call(operation, { TableName, ...body });
  return {
    ...client,
    engine,
    close,
    /** An operation on the table. */
    call,
    put: (partition: string, more: Json = {}) => call("PutItem", { Item: { ...givenKey(partition), ...more } }),
    get: (partition: string) => call("GetItem", { Key: givenKey(partition), ConsistentRead: true }),
    remove: (partition: string) => call("DeleteItem", { Key: givenKey(partition) }),
    transact: (...TransactItems: readonly Json[]) => client.call("TransactWriteItems", { TransactItems }),
    /** The attribute `n` of an item; 0 where it has none. */
    async numberOf(partition: string): Promise<number> {
      return Number((await this.get(partition)).body.Item?.n?.N ?? 0);
    },
  };
}

export type Table = Awaited<ReturnType<typeof givenTable>>;

/** Codes of the reasons of a cancelled transaction. */
export const codesOf = (reply: Reply) => reasonsOf(reply)?.map(({ Code }) => Code);

/** An update that adds 1 to the attribute `n`. */
export const increment = (partition: string, more: Json = {}): Json => ({
  TableName,
  Key: givenKey(partition),
  UpdateExpression: "ADD n :one",
  ExpressionAttributeValues: { ":one": { N: "1" } },
  ...more,
});

export const putting = (partition: string, more: Json = {}): Json => ({
  Put: { TableName, Item: { ...givenKey(partition), ...more } },
});

export const checking = (partition: string): Json => ({
  ConditionCheck: { TableName, Key: givenKey(partition), ConditionExpression: "attribute_not_exists(nothing)" },
});
