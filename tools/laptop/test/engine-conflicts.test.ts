/** Simultaneous and repeated writes, with the conflict model and without. */
import { expect, test } from "@jest/globals";
import type { TableEngineOptions } from "../dynamodb/index.ts";
import { checking, codesOf, givenTable, increment } from "./engine/given.ts";
import { type Json, outcomeOf, type Reply } from "./engine/protocol-client.ts";

/** A table that occupies items for so long that all requests sent in the meantime overlap. */
async function givenOccupied(options: TableEngineOptions = { conflictMilliseconds: 250 }) {
  let arrived = 0;
  const authorize = () => {
    arrived += 1;
    return undefined;
  };
  const table = await givenTable({ ...options, authorize });
  return {
    ...table,
    /** Sends one request, and others once it has arrived. */
    async during(first: Request, ...others: readonly Request[]): Promise<{ first: Reply; others: Reply[] }> {
      const before = arrived;
      const running = table.call(...first);
      while (arrived === before) await new Promise(setImmediate);
      const answers = await Promise.all(others.map((other) => table.call(...other)));
      return { first: await running, others: answers };
    },
  };
}

type Request = readonly [string, Json];
const transaction = (...TransactItems: Json[]): Request => ["TransactWriteItems", { TransactItems }];
const adding = (partition: string): Json => ({ Update: increment(partition) });
const single = (partition: string): Request => ["UpdateItem", increment(partition)];
const conflict = "TransactionConflict";
const outcomes = (replies: readonly Reply[]) => replies.map((reply) => codesOf(reply) ?? outcomeOf(reply));

test("a transaction that meets another one is cancelled, and neither writes nor occupies anything", async () => {
  const table = await givenOccupied();
  const { first, others } = await table.during(
    transaction(adding("A"), checking("B")),
    transaction(adding("C"), adding("A")),
    transaction(checking("B"), adding("D")),
    transaction(checking("A")),
    transaction(adding("C")),
  );
  expect(outcomes([first, ...others])).toEqual(["fine", ["None", conflict], [conflict, "None"], [conflict], "fine"]);
  expect(others.slice(0, 1).map(outcomeOf)).toEqual(["TransactionCanceledException"]);
  expect(await Promise.all(["A", "C", "D"].map((one) => table.numberOf(one)))).toEqual([1, 1, 0]);
  expect(outcomeOf(await table.transact(adding("A")))).toBe("fine");
});

test("single writes are refused by a transaction, disturb one, and queue behind each other", async () => {
  const table = await givenOccupied();
  const met = await table.during(transaction(adding("A")), single("A"));
  expect(outcomes(met.others)).toEqual(["TransactionConflictException"]);
  const { others } = await table.during(single("B"), single("B"), single("B"), transaction(adding("B")));
  expect(outcomes(others)).toEqual(["fine", "fine", [conflict]]);
  expect(await table.numberOf("B")).toBe(3);
});

test("conditions are evaluated when a write is committed, not when it arrives", async () => {
  const table = await givenOccupied({ conflictMilliseconds: 40 });
  const claim: Request = ["UpdateItem", increment("A", { ConditionExpression: "attribute_not_exists(n)" })];
  const { first, others } = await table.during(claim, claim);
  expect(outcomes([first, ...others])).toEqual(["fine", "ConditionalCheckFailedException"]);
});

test("control: without the model no transaction of the crowd is cancelled, and no write is lost", async () => {
  const table = await givenTable();
  const one = (index: number) =>
    index % 3 === 0 ? table.call(...single("A")) : table.transact(adding("A"), checking("B"));
  const crowd = await Promise.all(Array.from({ length: 60 }, (_, index) => one(index)));
  expect(new Set(outcomes(crowd))).toEqual(new Set(["fine"]));
  expect(await table.numberOf("A")).toBe(60);
});

// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html, "ClientRequestToken"
test("a repeated transaction, while the first is under way, gets an error", async () => {
  const table = await givenOccupied();
  const request: Request = ["TransactWriteItems", { TransactItems: [adding("A")], ClientRequestToken: "once" }];
  const { others } = await table.during(request, request);
  expect(outcomes(others)).toEqual(["TransactionInProgressException"]);
  expect([outcomeOf(await table.call(...request)), await table.numberOf("A")]).toEqual(["fine", 1]);
});

test("for ten minutes the same transaction is a success that writes nothing", async () => {
  let now = Date.parse("2026-01-01T00:00:00Z");
  const table = await givenTable({ clock: () => now });
  const request = { TransactItems: [adding("A")], ClientRequestToken: "once" };
  const after = async (milliseconds: number) => {
    now += milliseconds;
    return [outcomeOf(await table.call("TransactWriteItems", request)), await table.numberOf("A")];
  };
  expect([await after(0), await after(10 * 60_000), await after(1)]).toEqual([
    ["fine", 1],
    ["fine", 1],
    ["fine", 2],
  ]);
});
