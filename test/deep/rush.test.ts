/**
 * Rushes over HTTP with DynamoDB's conflicts and the throughput of its partition keys, larger than `npm test` has time
 * for.
 */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { maxCallerWait, timeOf } from "#kit/request/context.ts";
import { partitionLimit } from "../../tools/laptop/dynamodb/index.ts";
import { people, year } from "../service/given.ts";
import { storedOf, tally, throttledTable } from "../service/rush.ts";
import { givenStage, type ServiceStage } from "../service/stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await givenStage({ partitionLimit });
});
afterAll(() => stage.close());

/** The invariants of an event when no request is under way. */
async function expectAtRest(id: string): Promise<void> {
  const { seats, line, registered, waiting } = await storedOf(stage, id);
  expect(seats.seats).toBe(registered.length);
  expect(seats.registered).toBe(registered.length);
  expect(line.map(({ email }) => email).sort()).toEqual([...waiting].sort());
  if (waiting.length > 0) expect(seats.seats).toBeGreaterThanOrEqual(seats.capacity);
  expect(registered.length).toBeLessThanOrEqual(seats.capacity);
}

/** How much later than the first person in line, by the gateway's clock, the last one with a seat has asked for it, in milliseconds. */
async function passedBy(id: string, waiting: readonly string[]): Promise<number> {
  const rows = (await stage.storedItems()).filter(({ SK }) => SK === `REG#${id}#${year}`);
  const timesOf = (isWaiting: boolean) =>
    rows
      .filter(({ PK }) => waiting.includes(String(PK).slice("USER#".length)) === isWaiting)
      .map(({ queueKey }) => timeOf(String(queueKey)));
  return Math.max(0, Math.max(...timesOf(false)) - Math.min(...timesOf(true)));
}

test("1,800 people at once get exactly 400 seats, and the others wait", async () => {
  await stage.givenEvent({ id: "large", capac: 400 });
  const everybody = people(1_800, "large");
  await Promise.all(everybody.map((email) => stage.tokenFor(email)));
  const counts = tally(await Promise.all(everybody.map((email) => stage.register("large", email))));
  // A request that is told to try again has written nothing and blocks no other. On a machine that is too slow the
  // gateway gives up waiting for some functions, or they for the table, and what they did is not known.
  const { "503 CONTENDED": contended = 0, "503 UNAVAILABLE": unavailable = 0, ...answered } = counts;
  const { "503 Service Unavailable": unanswered = 0, "503 OUTCOME_UNKNOWN": undecided = 0, ...others } = answered;
  // The gateway's answer for a function that was stopped at its timeout.
  const { "500 Internal Server Error": stopped = 0, ...rest } = others;
  expect(stopped).toBeLessThanOrEqual(stage.logs.filter(({ text }) => text.includes('"status":"timeout"')).length);
  const [turnedAway, unknown] = [contended + unavailable, unanswered + undecided + stopped];
  expect(Object.keys(rest).sort()).toEqual(["201 registered", "201 waitlist"]);
  await expectAtRest("large");
  const { registered, waiting } = await storedOf(stage, "large");
  expect(registered).toHaveLength(400);
  const told = everybody.length - turnedAway - unknown;
  expect((rest["201 registered"] ?? 0) + (rest["201 waitlist"] ?? 0)).toBe(told);
  expect(rest["201 registered"]).toBeGreaterThanOrEqual(400 - unknown);
  expect(registered.length + waiting.length).toBeGreaterThanOrEqual(told);
  expect(registered.length + waiting.length).toBeLessThanOrEqual(told + unknown);
  // Seats go in the order in which requests reach the table. By the gateway's clock, no person is passed by more than the tries of one request.
  const passed = await passedBy("large", waiting);
  process.stdout.write(`passed by requests that came up to ${passed} ms later\n`);
  expect(passed).toBeLessThan(maxCallerWait);
});

test("a table that throttles busy keys slows a rush down, and loses no seat and no person", async () => {
  // A limit so low that any machine exceeds it.
  const { options, throttled } = throttledTable(4);
  // A message that a throttled consumer gave back comes again after four seconds. After five tries it is a dead letter.
  const slow = await givenStage({ ...options, visibility: 4 });
  try {
    await slow.givenEvent({ id: "slow", capac: 4 });
    const newcomers = people(12, "slow");
    await Promise.all(newcomers.map((email) => slow.tokenFor(email)));
    const answers = await Promise.all(newcomers.map((email) => slow.register("slow", email)));
    expect(tally(answers)).toEqual({ "201 registered": 4, "201 waitlist": 8 });
    expect(throttled()).toBeGreaterThan(0);
    const mails = () => newcomers.map((email) => slow.mailsTo(email).map(({ subject }) => subject));
    const areMissing = () => mails().some((subjects) => subjects.length === 0);
    for (const end = Date.now() + 120_000; areMissing() && Date.now() < end; ) {
      await slow.settled();
      await pause(100);
    }
    const { seats, line, waiting } = await storedOf(slow, "slow");
    expect(seats).toMatchObject({ seats: 4, registered: 4 });
    expect(line.map(({ email }) => email).sort()).toEqual([...waiting].sort());
    expect(waiting).toHaveLength(8);
    // Messages come again after four seconds here, so a person who waits for a moment may be told of it before the seat comes.
    expect(mails()).toEqual(mails().map((subjects) => [...new Set(subjects)]));
    expect(areMissing()).toBe(false);
    expect(slow.deadLetters()).toEqual([]);
  } finally {
    await slow.close();
  }
});
