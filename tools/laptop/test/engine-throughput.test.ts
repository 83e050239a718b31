/** Partition keys that take so many units a second and no more, as those of AWS do. */
import { afterEach, expect, test } from "@jest/globals";
import { startTableEngine, type TableEngineOptions } from "../dynamodb/index.ts";
import { errorName, type Json, protocolClient, type Reply } from "./engine/protocol-client.ts";
import { givenDefinition, givenKey } from "./engine/table.ts";

const TableName = "Club";
const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** An engine whose time stands still until a test moves it. */
async function givenEngine(options: TableEngineOptions = { partitionLimits: { reads: 4, writes: 4 } }) {
  let now = Date.UTC(2030, 0, 1);
  const engine = await startTableEngine({ conflictMilliseconds: 0, clock: () => now, ...options });
  await engine.ensureTable(givenDefinition());
  const client = protocolClient(engine.url);
  open.push(async () => {
    client.close();
    await engine.close();
  });
  const call = (operation: string, body: Json) => client.call(operation, { TableName, ...body });
  return {
    call,
    transact: (...TransactItems: Json[]) => client.call("TransactWriteItems", { TransactItems }),
    put: (partition: string, more: Json = {}) => call("PutItem", { Item: { ...givenKey(partition), ...more } }),
    get: (partition: string) => call("GetItem", { Key: givenKey(partition), ConsistentRead: true }),
    batch: (operation: string, request: unknown) => client.call(operation, { RequestItems: { [TableName]: request } }),
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

type Engine = Awaited<ReturnType<typeof givenEngine>>;

const ofTable = /^Throughput exceeds the current capacity of your table or index\. /;
const ofIndex = /^Throughput exceeds the current capacity for one or more global secondary indexes\. /;
const outcome = (reply: Reply) => (reply.status === 200 ? "ok" : errorName(reply));
const codes = ({ body }: Reply): string[] => (body.CancellationReasons as Json[]).map(({ Code }) => String(Code));
const times = async (count: number, act: () => Promise<Reply>): Promise<string[]> => {
  const outcomes: string[] = [];
  for (let n = 0; n < count; n += 1) outcomes.push(outcome(await act()));
  return outcomes;
};
const ok = (count: number) => Array<string>(count).fill("ok");
const put = (partition: string, more: Json = {}) => ({ Put: { TableName, Item: { ...givenKey(partition), ...more } } });

test("a key takes its units and throttles the next write, until they have come back", async () => {
  const engine = await givenEngine();
  expect(await times(5, () => engine.put("a"))).toEqual([...ok(4), "ThrottlingException"]);
  const refused = await engine.put("a");
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringMatching(ofTable)]);
  expect(outcome(await engine.put("b"))).toBe("ok");
  engine.wait(250);
  expect(await times(2, () => engine.put("a"))).toEqual(["ok", "ThrottlingException"]);
  engine.wait(60_000);
  expect(await times(5, () => engine.put("a"))).toEqual([...ok(4), "ThrottlingException"]);
});

test("control: without limits a key takes everything", async () => {
  const engine = await givenEngine({});
  expect(await times(20, () => engine.put("a"))).toEqual(ok(20));
});

test("a throttled write has written nothing", async () => {
  const engine = await givenEngine();
  for (let n = 1; n <= 6; n += 1) await engine.put("a", { n: { N: `${n}` } });
  expect((await engine.get("a")).body.Item.n).toEqual({ N: "4" });
});

test("a large write is let in and owes its units", async () => {
  const engine = await givenEngine();
  expect(outcome(await engine.put("a", { s: { S: "x".repeat(9_000) } }))).toBe("ok");
  engine.wait(1_000);
  expect(outcome(await engine.put("a"))).toBe("ThrottlingException");
  engine.wait(1_000);
  expect(outcome(await engine.put("a"))).toBe("ok");
});

test("a write whose condition fails costs its units too", async () => {
  const engine = await givenEngine();
  const refused = () => engine.call("PutItem", { Item: givenKey("a"), ConditionExpression: "attribute_exists(n)" });
  expect(await times(5, refused)).toEqual([...Array(4).fill("ConditionalCheckFailedException"), "ThrottlingException"]);
});

test("a transaction is cancelled with the reason at its throttled members, checks among them", async () => {
  const engine = await givenEngine();
  const check = { ConditionCheck: { TableName, Key: givenKey("b"), ConditionExpression: "attribute_not_exists(n)" } };
  expect(outcome(await engine.transact(put("a"), check))).toBe("ok");
  expect(outcome(await engine.transact(put("a"), check))).toBe("ok");
  const refused = await engine.transact(put("a"), put("c"), check);
  expect([outcome(refused), codes(refused)]).toEqual([
    "TransactionCanceledException",
    ["ThrottlingError", "None", "ThrottlingError"],
  ]);
  expect(refused.body.CancellationReasons[0].Message).toMatch(ofTable);
  expect((await engine.get("c")).body).toEqual({});
});

