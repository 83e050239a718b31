/**
 * Events with the gate `queued` that have free seats again. A newcomer gets a seat while no person ahead in line can
 * take it. The answer is the stored state. One request makes one version of a registration.
 */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { exec, givenStage, type ServiceStage, withoutRelay } from "./stage.ts";

let stage: ServiceStage;
/** Queries of functions since the test set this to 0. */
let queries = 0;
beforeAll(async () => {
  stage = await givenStage({
    // No consumer may clear up behind a deleted event: the tests look at the time before that.
    standIns: withoutRelay,
    onTableCall: ({ operation }) => {
      if (operation === "Query") queries += 1;
    },
  });
}, 60_000);
afterAll(() => stage.close());

const year = 2030;
const startDate = "2030-05-01T18:00:00Z";
let events = 0;

async function givenEvent(fields: Record<string, unknown>): Promise<string> {
  events += 1;
  const id = `free-${events}`;
  const body = { id, year, ename: "An event", startDate, ...fields };
  expect((await stage.api("POST", "/events", { as: exec, body })).status).toBe(201);
  return id;
}

const emailOf = (name: string): string => `${name}@free.example`;
const register = (eventID: string, name: string, more: object = {}) =>
  stage.api("POST", "/registrations", { as: emailOf(name), body: { eventID, year, email: emailOf(name), ...more } });
const leave = (eventID: string, name: string) =>
  stage.api("DELETE", `/registrations/${emailOf(name)}`, { as: exec, body: { eventID, year } });
const put = (eventID: string, name: string, body: object) =>
  stage.api("PUT", `/registrations/${emailOf(name)}/x`, { as: exec, body: { eventID, year, ...body } });
const storedOf = async (eventID: string, name: string) =>
  (await stage.stored(`USER#${emailOf(name)}`)).find(({ SK }) => SK === `REG#${eventID}#${year}`);
const statusOf = async (eventID: string, name: string) => (await storedOf(eventID, name))?.status;

/** Makes an event that was full and had a line (its gate is `queued`), and now has all its seats free. */
async function givenFullOnce(capac: number, fields: object = {}): Promise<string> {
  const id = await givenEvent({ capac, ...fields });
  const names = Array.from({ length: capac + 1 }, (_, n) => `first${n}`);
  for (const name of names) expect((await register(id, name)).status).toBe(201);
  expect(await statusOf(id, names.at(-1) as string)).toBe("waitlist");
  for (const name of names.reverse()) expect((await leave(id, name)).status).toBe(200);
  return id;
}

describe("with free seats and an empty line", () => {
  test("newcomers one after the other are registered while seats are free, and the answers say so", async () => {
    const id = await givenFullOnce(3);
    const answers = [];
    for (const name of ["a", "b", "c", "d"]) answers.push((await register(id, name)).body);
    const statuses = answers.map(({ registrationStatus }) => registrationStatus);
    expect(statuses).toEqual(["registered", "registered", "registered", "waitlist"]);
    expect(answers[0]).toMatchObject({ message: "You are registered." });
    expect(answers[0].registration.waitlistPosition).toBeUndefined();
    expect(answers[3].registration.waitlistPosition).toBe(1);
  });

  test("newcomers at once after a raised capacity are all registered, as their answers say", async () => {
    const id = await givenFullOnce(1);
    const raised = await stage.api("PATCH", `/events/${id}/${year}`, { as: exec, body: { capac: 500 } });
    expect(raised.status).toBe(200);
    const names = Array.from({ length: 40 }, (_, n) => `r${n}`);
    const told = await Promise.all(names.map(async (name) => (await register(id, name)).body.registrationStatus));
    const stored = await Promise.all(names.map((name) => statusOf(id, name)));
    expect(told).toEqual(stored);
    expect(new Set(stored)).toEqual(new Set(["registered"]));
  });

  test("a newcomer gets a priced seat with a hold of half an hour", async () => {
    const id = await givenFullOnce(2, { pricing: { member: 5, nonMember: 10 } });
    const before = Date.now();
    const { status, body } = await register(id, "payer");
    expect({ status, told: body.registrationStatus }).toEqual({ status: 201, told: "incomplete" });
    const held = body.registration.holdExpiresAt - before;
    expect(held).toBeGreaterThan(29 * 60_000);
    expect(held).toBeLessThan(31 * 60_000);
  });

  test("a newcomer whose workshop is full is refused with CHOICE_FULL", async () => {
    const question = { questionId: "w", label: "W", type: "WORKSHOP_SELECTION", required: false };
    const registrationQuestions = [{ ...question, choices: ["a", "b"], participantCap: 1 }];
    const id = await givenFullOnce(3, { registrationQuestions });
    const choosing = (choice: string) => ({ dynamicResponses: { w: choice } });
    expect((await register(id, "a", choosing("a"))).body.registrationStatus).toBe("registered");
    expect(await register(id, "b", choosing("a"))).toMatchObject({ status: 409, body: { code: "CHOICE_FULL" } });
    expect((await register(id, "b", choosing("b"))).body.registrationStatus).toBe("registered");
  });
});

