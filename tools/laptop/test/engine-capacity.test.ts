/** Units as AWS's documentation counts them. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type AnsweredCall, startTableEngine, type TableEngine } from "../dynamodb/index.ts";
import { itemSize } from "../dynamodb/item-size.ts";
import { type Json, type ProtocolClient, protocolClient } from "./engine/protocol-client.ts";
import { givenDefinition, givenKey } from "./engine/table.ts";

let engine: TableEngine;
let client: ProtocolClient;
const calls: AnsweredCall[] = [];

beforeAll(async () => {
  engine = await startTableEngine({ conflictMilliseconds: 0, onCall: (call) => calls.push(call) });
  await engine.ensureTable(givenDefinition());
  client = protocolClient(engine.url, "LOCALSomebody");
});
afterAll(async () => {
  client.close();
  await engine.close();
});

const TableName = "Club";
const text = (bytes: number) => ({ S: "x".repeat(bytes) });
const inGsi1 = (sort: string) => ({ GSI1PK: { S: "G" }, GSI1SK: { S: sort } });
const inLeaders = (points: number) => ({ lb: { S: "L" }, points: { N: `${points}` } });
const item = (partition: string, more: Json = {}) => ({ ...givenKey(partition), ...more });

/** The capacity of a request, as the caller and the listener get it. */
async function consumed(operation: string, body: Json): Promise<Json> {
  const { status, body: answer } = await client.call(operation, { ...body, ReturnConsumedCapacity: "INDEXES" });
  if (status !== 200) throw new Error(JSON.stringify(answer));
  const [capacity] = [answer.ConsumedCapacity].flat();
  const { readUnits, writeUnits } = calls.at(-1) as AnsweredCall;
  expect(readUnits + writeUnits).toBe(capacity.CapacityUnits);
  const indexes = Object.entries((capacity.GlobalSecondaryIndexes ?? {}) as Record<string, Json>);
  return {
    total: capacity.CapacityUnits,
    table: capacity.Table.CapacityUnits,
    ...Object.fromEntries(indexes.map(([name, { CapacityUnits }]) => [name, CapacityUnits])),
  };
}

const put = (Item: Json) => consumed("PutItem", { TableName, Item });

test("an item is as large as AWS says", () => {
  expect(itemSize({ ab: { S: "zoë" } })).toBe(2 + 4);
  expect(itemSize({ n: { N: "0" } })).toBe(1 + 1);
  expect(itemSize({ n: { N: "1234567" } })).toBe(1 + 5);
  expect(itemSize({ n: { N: "-12" } })).toBe(1 + 3);
  expect(itemSize({ n: { N: "1200" } })).toBe(itemSize({ n: { N: "12" } }));
  expect(itemSize({ b: { BOOL: true }, o: { NULL: true }, y: { B: "AAAA" } })).toBe(2 + 2 + 4);
  expect(itemSize({ l: { L: [{ S: "a" }, { S: "b" }] } })).toBe(1 + 3 + 2 * 2);
  expect(itemSize({ m: { M: { key: { S: "a" } } } })).toBe(1 + 3 + 1 + 4);
});

test("a write costs a unit for every kilobyte of the larger version", async () => {
  expect(await put(item("plain"))).toEqual({ total: 1, table: 1 });
  expect(await put(item("plain", { s: text(1_000) }))).toEqual({ total: 1, table: 1 });
  expect(await put(item("plain", { s: text(1_024) }))).toEqual({ total: 2, table: 2 });
  expect(await put(item("plain", { s: text(3_000) }))).toEqual({ total: 3, table: 3 });
  expect(await put(item("plain"))).toEqual({ total: 3, table: 3 });
  expect(await consumed("DeleteItem", { TableName, Key: givenKey("plain") })).toEqual({ total: 1, table: 1 });
  expect(await consumed("DeleteItem", { TableName, Key: givenKey("nobody") })).toEqual({ total: 1, table: 1 });
});

test("an index costs the changes of its entries", async () => {
  const one = { ...inGsi1("a"), ...inLeaders(5) };
  expect(await put(item("listed", one))).toEqual({ total: 3, table: 1, GSI1: 1, Leaders: 1 });
  expect(await put(item("listed", one))).toEqual({ total: 1, table: 1 });
  expect(await put(item("listed", { ...one, s: text(1_100) }))).toEqual({ total: 6, table: 2, GSI1: 2, Leaders: 2 });
  expect(await put(item("listed", one))).toEqual({ total: 6, table: 2, GSI1: 2, Leaders: 2 });
  // Another sort key is a removal and an addition; in the other index it is a change.
  expect(await put(item("listed", { ...one, ...inGsi1("b") }))).toEqual({ total: 4, table: 1, GSI1: 2, Leaders: 1 });
  const out = { TableName, Key: givenKey("listed"), UpdateExpression: "REMOVE lb" };
  expect(await consumed("UpdateItem", out)).toEqual({ total: 3, table: 1, GSI1: 1, Leaders: 1 });
  expect(await consumed("DeleteItem", { TableName, Key: givenKey("listed") })).toEqual({ total: 2, table: 1, GSI1: 1 });
});

