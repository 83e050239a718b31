/** The log of committed writes, and the expiry of items. */
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { Engine } from "../dynamodb/engine.ts";
import { type StreamRecord, startTableEngine, type TableEngine } from "../dynamodb/index.ts";
import { type Json, type ProtocolClient, protocolClient } from "./engine/protocol-client.ts";
import { givenDefinition, givenKey } from "./engine/table.ts";

const TableName = "Club";
let engine: TableEngine;
let client: ProtocolClient;
let now: number;

beforeEach(async () => {
  now = Date.parse("2026-03-01T12:00:00.500Z");
  engine = await startTableEngine({ conflictMilliseconds: 0, clock: () => now });
  await engine.ensureTable(givenDefinition());
  client = protocolClient(engine.url);
});
afterEach(async () => {
  client.close();
  await engine.close();
});

const put = (partition: string, more: Json = {}) =>
  client.call("PutItem", { TableName, Item: { ...givenKey(partition), ...more } });
const names = (records: readonly StreamRecord[]) =>
  records.map(({ eventName, dynamodb }) => [eventName, dynamodb.Keys.PK?.S]);

test("records are those of a DynamoDB stream", async () => {
  await put("A", { n: { N: "1" } });
  await put("A", { n: { N: "2" } });
  await client.call("DeleteItem", { TableName, Key: givenKey("A") });
  const records = await engine.stream.read();
  const [inserted, modified, removed] = records;
  expect(inserted).toEqual({
    eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
    eventName: "INSERT",
    eventVersion: "1.1",
    eventSource: "aws:dynamodb",
    awsRegion: "us-west-2",
    eventSourceARN: "arn:aws:dynamodb:us-west-2:000000000000:table/Club/stream/local",
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(now / 1000),
      Keys: givenKey("A"),
      NewImage: { ...givenKey("A"), n: { N: "1" } },
      SequenceNumber: expect.stringMatching(/^\d{21}$/),
      SizeBytes: expect.any(Number),
      StreamViewType: "NEW_AND_OLD_IMAGES",
    },
  });
  expect(modified?.dynamodb).toMatchObject({ OldImage: { n: { N: "1" } }, NewImage: { n: { N: "2" } } });
  expect(removed?.eventName).toBe("REMOVE");
  expect(removed?.dynamodb.NewImage).toBeUndefined();
  expect(removed?.dynamodb.OldImage).toEqual({ ...givenKey("A"), n: { N: "2" } });
  expect(removed?.userIdentity).toBeUndefined();
});

test("writes that change nothing and refused writes are not recorded", async () => {
  await put("A", { m: { M: { x: { N: "1" }, y: { S: "b" } } } });
  await put("A", { m: { M: { y: { S: "b" }, x: { N: "1.0" } } } });
  await client.call("UpdateItem", { TableName, Key: givenKey("A"), UpdateExpression: "REMOVE nothing" });
  await client.call("DeleteItem", { TableName, Key: givenKey("nobody") });
  const check = { TableName, Key: givenKey("A"), ConditionExpression: "attribute_not_exists(PK)" };
  await client.call("TransactWriteItems", {
    TransactItems: [{ Put: { TableName, Item: givenKey("B") } }, { ConditionCheck: check }],
  });
  expect(names(await engine.stream.read())).toEqual([["INSERT", "A"]]);
});

test("a transaction is recorded as a whole, in commit order, and read from any point", async () => {
  const heard: (readonly StreamRecord[])[] = [];
  const stop = engine.stream.onAppend((records) => heard.push(records));
  const members = ["A", "B", "C"].map((partition) => ({ Put: { TableName, Item: givenKey(partition) } }));
  await client.call("TransactWriteItems", { TransactItems: members });
  await put("D");
  stop();
  await put("E");
  expect(heard.map(names)).toEqual([
    [
      ["INSERT", "A"],
      ["INSERT", "B"],
      ["INSERT", "C"],
    ],
    [["INSERT", "D"]],
  ]);
  const records = await engine.stream.read();
  expect(records.slice(0, 4)).toEqual(heard.flat());
  const second = records[1]?.dynamodb.SequenceNumber as string;
  expect(names(await engine.stream.read(second, 2))).toEqual([
    ["INSERT", "C"],
    ["INSERT", "D"],
  ]);
  await engine.stream.trim(second);
  expect(await engine.stream.read()).toHaveLength(3);
});

