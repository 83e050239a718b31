/** Indexes that lag behind, and calls that take some time, as those of AWS do. */
import { afterEach, expect, test } from "@jest/globals";
import { givenFolder } from "../../../test/unit/folder.ts";
import { startTableEngine, type TableEngineOptions } from "../dynamodb/index.ts";
import { protocolClient } from "./engine/protocol-client.ts";
import { givenDefinition, givenKey } from "./engine/table.ts";

const TableName = "Club";
const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function givenTable(options: TableEngineOptions) {
  const engine = await startTableEngine({ conflictMilliseconds: 0, ...options });
  await engine.ensureTable(givenDefinition());
  const client = protocolClient(engine.url);
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    client.close();
    await engine.close();
  };
  open.push(close);
  const call = async (operation: string, request: object) => {
    const { status, body } = await client.call(operation, { TableName, ...request });
    expect([operation, status, body]).toEqual([operation, 200, expect.anything()]);
    return body;
  };
  return {
    close,
    put: (name: string, n: number) =>
      call("PutItem", { Item: { ...givenKey(name), GSI1PK: { S: "list" }, GSI1SK: { S: name }, n: { N: `${n}` } } }),
    remove: (name: string) => call("DeleteItem", { Key: givenKey(name) }),
    stored: async (name: string) => (await call("GetItem", { Key: givenKey(name) })).Item?.n?.N,
    /** The rows of the index: `a=1`. */
    listed: async (): Promise<string[]> => {
      const { Items } = await call("Query", {
        IndexName: "GSI1",
        KeyConditionExpression: "GSI1PK = :list",
        ExpressionAttributeValues: { ":list": { S: "list" } },
      });
      return (Items as Record<string, Record<string, string>>[]).map(({ GSI1SK, n }) => `${GSI1SK?.S}=${n?.N}`);
    },
  };
}

type Table = Awaited<ReturnType<typeof givenTable>>;

/** Waits until the index has these rows. */
async function lists(table: Table, expected: readonly string[]): Promise<void> {
  while ((await table.listed()).join() !== expected.join()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Long enough for a query right after a write, also on a slow machine. */
const indexLag = 400;

test("an index answers the rows of before for a while, and a read of the table the new ones", async () => {
  const table = await givenTable({ indexLag });
  await table.put("a", 1);
  expect([await table.listed(), await table.stored("a")]).toEqual([[], "1"]);
  await lists(table, ["a=1"]);
  await table.put("a", 2);
  await table.put("b", 1);
  expect([await table.listed(), await table.stored("a")]).toEqual([["a=1"], "2"]);
  await lists(table, ["a=2", "b=1"]);
  await table.remove("a");
  expect([await table.listed(), await table.stored("a")]).toEqual([["a=2", "b=1"], undefined]);
  await lists(table, ["b=1"]);
});

test("control: without the lag an index has each write at once", async () => {
  const table = await givenTable({});
  await table.put("a", 1);
  expect(await table.listed()).toEqual(["a=1"]);
  await table.remove("a");
  expect(await table.listed()).toEqual([]);
});

test("what was stored before the start is in the index at once", async () => {
  const directory = await givenFolder(open);
  const before = await givenTable({ directory });
  for (const name of ["a", "b", "c"]) await before.put(name, 1);
  await before.close();
  const table = await givenTable({ directory, indexLag });
  expect(await table.listed()).toEqual(["a=1", "b=1", "c=1"]);
});

test("a request that DynamoDB refuses is refused on a lagging index as well", async () => {
  const engine = await startTableEngine({ indexLag });
  await engine.ensureTable(givenDefinition());
  const client = protocolClient(engine.url);
  open.push(async () => {
    client.close();
    await engine.close();
  });
  const query = { TableName, IndexName: "Nothing", KeyConditionExpression: "a = :a" };
  const { status, body } = await client.call("Query", { ...query, ExpressionAttributeValues: { ":a": { S: "a" } } });
  expect([status, body.message]).toEqual([400, "The table does not have the specified index: Nothing"]);
});

/** Milliseconds. */
const callLatency = 100;

test("a call takes as long as one to AWS", async () => {
  const table = await givenTable({ callLatency });
  const from = performance.now();
  await table.put("a", 1);
  expect(await table.stored("a")).toBe("1");
  // A timer may end up to a millisecond early.
  expect(performance.now() - from).toBeGreaterThan(2 * callLatency - 4);
});

test("closing the engine cuts a call that is on its way, and does not wait for it", async () => {
  const engine = await startTableEngine({ callLatency: 600_000 });
  await engine.ensureTable(givenDefinition());
  const client = protocolClient(engine.url);
  const cut = expect(client.call("GetItem", { TableName, Key: givenKey("a") })).rejects.toThrow();
  await engine.close();
  await cut;
  client.close();
});
