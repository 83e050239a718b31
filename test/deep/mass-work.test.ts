/**
 * Work on many records while each call of the table takes ten milliseconds, as in AWS: it ends inside the time of its
 * function, or goes on where it stopped.
 */
import { setTimeout } from "node:timers/promises";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import pMap from "p-map";
import { exec, newEmail, people, times, year } from "../service/given.ts";
import { givenStage, type ServiceStage } from "../service/stage.ts";

const callLatency = 10;
const day = 86_400_000;
/** Seconds until a message comes again; it must be longer than the longest run. In AWS it is six times as long. */
const visibility = 130;
/** The most rows of one request. */
const rows = 500;

let stage: ServiceStage;
beforeAll(async () => {
  // In AWS the other consumers run on other machines: here they would slow down what is measured.
  const others = ["Mail", "Chat", "Promoter", "CloseCheckout", "Announcer"];
  const done = async () => ({ batchItemFailures: [] });
  const standIns = Object.fromEntries(others.map((name) => [name, done]));
  stage = await givenStage({ callLatency, standIns, visibility });
});
afterAll(() => stage.close());

/** Runs a step, and prints how long it took. */
async function timed<T>(name: string, run: () => Promise<T>): Promise<T> {
  const from = performance.now();
  const result = await run();
  console.log(`${name}, ${callLatency} ms a call: ${(performance.now() - from).toFixed(0)} ms`);
  return result;
}

async function givenRegistered(eventID: string, emails: readonly string[]): Promise<void> {
  const register = async (email: string) => expect((await stage.registerByAdmin(eventID, email)).status).toBe(201);
  await pMap(emails, register, { concurrency: 8 });
  await stage.settled();
}

interface Row {
  readonly email: string;
  readonly success: boolean;
}

/** Sends the rows that failed again, as a client does. @returns how many answers it took */
async function untilAllAreDone(emails: readonly string[], send: (emails: readonly string[]) => Promise<Row[]>) {
  let left = emails;
  for (let answers = 1; ; answers += 1) {
    const results = await send(left);
    expect(results.map(({ email }) => email)).toEqual(left);
    const failed = results.filter(({ success }) => !success).map(({ email }) => email);
    if (failed.length === 0) return answers;
    // Each answer has done a part of the rows.
    expect(failed.length).toBeLessThan(left.length);
    left = failed;
  }
}

const massUpdate = (eventID: string, change: object) => async (emails: readonly string[]) => {
  const updates = emails.map((email) => ({ email, ...change }));
  const { status, body } = await stage.api("PUT", "/registrations/massUpdate", {
    as: exec,
    once: true,
    body: { eventID, year, updates },
  });
  expect(status).toBe(200);
  return body.results as Row[];
};

const bulkDelete = (eventID: string) => async (ids: readonly string[]) => {
  const body = { eventID, year, ids };
  const answer = await stage.api("DELETE", "/registrations", { as: exec, once: true, body });
  expect(answer.status).toBe(200);
  return answer.body.results as Row[];
};

test("500 rows are changed, changed again and deleted, and those who wait get the seats", async () => {
  const emails = people(rows, "mass");
  const waiting = people(20, "waiting");
  const id = await stage.givenEvent({ capac: rows });
  await givenRegistered(id, emails);
  await givenRegistered(id, waiting);
  const answers: Record<string, number> = {};
  const points = massUpdate(id, { points: 7 });
  answers.points = await timed("500 points", () => untilAllAreDone(emails, points));
  const checkIn = massUpdate(id, { registrationStatus: "checkedIn" });
  answers.statuses = await timed("500 statuses", () => untilAllAreDone(emails, checkIn));
  const checkOut = massUpdate(id, { registrationStatus: "registered" });
  await timed("500 statuses", () => untilAllAreDone(emails, checkOut));
  answers.deletions = await timed("500 deletions", () => untilAllAreDone(emails, bulkDelete(id)));
  console.log(`answers: ${JSON.stringify(answers)}`);
  await stage.settled();
  expect(await stage.countsOf(id)).toMatchObject({ registeredCount: waiting.length, waitlistCount: 0 });
  expect(stage.deadLetters()).toEqual([]);
}, 600_000);

test("a person with 60 registrations is forgotten", async () => {
  const email = newEmail();
  expect((await stage.api("POST", "/users", { as: email, body: { email } })).status).toBe(201);
  const events = await pMap(
    times(60, (n) => n),
    () => stage.givenEvent(),
    { concurrency: 8 },
  );
  await pMap(events, (id) => stage.register(id, email), { concurrency: 8 });
  await stage.settled();
  await timed("60 registrations of a person", async () => {
    expect((await stage.api("DELETE", `/users/${email}`, { as: exec })).status).toBe(200);
    await stage.settled();
  });
  const stored = await stage.stored(`USER#${email}`);
  const statuses = stored.filter(({ SK }) => String(SK).startsWith("REG#")).map(({ status }) => status);
  expect(statuses).toEqual(events.map(() => "cancelled"));
  expect(stage.deadLetters()).toEqual([]);
}, 600_000);

test("a deleted event with 2,000 registrations is cleared up", async () => {
  const emails = people(2_000, "gone");
  const id = await stage.givenEvent();
  await givenRegistered(id, emails);
  await timed("2,000 registrations of a deleted event", async () => {
    expect((await stage.deleteEvent(id, "?force=true")).status).toBe(200);
    const end = Date.now() + 600_000;
    // A run that has no time left leaves the rest to the next one.
    while (Number((await stage.storedSeats(id)).seats) > 0 && Date.now() < end) await setTimeout(100);
    await stage.settled();
  });
  expect(await stage.storedSeats(id)).toMatchObject({ state: "DELETED", seats: 0 });
  const statuses = await pMap(emails, async (email) => (await stage.storedRegistration(id, email))?.status, {
    concurrency: 8,
  });
  expect(new Set(statuses)).toEqual(new Set(["cancelled"]));
  expect(stage.deadLetters()).toEqual([]);
}, 900_000);

test("1,000 erasures that are due at once are over within the sweeper's runs of an hour", async () => {
  const emails = people(1_000, "forgotten");
  const deletedAt = Date.now() - 61 * day;
  const note = (email: string) => ({
    ...{ PK: "ERASURES", SK: `${deletedAt + 60 * day}#${email}` },
    ...{ email, deletedAt, ttl: Math.ceil(Date.now() / 1_000) + 1_000 },
  });
  const [first = ""] = emails;
  const id = await stage.givenEvent();
  await stage.registerByAdmin(id, first);
  await stage.moveTo(id, first, "cancelled");
  await stage.settled();
  const [example] = await stage.stored(`USER#${first}`);
  const registration = (email: string) => ({
    ...example,
    ...{ PK: `USER#${email}`, email, form: "{}", fname: "", ofDeletedAccount: true },
    queueKey: `${deletedAt - 1}#01ARZ3NDEKTSV4RRFFQ69G5FAV`,
  });
  const TableName = stage.outputs.tableName;
  const items = emails.flatMap((email) => [note(email), registration(email)]);
  await pMap(items, (Item) => stage.table.send(new PutCommand({ TableName, Item })), { concurrency: 8 });
  const left = async () =>
    (await stage.storedItemsWith("@forgotten.example")).filter(({ PK }) => `${PK}`.startsWith("USER#"));
  let runs = 0;
  await timed("1,000 erasures", async () => {
    for (; (await left()).length > 0; runs += 1) {
      expect(runs).toBeLessThan(60);
      await stage.invoke("Sweeper", {});
    }
  });
  console.log(`runs of the sweeper: ${runs}`);
}, 900_000);