test("newcomers pass over a person who waits for a full workshop; that person gets its next place", async () => {
  const question = { questionId: "w", label: "W", type: "WORKSHOP_SELECTION", required: false };
  const registrationQuestions = [{ ...question, choices: ["a", "b"], participantCap: 1 }];
  const id = await givenEvent({ capac: 2, registrationQuestions });
  await register(id, "holder", { dynamicResponses: { w: "a" } });
  await register(id, "other");
  expect((await register(id, "waiter", { dynamicResponses: { w: "a" } })).body.registrationStatus).toBe("waitlist");
  await leave(id, "other");
  expect(await statusOf(id, "waiter")).toBe("waitlist");
  expect((await register(id, "passing")).body.registrationStatus).toBe("registered");
  await leave(id, "holder");
  expect(await statusOf(id, "waiter")).toBe("registered");
});

test("a departure reads a long line in pages, not one person at a time", async () => {
  const question = { questionId: "w", label: "W", type: "WORKSHOP_SELECTION", required: false };
  const registrationQuestions = [{ ...question, choices: ["a", "b"], participantCap: 1 }];
  const id = await givenEvent({ capac: 2, registrationQuestions });
  await register(id, "holder", { dynamicResponses: { w: "a" } });
  await register(id, "leaver");
  const waiting = Array.from({ length: 60 }, (_, n) => `long${n}`);
  for (const name of waiting) await register(id, name, { dynamicResponses: { w: "a" } });
  await register(id, "last");
  queries = 0;
  expect((await leave(id, "leaver")).status).toBe(200);
  expect(await statusOf(id, "last")).toBe("registered");
  expect(queries).toBeLessThanOrEqual(6);
});

describe("one request is one transaction", () => {
  test("a PUT that registers a cancelled person again and sets points keeps the points", async () => {
    const id = await givenEvent({ capac: 5 });
    await register(id, "pointed");
    expect((await put(id, "pointed", { registrationStatus: "cancelled" })).status).toBe(200);
    const again = await put(id, "pointed", { registrationStatus: "registered", points: 10 });
    expect(again).toMatchObject({
      status: 200,
      body: { registrationStatus: "registered", registration: { points: 10 } },
    });
    expect(await storedOf(id, "pointed")).toMatchObject({ status: "registered", points: 10 });
  });

  test("a PUT that cancels, changes answers and sets points makes one version of the registration", async () => {
    const registrationQuestions = [{ questionId: "q", label: "Q", type: "TEXT", required: false }];
    const id = await givenEvent({ capac: 5, registrationQuestions });
    await register(id, "ending");
    const { version } = (await storedOf(id, "ending")) as { version: number };
    const body = { registrationStatus: "cancelled", points: 4, dynamicResponses: { q: "Because." } };
    expect(await put(id, "ending", body)).toMatchObject({ status: 200, body: { registrationStatus: "cancelled" } });
    expect(await storedOf(id, "ending")).toMatchObject({
      status: "cancelled",
      points: 4,
      dynamicResponses: { q: "Because." },
      version: version + 1,
    });
  });
});

describe("after a forced deletion, before clear-up has run", () => {
  test.each<[string, (id: string) => Promise<{ status: number }>]>([
    [
      "checking in",
      (eventID) =>
        stage.api("POST", "/registrations/check-in", { as: exec, body: { eventID, year, email: emailOf("guest") } }),
    ],
    ["other answers", (id) => put(id, "guest", { dynamicResponses: { w: "b" } })],
    ["points", (id) => put(id, "guest", { points: 3 })],
  ])("%s answers that the event is not found", async (_, act) => {
    const question = { questionId: "w", label: "W", type: "WORKSHOP_SELECTION", required: false };
    const id = await givenEvent({ capac: 5, registrationQuestions: [{ ...question, choices: ["a", "b"] }] });
    await register(id, "guest", { dynamicResponses: { w: "a" } });
    const deleted = await stage.api("DELETE", `/events/${id}/${year}?force=true`, { as: exec });
    expect(deleted.status).toBe(200);
    const before = await storedOf(id, "guest");
    expect(await act(id)).toMatchObject({ status: 404, body: { message: "Event not found." } });
    expect(await storedOf(id, "guest")).toEqual(before);
  });
});
