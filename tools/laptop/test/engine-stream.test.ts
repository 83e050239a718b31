/** The log of committed writes, and the expiry of items. */
import { beforeEach, expect, test } from "@jest/globals";
import { Engine } from "../dynamodb/engine.ts";
import type { StreamRecord } from "../dynamodb/index.ts";
import { givenTable, open, putting, type Table, TableName } from "./engine/given.ts";
import type { Json } from "./engine/protocol-client.ts";
import { givenDefinition, givenKey } from "./engine/table.ts";

let table: Table;
let now: number;

beforeEach(async () => {
  now = Date.parse("2026-03-01T12:00:00.500Z");
  table = await givenTable({ clock: () => now });
});

const names = (records: readonly StreamRecord[]) =>
  records.map(({ eventName, dynamodb }) => [eventName, dynamodb.Keys.PK?.S]);

test("writes that change nothing and refused writes are not recorded", async () => {
  await table.put("A", { m: { M: { x: { N: "1" }, y: { S: "b" } } } });
  await table.put("A", { m: { M: { y: { S: "b" }, x: { N: "1.0" } } } });
  await table.remove("nobody");
  const check = { TableName, Key: givenKey("A"), ConditionExpression: "attribute_not_exists(PK)" };
  await table.transact(putting("B"), { ConditionCheck: check });
  expect(names(await table.engine.stream.read())).toEqual([["INSERT", "A"]]);
});

test("a transaction is announced as a whole, in commit order, and read from any point until it is trimmed", async () => {
  const { stream } = table.engine;
  const heard: (readonly StreamRecord[])[] = [];
  const stop = stream.onAppend((records) => heard.push(records));
  await table.transact(putting("A"), putting("B"), putting("C"));
  await table.put("D");
  stop();
  await table.put("E");
  expect(heard.map((records) => names(records).map(([, name]) => name))).toEqual([["A", "B", "C"], ["D"]]);
  const records = await stream.read();
  expect(records.slice(0, 4)).toEqual(heard.flat());
  const second = records[1]?.dynamodb.SequenceNumber as string;
  expect(await stream.read(second, 2)).toEqual(records.slice(2, 4));
  await stream.trim(second);
  expect(await stream.read()).toEqual(records.slice(2));
});

test("a sweep deletes expired items, as the service itself", async () => {
  const seconds = Math.floor(now / 1000);
  const times: readonly [string, Json][] = [
    ["past", { ttl: { N: `${seconds - 1}` }, GSI1PK: { S: "G" }, GSI1SK: { S: "1" } }],
    ["future", { ttl: { N: `${seconds + 60}` } }],
    ["never", {}],
    ["text", { ttl: { S: `${seconds - 1}` } }],
    ["ancient", { ttl: { N: "1000" } }],
  ];
  for (const [name, attributes] of times) await table.put(name, attributes);
  expect(await table.engine.sweepExpired()).toBe(1);
  expect((await table.engine.stream.read()).at(-1)).toMatchObject({
    eventName: "REMOVE",
    userIdentity: { type: "Service", principalId: "dynamodb.amazonaws.com" },
    dynamodb: { Keys: givenKey("past") },
  });
  expect((await table.call("Scan", { IndexName: "GSI1" })).body.Count).toBe(0);
  now += 61_000;
  expect(await table.engine.sweepExpired()).toBe(1);
  const { Items } = (await table.call("Scan")).body as { Items: { PK: { S: string } }[] };
  expect(Items.map(({ PK }) => PK.S).sort()).toEqual(["ancient", "never", "text"]);
});

test("an item that is given more time during the sweep stays", async () => {
  const place = { region: "us-west-2", accountId: "000000000000" };
  const engine = await Engine.open({ ...place, conflictMilliseconds: 0, clock: () => now });
  open.push(() => engine.close());
  await engine.ensureTable(givenDefinition());
  const expiringIn = (seconds: number, partition: string) => {
    const ttl = { N: `${Math.floor(now / 1000) + seconds}` };
    return engine.execute("PutItem", { TableName, Item: { ...givenKey(partition), ttl } });
  };
  const partitions = ["A", "B", "C", "D"];
  for (const partition of partitions) await expiringIn(-1, partition);
  const prolonged: Promise<unknown>[] = [];
  // At the first removal every item gets more time, before the sweep reaches the next one.
  engine.stream.onAppend(() => {
    if (prolonged.length === 0) prolonged.push(...partitions.map((one) => expiringIn(60, one)));
  });
  expect(await engine.sweepExpired()).toBe(1);
  await Promise.all(prolonged);
  expect((await engine.execute("Scan", { TableName })).body.Count).toBe(4);
});
