/**
 * Events with the gate `queued` that have free seats again. A newcomer gets a seat while no person ahead in line can
 * take it. The answer is the stored state. One request makes one version of a registration.
 */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { exec, people, year } from "./given.ts";
import { givenStage, type ServiceStage, withoutRelay } from "./stage.ts";

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
});
afterAll(() => stage.close());

const storedStatus = async (eventID: string, email: string) => (await stage.storedRegistration(eventID, email))?.status;

/** Makes an event that was full and had a line (its gate is `queued`), and now has all its seats free. */
async function givenFullOnce(capac: number, fields: object = {}): Promise<string> {
  const id = await stage.givenEvent({ capac, ...fields });
  const emails = people(capac + 1, "first");
  for (const email of emails) expect((await stage.register(id, email)).status).toBe(201);
  expect(await storedStatus(id, emails.at(-1) as string)).toBe("waitlist");
  for (const email of emails.reverse()) expect((await stage.leave(id, email, exec)).status).toBe(200);
  return id;
}

describe("with free seats and an empty line", () => {
  test("newcomers one after the other are registered while seats are free, and the answers say so", async () => {
    const id = await givenFullOnce(3);
    const answers = [];
    for (const email of people(4, "free")) answers.push((await stage.register(id, email)).body);
    const statuses = answers.map(({ registrationStatus }) => registrationStatus);
    expect(statuses).toEqual(["registered", "registered", "registered", "waitlist"]);
    expect(answers[0]).toMatchObject({ message: "You are registered." });
    expect(answers[0].registration.waitlistPosition).toBeUndefined();
    expect(answers[3].registration.waitlistPosition).toBe(1);
  });

  test("newcomers at once after a raised capacity are all registered, as their answers say", async () => {
    const id = await givenFullOnce(1);
    const raised = await stage.changeEvent(id, { capac: 500 });
    expect(raised.status).toBe(200);
    const emails = people(40, "raised");
    const told = await Promise.all(
      emails.map(async (email) => (await stage.register(id, email)).body.registrationStatus),
    );
    const stored = await Promise.all(emails.map((email) => storedStatus(id, email)));
    expect(told).toEqual(stored);
    expect(new Set(stored)).toEqual(new Set(["registered"]));
  });

  test("a newcomer gets a priced seat with a hold of half an hour", async () => {
    const id = await givenFullOnce(2, { pricing: { member: 5, nonMember: 10 } });
    const before = Date.now();
    const { status, body } = await stage.register(id, "payer@free.example");
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
    expect((await stage.register(id, "a@free.example", choosing("a"))).body.registrationStatus).toBe("registered");
    expect(await stage.register(id, "b@free.example", choosing("a"))).toMatchObject({
      status: 409,
      body: { code: "CHOICE_FULL" },
    });
    expect((await stage.register(id, "b@free.example", choosing("b"))).body.registrationStatus).toBe("registered");
  });
});

test("newcomers pass over a person who waits for a full workshop; that person gets its next place", async () => {
  const question = { questionId: "w", label: "W", type: "WORKSHOP_SELECTION", required: false };
  const registrationQuestions = [{ ...question, choices: ["a", "b"], participantCap: 1 }];
  const id = await stage.givenEvent({ capac: 2, registrationQuestions });
  await stage.register(id, "holder@free.example", { dynamicResponses: { w: "a" } });
  await stage.register(id, "other@free.example");
  expect(
    (await stage.register(id, "waiter@free.example", { dynamicResponses: { w: "a" } })).body.registrationStatus,
  ).toBe("waitlist");
  await stage.leave(id, "other@free.example", exec);
  expect(await storedStatus(id, "waiter@free.example")).toBe("waitlist");
  expect((await stage.register(id, "passing@free.example")).body.registrationStatus).toBe("registered");
  await stage.leave(id, "holder@free.example", exec);
  expect(await storedStatus(id, "waiter@free.example")).toBe("registered");
});

test("a departure reads a long line in pages, not one person at a time", async () => {
  const question = { questionId: "w", label: "W", type: "WORKSHOP_SELECTION", required: false };
  const registrationQuestions = [{ ...question, choices: ["a", "b"], participantCap: 1 }];
  const id = await stage.givenEvent({ capac: 2, registrationQuestions });
  await stage.register(id, "holder@free.example", { dynamicResponses: { w: "a" } });
  await stage.register(id, "leaver@free.example");
  for (const email of people(60, "long")) await stage.register(id, email, { dynamicResponses: { w: "a" } });
  await stage.register(id, "last@free.example");
  queries = 0;
  expect((await stage.leave(id, "leaver@free.example", exec)).status).toBe(200);
  expect(await storedStatus(id, "last@free.example")).toBe("registered");
  expect(queries).toBeLessThanOrEqual(6);
});

describe("one request is one transaction", () => {
  test("a PUT that registers a cancelled person again and sets points keeps the points", async () => {
    const id = await stage.givenEvent({ capac: 5 });
    await stage.register(id, "pointed@free.example");
    expect((await stage.moveTo(id, "pointed@free.example", "cancelled")).status).toBe(200);
    const again = await stage.changeRegistration(id, "pointed@free.example", {
      registrationStatus: "registered",
      points: 10,
    });
    expect(again).toMatchObject({
      status: 200,
      body: { registrationStatus: "registered", registration: { points: 10 } },
    });
    expect(await stage.storedRegistration(id, "pointed@free.example")).toMatchObject({
      status: "registered",
      points: 10,
    });
  });

  test("a PUT that cancels, changes answers and sets points makes one version of the registration", async () => {
    const registrationQuestions = [{ questionId: "q", label: "Q", type: "TEXT", required: false }];
    const id = await stage.givenEvent({ capac: 5, registrationQuestions });
    await stage.register(id, "ending@free.example");
    const { version } = (await stage.storedRegistration(id, "ending@free.example")) as { version: number };
    const body = { registrationStatus: "cancelled", points: 4, dynamicResponses: { q: "Because." } };
    expect(await stage.changeRegistration(id, "ending@free.example", body)).toMatchObject({
      status: 200,
      body: { registrationStatus: "cancelled" },
    });
    expect(await stage.storedRegistration(id, "ending@free.example")).toMatchObject({
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
        stage.api("POST", "/registrations/check-in", {
          as: exec,
          body: { eventID, year, email: "guest@free.example" },
        }),
    ],
    [
      "the ticket once more",
      (eventID) =>
        stage.api("POST", "/registrations/resend-ticket", {
          as: exec,
          body: { eventID, year, email: "guest@free.example" },
        }),
    ],
    ["other answers", (id) => stage.changeRegistration(id, "guest@free.example", { dynamicResponses: { w: "b" } })],
    ["points", (id) => stage.changeRegistration(id, "guest@free.example", { points: 3 })],
  ])("%s answers that the event is not found", async (_, act) => {
    const question = { questionId: "w", label: "W", type: "WORKSHOP_SELECTION", required: false };
    const id = await stage.givenEvent({ capac: 5, registrationQuestions: [{ ...question, choices: ["a", "b"] }] });
    await stage.register(id, "guest@free.example", { dynamicResponses: { w: "a" } });
    const deleted = await stage.deleteEvent(id, "?force=true");
    expect(deleted.status).toBe(200);
    const before = await stage.storedRegistration(id, "guest@free.example");
    expect(await act(id)).toMatchObject({ status: 404, body: { message: "Event not found." } });
    expect(await stage.storedRegistration(id, "guest@free.example")).toEqual(before);
  });
});
