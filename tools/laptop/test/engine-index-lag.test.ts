/** Indexes that lag behind, as those of AWS do. */
import { expect, test } from "@jest/globals";
import { givenTable, type Table } from "./engine/given.ts";

const list = (table: Table, IndexName: string) =>
  table.call("Query", {
    IndexName,
    KeyConditionExpression: "GSI1PK = :list",
    ExpressionAttributeValues: { ":list": { S: "list" } },
  });

/** The rows of the index: `a=1`. */
async function listed(table: Table): Promise<string[]> {
  const { Items } = (await list(table, "GSI1")).body;
  return (Items as Record<string, Record<string, string>>[]).map(({ GSI1SK, n }) => `${GSI1SK?.S}=${n?.N}`);
}

const put = (table: Table, name: string, n: number) =>
  table.put(name, { GSI1PK: { S: "list" }, GSI1SK: { S: name }, n: { N: `${n}` } });

/** Waits until the index has these rows. */
async function lists(table: Table, expected: readonly string[]): Promise<void> {
  while ((await listed(table)).join() !== expected.join()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Long enough for a query right after a write, also on a slow machine. */
const indexLag = 400;

test("an index answers the rows of before for a while, and a read of the table the new ones", async () => {
  const table = await givenTable({ indexLag });
  await put(table, "a", 1);
  expect([await listed(table), await table.numberOf("a")]).toEqual([[], 1]);
  await lists(table, ["a=1"]);
  await put(table, "a", 2);
  await put(table, "b", 1);
  expect([await listed(table), await table.numberOf("a")]).toEqual([["a=1"], 2]);
  await lists(table, ["a=2", "b=1"]);
  await table.remove("a");
  expect([await listed(table), await table.numberOf("a")]).toEqual([["a=2", "b=1"], 0]);
  await lists(table, ["b=1"]);
  expect((await list(table, "Nothing")).status).toBe(400);
});
