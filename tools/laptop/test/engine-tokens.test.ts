/**
 * A repeated transaction with the token of its request:
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html, "ClientRequestToken".
 */
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { startTableEngine, type TableEngine } from "../dynamodb/index.ts";
import { errorName, type Json, type ProtocolClient, protocolClient } from "./engine/protocol-client.ts";
import { givenDefinition, givenKey } from "./engine/table.ts";

const TableName = "Club";
const minute = 60_000;
let engine: TableEngine;
let client: ProtocolClient;
let now: number;

beforeEach(async () => {
  now = Date.parse("2026-01-01T00:00:00Z");
  engine = await startTableEngine({ conflictMilliseconds: 0, clock: () => now });
  await engine.ensureTable(givenDefinition());
  client = protocolClient(engine.url);
});
afterEach(async () => {
  client.close();
  await engine.close();
});

const increment = (more: Json = {}) => ({
  Update: {
    TableName,
    Key: givenKey("A"),
    UpdateExpression: "ADD n :one",
    ExpressionAttributeValues: { ":one": { N: "1" } },
    ...more,
  },
});
const send = async (member: Json, token: unknown = "once", more: Json = {}): Promise<string> => {
  const reply = await client.call("TransactWriteItems", {
    TransactItems: [member],
    ClientRequestToken: token,
    ...more,
  });
  return reply.status === 200 ? "fine" : errorName(reply);
};
const count = async (): Promise<number> =>
  Number((await client.call("GetItem", { TableName, Key: givenKey("A") })).body.Item?.n.N ?? 0);

test("for ten minutes the same transaction is a success that writes nothing", async () => {
  expect([await send(increment()), await send(increment()), await count()]).toEqual(["fine", "fine", 1]);
  now += 10 * minute;
  expect([await send(increment()), await count()]).toEqual(["fine", 1]);
  now += 1;
  expect([await send(increment()), await count()]).toEqual(["fine", 2]);
});

test("another order of fields, or another wish for capacity, is the same transaction", async () => {
  const { Update } = increment();
  const reversed = { Update: Object.fromEntries(Object.entries(Update).reverse()) };
  expect([await send({ Update }), await send(reversed)]).toEqual(["fine", "fine"]);
  expect([await send({ Update }, "once", { ReturnConsumedCapacity: "TOTAL" }), await count()]).toEqual(["fine", 1]);
});

test("another transaction with the token is refused", async () => {
  await send(increment());
  const other = increment({ ExpressionAttributeValues: { ":one": { N: "2" } } });
  expect([await send(other), await count()]).toEqual(["IdempotentParameterMismatchException", 1]);
  expect([await send(other, "another"), await count()]).toEqual(["fine", 3]);
});

test("a cancelled transaction is not remembered: the token runs it anew", async () => {
  const guarded = increment({ ConditionExpression: "attribute_exists(PK)" });
  expect(await send(guarded)).toBe("TransactionCanceledException");
  await client.call("PutItem", { TableName, Item: givenKey("A") });
  expect([await send(guarded), await send(guarded), await count()]).toEqual(["fine", "fine", 1]);
});
