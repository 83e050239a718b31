/** Partition keys that take so many units a second and no more, as those of AWS do. */
import { expect, test } from "@jest/globals";
import type { TableEngineOptions } from "../dynamodb/index.ts";
import { checking, codesOf, givenTable, putting, type Table, TableName } from "./engine/given.ts";
import { type Json, outcomeOf, type Reply, reasonsOf } from "./engine/protocol-client.ts";
import { givenKey } from "./engine/table.ts";

/** A table whose time stands still until a test moves it. */
async function givenLimited(options: TableEngineOptions = { partitionLimits: { reads: 4, writes: 4 } }) {
  let now = Date.UTC(2030, 0, 1);
  const table = await givenTable({ clock: () => now, ...options });
  const wait = (milliseconds: number) => {
    now += milliseconds;
  };
  return { ...table, wait };
}

const ofTable = expect.stringMatching(/^Throughput exceeds the current capacity of your table or index\. /);
const ofIndex = expect.stringMatching(/^Throughput exceeds the current capacity for one or more global secondary/);
const throttled = "ThrottlingException";
const times = async (count: number, act: () => Promise<Reply>): Promise<string[]> => {
  const outcomes: string[] = [];
  for (let n = 0; n < count; n += 1) outcomes.push(outcomeOf(await act()));
  return outcomes;
};
const fine = (count: number) => Array<string>(count).fill("fine");

test("a key takes its units and throttles the next write, until they have come back", async () => {
  const table = await givenLimited();
  let n = 0;
  const put = () => {
    n += 1;
    return table.put("a", { n: { N: `${n}` } });
  };
  expect(await times(5, put)).toEqual([...fine(4), throttled]);
  const refused = await put();
  expect([refused.status, refused.body.message, await table.numberOf("a")]).toEqual([400, ofTable, 4]);
  expect(outcomeOf(await table.put("b"))).toBe("fine");
  table.wait(250);
  expect(await times(2, put)).toEqual(["fine", throttled]);
  table.wait(60_000);
  expect(await times(5, put)).toEqual([...fine(4), throttled]);
});

test("a transaction is cancelled with the reason at its throttled members, checks among them", async () => {
  const table = await givenLimited();
  expect(await times(2, () => table.transact(putting("a"), checking("b")))).toEqual(fine(2));
  const refused = await table.transact(putting("a"), putting("c"), checking("b"));
  expect(codesOf(refused)).toEqual(["ThrottlingError", "None", "ThrottlingError"]);
  expect(reasonsOf(refused)?.[0]?.Message).toEqual(ofTable);
  expect((await table.get("c")).body).toEqual({});
});

test("writes of different keys that meet in a partition of an index are throttled by the index", async () => {
  const table = await givenLimited();
  const listed = (list = "all") => ({ GSI1PK: { S: list }, GSI1SK: { S: "1" } });
  let n = 0;
  const next = () => {
    n += 1;
    return table.put(`p${n}`, listed());
  };
  expect(await times(4, next)).toEqual(fine(4));
  const refused = await next();
  expect([outcomeOf(refused), refused.body.message]).toEqual([throttled, ofIndex]);
  const cancelled = await table.transact(putting("q", listed()), putting("r"));
  expect([codesOf(cancelled), reasonsOf(cancelled)?.[0]?.Message]).toEqual([["ThrottlingError", "None"], ofIndex]);
  expect(outcomeOf(await table.put("s", listed("other")))).toBe("fine");
  expect((await table.get("p5")).body).toEqual({});
});

const query = (table: Table, partition: string, more: Json = {}) =>
  table.call("Query", {
    KeyConditionExpression: "PK = :p",
    ExpressionAttributeValues: { ":p": { S: partition } },
    ...more,
  });

test("reads have units of their own, and share them: items, queries, transactions", async () => {
  const table = await givenLimited();
  await times(4, () => table.put("a"));
  expect(await times(2, () => table.get("a"))).toEqual(fine(2));
  expect(await times(3, () => query(table, "a", { ConsistentRead: true }))).toEqual([...fine(2), throttled]);
  expect(outcomeOf(await table.get("a"))).toBe(throttled);
  const both = ["a", "b"].map((partition) => ({ Get: { TableName, Key: givenKey(partition) } }));
  expect(codesOf(await table.call("TransactGetItems", { TransactItems: both }))).toEqual(["ThrottlingError", "None"]);
  expect(outcomeOf(await table.get("b"))).toBe("fine");
});