test("a refused transaction costs the write of each member once", async () => {
  const engine = await givenEngine();
  const refused = () =>
    engine.transact(put("a"), {
      Put: { TableName, Item: givenKey("b"), ConditionExpression: "attribute_exists(n)" },
    });
  for (let n = 0; n < 4; n += 1) expect(codes(await refused())).toEqual(["None", "ConditionalCheckFailed"]);
  expect(codes(await refused())).toEqual(["ThrottlingError", "ThrottlingError"]);
});

test("writes of different keys that meet in a partition of an index are throttled by the index", async () => {
  const engine = await givenEngine();
  const listed = (n: number) => ({ GSI1PK: { S: "all" }, GSI1SK: { S: `${n}` } });
  let n = 0;
  const next = () => {
    n += 1;
    return engine.put(`p${n}`, listed(n));
  };
  expect(await times(4, next)).toEqual(ok(4));
  const refused = await next();
  expect([outcome(refused), refused.body.message]).toEqual(["ThrottlingException", expect.stringMatching(ofIndex)]);
  const cancelled = await engine.transact(put("q", listed(0)), put("r"));
  expect(codes(cancelled)).toEqual(["ThrottlingError", "None"]);
  expect(cancelled.body.CancellationReasons[0].Message).toMatch(ofIndex);
  expect(outcome(await engine.put("s", { GSI1PK: { S: "other" }, GSI1SK: { S: "1" } }))).toBe("ok");
  expect((await engine.get("p5")).body).toEqual({});
});

const query = (engine: Engine, more: Json = {}) =>
  engine.call("Query", {
    KeyConditionExpression: "PK = :p",
    ExpressionAttributeValues: { ":p": { S: "a" } },
    ConsistentRead: true,
    ...more,
  });

test("reads have units of their own, and share them: items, queries, transactions", async () => {
  const engine = await givenEngine();
  await times(4, () => engine.put("a"));
  expect(await times(2, () => engine.get("a"))).toEqual(ok(2));
  expect(await times(3, () => query(engine))).toEqual([...ok(2), "ThrottlingException"]);
  expect(outcome(await engine.get("a"))).toBe("ThrottlingException");
  const both = ["a", "b"].map((partition) => ({ Get: { TableName, Key: givenKey(partition) } }));
  expect(codes(await engine.call("TransactGetItems", { TransactItems: both }))).toEqual(["ThrottlingError", "None"]);
  expect(outcome(await engine.get("b"))).toBe("ok");
});

test.each([{}, { indexLag: 1 }])("a query of an index takes the units of the index's key (%p)", async (more) => {
  const engine = await givenEngine({ partitionLimits: { reads: 1, writes: 4 }, ...more });
  const listed = (partition: string) =>
    query(engine, {
      IndexName: "GSI1",
      KeyConditionExpression: "GSI1PK = :p",
      ExpressionAttributeValues: { ":p": { S: partition } },
      ConsistentRead: false,
    });
  expect(await times(3, () => listed("a"))).toEqual(["ok", "ok", "ThrottlingException"]);
  expect(outcome(await listed("b"))).toBe("ok");
  expect(outcome(await engine.get("a"))).toBe("ok");
});

test("a batch leaves its throttled part over, and is throttled when nothing is left", async () => {
  const engine = await givenEngine();
  await times(4, () => engine.put("a"));
  const item = (partition: string) => ({ PutRequest: { Item: givenKey(partition) } });
  const written = await engine.batch("BatchWriteItem", [item("a"), item("b")]);
  expect(written.body).toEqual({ UnprocessedItems: { [TableName]: [item("a")] } });
  expect(outcome(await engine.batch("BatchWriteItem", [item("a")]))).toBe("ThrottlingException");
  await times(4, () => engine.get("a"));
  const keys = (...partitions: string[]) => ({
    Keys: partitions.map((partition) => givenKey(partition)),
    ConsistentRead: true,
  });
  const found = await engine.batch("BatchGetItem", keys("a", "b"));
  expect(found.body).toEqual({
    Responses: { [TableName]: [givenKey("b")] },
    UnprocessedKeys: { [TableName]: keys("a") },
  });
  expect(outcome(await engine.batch("BatchGetItem", keys("a")))).toBe("ThrottlingException");
});
