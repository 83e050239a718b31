/** Units as AWS's documentation counts them. */
import { beforeEach, expect, test } from "@jest/globals";
import type { AnsweredCall } from "../dynamodb/index.ts";
import { itemSize } from "../dynamodb/item-size.ts";
import { givenTable, type Table, TableName } from "./engine/given.ts";
import type { Json } from "./engine/protocol-client.ts";
import { givenKey } from "./engine/table.ts";

const calls: AnsweredCall[] = [];
let table: Table;
beforeEach(async () => {
  table = await givenTable({ onCall: (call) => calls.push(call) });
});

const text = (bytes: number) => ({ S: "x".repeat(bytes) });
const inGsi1 = (sort: string) => ({ GSI1PK: { S: "G" }, GSI1SK: { S: sort } });
const inLeaders = { lb: { S: "L" }, points: { N: "5" } };
const item = (partition: string, more: Json = {}) => ({ ...givenKey(partition), ...more });

/** The units of a request, of the table with its indexes, as the caller and the listener get them. */
async function consumed(operation: string, body: Json): Promise<number> {
  const { body: answer } = await table.send(
    `DynamoDB_20120810.${operation}`,
    JSON.stringify({ ...body, ReturnConsumedCapacity: "TOTAL" }),
  );
  const [{ CapacityUnits }] = [answer.ConsumedCapacity].flat();
  const { readUnits, writeUnits } = calls.at(-1) as AnsweredCall;
  expect(readUnits + writeUnits).toBe(CapacityUnits);
  return CapacityUnits;
}

const put = (Item: Json) => consumed("PutItem", { TableName, Item });

test.each<[Parameters<typeof itemSize>[0], number]>([
  [{ n: { N: "1234567" } }, 1 + 5],
  [{ n: { N: "-12" } }, 1 + 3],
  [{ b: { BOOL: true }, o: { NULL: true }, y: { B: "AAAA" } }, 2 + 2 + 4],
  [{ l: { L: [{ S: "a" }, { S: "b" }] } }, 1 + 3 + 2 * 2],
])("the item %j has %i bytes", (one, bytes) => {
  expect(itemSize(one)).toBe(bytes);
});

test("a write costs a unit for every kilobyte of the larger version", async () => {
  expect(await put(item("plain", { s: text(1_000) }))).toBe(1);
  expect(await put(item("plain", { s: text(1_024) }))).toBe(2);
  expect(await put(item("plain", { s: text(3_000) }))).toBe(3);
  expect(await put(item("plain"))).toBe(3);
  expect(await consumed("DeleteItem", { TableName, Key: givenKey("nobody") })).toBe(1);
});

test("an index costs the changes of its entries", async () => {
  const one = { ...inGsi1("a"), ...inLeaders };
  expect(await put(item("listed", one))).toBe(3);
  expect(await put(item("listed", one))).toBe(1);
  expect(await put(item("listed", { ...one, s: text(1_100) }))).toBe(6);
  expect(await put(item("listed", one))).toBe(6);
  // Another sort key is a removal and an addition; in the other index it is a change.
  expect(await put(item("listed", { ...one, ...inGsi1("b") }))).toBe(4);
  expect(await consumed("DeleteItem", { TableName, Key: givenKey("listed") })).toBe(3);
});

test("a transaction writes its items twice, and its indexes once; the same again only reads", async () => {
  await put(item("checked", { s: text(1_500) }));
  const TransactItems = [
    { Put: { TableName, Item: item("first", inGsi1("a")) } },
    { Put: { TableName, Item: item("second", { s: text(1_100) }) } },
    { ConditionCheck: { TableName, Key: givenKey("checked"), ConditionExpression: "attribute_exists(PK)" } },
    { Delete: { TableName, Key: givenKey("nobody") } },
  ];
  const request = { TransactItems, ClientRequestToken: "once" };
  expect(await consumed("TransactWriteItems", request)).toBe(13);
  expect(await consumed("TransactWriteItems", request)).toBe(8);
});

test("a read costs half a unit for every four kilobytes, a consistent one a whole, a transactional one two", async () => {
  await put(item("small"));
  await put(item("large", { s: text(5_000) }));
  const get = (partition: string, more: Json = {}) =>
    consumed("GetItem", { TableName, Key: givenKey(partition), ...more });
  expect(await get("small")).toBe(0.5);
  expect(await get("nobody")).toBe(0.5);
  expect(await get("large", { ProjectionExpression: "PK" })).toBe(1);
  expect(await get("large", { ConsistentRead: true })).toBe(2);
  const Keys = ["small", "large", "nobody"].map((partition) => givenKey(partition));
  const batch = (more: Json = {}) => consumed("BatchGetItem", { RequestItems: { [TableName]: { Keys, ...more } } });
  expect(await batch()).toBe(2);
  expect(await batch({ ConsistentRead: true })).toBe(4);
  const TransactItems = Keys.map((Key) => ({ Get: { TableName, Key, ProjectionExpression: "PK" } }));
  expect(await consumed("TransactGetItems", { TransactItems })).toBe(8);
});

test("a query rounds up the size of all items that it reads, before its filter", async () => {
  for (const sort of ["1", "2", "3", "4", "5"]) {
    await put({ ...givenKey("many", sort), ...inGsi1(sort), s: text(1_500) });
  }
  const query = (more: Json = {}, partition = "many") =>
    consumed("Query", {
      TableName,
      KeyConditionExpression: "PK = :p",
      ExpressionAttributeValues: { ":p": { S: partition } },
      ...more,
    });
  expect(await query({ ConsistentRead: true })).toBe(2);
  expect(await query({ Limit: 2 })).toBe(0.5);
  expect(await query({ Select: "COUNT" })).toBe(1);
  expect(await query({ FilterExpression: "attribute_exists(nothing)" })).toBe(1);
  expect(await query({}, "nobody")).toBe(0.5);
  const listed = { IndexName: "GSI1", KeyConditionExpression: "GSI1PK = :p" };
  expect(await query(listed, "G")).toBe(1);
});
