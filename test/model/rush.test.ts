/**
 * A small rush in AWS-like time, with budgets: calls of 10 ms, conflicts, and the limits of partition keys. The larger
 * ones are in `test/deep/simulated-rush.test.ts`.
 */
import { expect, test } from "@jest/globals";
import { OrderJudge } from "../../tools/upkeep/bench/simulation/order.ts";
import { type SimulatedRush, simulateRush } from "../../tools/upkeep/bench/simulation/rush.ts";

/** Milliseconds, and transactions for each answer, at most. */
const budgets = { p99: 5_000, transactionsPerAnswer: 4 };
const rush = { people: 120, seats: 40, within: 60 };

/** All people are told what is stored, all seats are given, and nobody came before a person ahead. */
const isRight = (people: number, seats: number): Partial<SimulatedRush> => ({
  answers: { registered: seats, waitlist: people - seats },
  wrong: [],
  jumps: 0,
  overtaken: 0,
});

test("a rush for few seats keeps its budgets, the order and the truth", async () => {
  const result = await simulateRush(rush);
  expect(result).toMatchObject(isRight(rush.people, rush.seats));
  expect(result.p99).toBeLessThan(budgets.p99);
  expect(result.transactionsPerAnswer).toBeLessThanOrEqual(budgets.transactionsPerAnswer);
});

test("control: without joining the line after conflicts it needs more transactions than it may", async () => {
  const result = await simulateRush({ ...rush, withoutCrowds: true });
  expect(result).toMatchObject(isRight(rush.people, rush.seats));
  expect(result.transactionsPerAnswer).toBeGreaterThan(budgets.transactionsPerAnswer);
});

test("control: the judge of the order sees a newcomer, and an heir, who come before a person ahead", () => {
  const judge = new OrderJudge();
  const call = { operation: "TransactWriteItems", answer: {}, sent: 0, readUnits: 0, writeUnits: 0 };
  const commits = (actor: string, now: number, ...TransactItems: object[]) =>
    judge.sees({ ...call, actor, input: { TransactItems } }, now);
  const place = (SK: string) => ({ PK: "WAIT#rush#2030", SK });
  const seat = { Put: { Item: { SK: "REG#rush#2030", status: "registered" } } };
  judge.begins("early", 1);
  judge.begins("ahead", 1);
  commits("ahead", 2, { Put: { Item: place("1#a") } });
  commits("early", 3, seat);
  expect([judge.jumps, judge.overtaken]).toEqual([0, 0]);
  judge.begins("late", 3);
  commits("late", 4, seat);
  expect([judge.jumps, judge.overtaken]).toEqual([1, 0]);
  judge.sees({ ...call, operation: "Query", actor: "late", input: {}, answer: { Items: [place("1#a")] } }, 5);
  const heir = { Update: { Key: { SK: "REG#rush#2030" }, ExpressionAttributeValues: { ":queueKey": "2#b" } } };
  commits("late", 6, { Delete: { Key: place("2#b") } }, heir);
  expect([judge.jumps, judge.overtaken]).toEqual([1, 1]);
});