test("a table without a stream leaves no records, and one that wants only keys no images", async () => {
  await engine.ensureTable(givenDefinition({ TableName: "Silent", StreamSpecification: undefined }));
  await client.call("PutItem", { TableName: "Silent", Item: givenKey("A") });
  expect(await engine.stream.read()).toEqual([]);
  const views = { KEYS_ONLY: [], NEW_IMAGE: ["NewImage"], OLD_IMAGE: ["OldImage"] };
  for (const [StreamViewType, images] of Object.entries(views)) {
    const name = `Table-${StreamViewType}`;
    await engine.ensureTable(givenDefinition({ TableName: name, StreamSpecification: { StreamViewType } }));
    for (const n of ["1", "2"]) {
      await client.call("PutItem", { TableName: name, Item: { ...givenKey("A"), n: { N: n } } });
    }
    const record = (await engine.stream.read()).at(-1) as StreamRecord;
    expect(Object.keys(record.dynamodb).filter((key) => key.endsWith("Image"))).toEqual(images);
  }
});

test("a sweep deletes expired items, as the service itself", async () => {
  const seconds = Math.floor(now / 1000);
  const at = (time: number | string) => ({ ttl: { N: `${time}` } });
  await put("past", { ...at(seconds - 1), GSI1PK: { S: "G" }, GSI1SK: { S: "1" } });
  await put("future", at(seconds + 60));
  await put("never");
  await put("text", { ttl: { S: `${seconds - 1}` } });
  await put("ancient", at(1_000));
  expect(await engine.sweepExpired()).toBe(1);
  const [removed] = (await engine.stream.read()).slice(-1);
  expect(removed).toMatchObject({
    eventName: "REMOVE",
    userIdentity: { type: "Service", principalId: "dynamodb.amazonaws.com" },
    dynamodb: { Keys: givenKey("past") },
  });
  const { body: listed } = await client.call("Scan", { TableName, IndexName: "GSI1" });
  expect(listed.Items).toEqual([]);
  now += 61_000;
  expect(await engine.sweepExpired()).toBe(1);
  const { body } = await client.call("Scan", { TableName });
  expect(body.Items.map((item: Record<string, Json>) => item.PK?.S).sort()).toEqual(["ancient", "never", "text"]);
});

test("an item that is given more time during the sweep stays", async () => {
  const place = { region: "us-west-2", accountId: "000000000000" };
  const inside = await Engine.open({ ...place, conflictMilliseconds: 0, clock: () => now });
  await inside.ensureTable(givenDefinition());
  const expiringAt = (seconds: number, partition: string) =>
    inside.execute("PutItem", { TableName, Item: { ...givenKey(partition), ttl: { N: `${seconds}` } } });
  const seconds = Math.floor(now / 1000);
  const partitions = ["A", "B", "C", "D"];
  for (const partition of partitions) await expiringAt(seconds - 1, partition);
  const prolonged: Promise<unknown>[] = [];
  // At the first removal every item gets more time, before the sweep reaches the next one.
  inside.stream.onAppend(() => {
    if (prolonged.length === 0) prolonged.push(...partitions.map((one) => expiringAt(seconds + 60, one)));
  });
  expect(await inside.sweepExpired()).toBe(1);
  await Promise.all(prolonged);
  const { body } = await inside.execute("Scan", { TableName });
  expect(body.Count).toBe(4);
  await inside.close();
});

test("records are kept for a day", async () => {
  await put("A");
  now += 23 * 3_600_000;
  await put("B");
  now += 2 * 3_600_000;
  await engine.sweepExpired();
  expect(names(await engine.stream.read())).toEqual([["INSERT", "B"]]);
});