test("a transaction writes its items twice, and its indexes once", async () => {
  await put(item("checked", { s: text(1_500) }));
  const TransactItems = [
    { Put: { TableName, Item: item("first", inGsi1("a")) } },
    { Put: { TableName, Item: item("second", { s: text(1_100) }) } },
    { ConditionCheck: { TableName, Key: givenKey("checked"), ConditionExpression: "attribute_exists(PK)" } },
    { Delete: { TableName, Key: givenKey("nobody") } },
  ];
  const request = { TransactItems, ClientRequestToken: "once" };
  expect(await consumed("TransactWriteItems", request)).toEqual({ total: 13, table: 12, GSI1: 1 });
  // The same again only reads.
  expect(await consumed("TransactWriteItems", request)).toEqual({ total: 8, table: 8 });
});

test("a read costs half a unit for every four kilobytes, a consistent one a whole", async () => {
  await put(item("small"));
  await put(item("large", { s: text(5_000) }));
  const get = (partition: string, more: Json = {}) =>
    consumed("GetItem", { TableName, Key: givenKey(partition), ...more });
  expect(await get("small")).toEqual({ total: 0.5, table: 0.5 });
  expect(await get("nobody")).toEqual({ total: 0.5, table: 0.5 });
  expect(await get("large")).toEqual({ total: 1, table: 1 });
  expect(await get("large", { ProjectionExpression: "PK" })).toEqual({ total: 1, table: 1 });
  expect(await get("large", { ConsistentRead: true })).toEqual({ total: 2, table: 2 });
  const Keys = ["small", "large", "nobody"].map((partition) => givenKey(partition));
  const batch = (more: Json = {}) => consumed("BatchGetItem", { RequestItems: { [TableName]: { Keys, ...more } } });
  expect(await batch()).toEqual({ total: 2, table: 2 });
  expect(await batch({ ConsistentRead: true })).toEqual({ total: 4, table: 4 });
  const TransactItems = Keys.map((Key) => ({ Get: { TableName, Key, ProjectionExpression: "PK" } }));
  expect(await consumed("TransactGetItems", { TransactItems })).toEqual({ total: 8, table: 8 });
});

test("a query rounds up the size of all items that it reads, before its filter", async () => {
  for (const sort of ["1", "2", "3", "4", "5"]) {
    await put({ ...givenKey("many", sort), GSI1PK: { S: "MANY" }, GSI1SK: { S: sort }, s: text(1_500) });
  }
  const query = (more: Json = {}) =>
    consumed("Query", {
      TableName,
      KeyConditionExpression: "PK = :p",
      ExpressionAttributeValues: { ":p": { S: "many" } },
      ...more,
    });
  expect(await query()).toEqual({ total: 1, table: 1 });
  expect(await query({ ConsistentRead: true })).toEqual({ total: 2, table: 2 });
  expect(await query({ Limit: 2 })).toEqual({ total: 0.5, table: 0.5 });
  expect(await query({ Select: "COUNT" })).toEqual({ total: 1, table: 1 });
  expect(await query({ FilterExpression: "attribute_exists(nothing)" })).toEqual({ total: 1, table: 1 });
  expect(await query({ ExpressionAttributeValues: { ":p": { S: "nobody" } } })).toEqual({ total: 0.5, table: 0.5 });
  const listed = { IndexName: "GSI1", KeyConditionExpression: "GSI1PK = :p" };
  const values = { ExpressionAttributeValues: { ":p": { S: "MANY" } } };
  expect(await query({ ...listed, ...values })).toEqual({ total: 1, table: 0, GSI1: 1 });
});

test("a batch costs the sum of its writes", async () => {
  const writes = [{ PutRequest: { Item: item("b1", inGsi1("b")) } }, { DeleteRequest: { Key: givenKey("nobody") } }];
  expect(await consumed("BatchWriteItem", { RequestItems: { [TableName]: writes } })).toEqual({
    total: 3,
    table: 2,
    GSI1: 1,
  });
});

test("a listener gets caller and operation, and a refused request costs nothing", async () => {
  await client.call("PutItem", { TableName, Item: item("b1"), ConditionExpression: "attribute_not_exists(PK)" });
  expect(calls.at(-1)).toMatchObject({
    accessKeyId: "LOCALSomebody",
    operation: "PutItem",
    tables: [TableName],
    readUnits: 0,
    writeUnits: 0,
  });
});
