/** Workshops at their bounds: many people who wait for a full one, many choices, and many workshops of one person. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import pMap from "p-map";
import { exec, givenStage, type ServiceStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await givenStage();
}, 60_000);
afterAll(() => stage.close());

const year = 2030;
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const workshop = (questionId: string, choices: readonly string[], participantCap?: number) => ({
  ...{ questionId, label: `Which of ${questionId}?`, type: "WORKSHOP_SELECTION", required: false, choices },
  ...(participantCap !== undefined && { participantCap }),
});
const givenEvent = async (id: string, fields: object) => {
  const body = { id, year, ename: "Workshops", startDate: "2030-05-01", ...fields };
  expect((await stage.api("POST", "/events", { as: exec, body })).status).toBe(201);
};
const changeEvent = (id: string, body: object) => stage.api("PATCH", `/events/${id}/${year}`, { as: exec, body });
const emailOf = (who: string) => `${who}@student.example`;

const register = (eventID: string, who: string, dynamicResponses: object) => {
  const body = { eventID, year, email: emailOf(who), dynamicResponses };
  return stage.api("POST", "/registrations", { as: exec, body });
};
const change = (eventID: string, who: string, fields: object) =>
  stage.api("PUT", `/registrations/${emailOf(who)}/${who}`, { as: exec, body: { eventID, year, ...fields } });
const cancel = (id: string, who: string) => change(id, who, { registrationStatus: "cancelled" });
const becomes = (status: string) => ({ registrationStatus: status });

const statusOf = async (id: string, who: string): Promise<unknown> =>
  (await stage.stored(`USER#${emailOf(who)}`)).find(({ SK }) => SK === `REG#${id}#${year}`)?.status;
const seatsOf = async (id: string) => (await stage.stored(`SEAT#${id}#${year}#00`))[0] as Record<string, unknown>;

async function expectSoon(get: () => Promise<unknown>, expected: unknown): Promise<void> {
  const deadline = Date.now() + 20_000;
  let found = await get();
  while (found !== expected && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    found = await get();
  }
  expect(found).toBe(expected);
}

test("while 130 people wait for a full workshop, others leave, register and move up past them", async () => {
  const id = "crowd";
  await givenEvent(id, { capac: 2, registrationQuestions: [workshop("w", ["Choir", "Tea", "Chess"], 1)] });
  for (const [who, w] of [
    ["ada", "Choir"],
    ["ben", "Tea"],
  ] as const)
    expect(await register(id, who, { w })).toMatchObject({ status: 201, body: becomes("registered") });
  const crowd = times(130, (n) => `crowd${n}`);
  await pMap(
    crowd,
    async (who) => expect((await register(id, who, { w: "Choir" })).body).toMatchObject(becomes("waitlist")),
    { concurrency: 8 },
  );
  expect(await register(id, "zoe", { w: "Chess" })).toMatchObject({ status: 201, body: becomes("waitlist") });

  // The seat of a leaver goes to the only person in line who can take it, past all the others.
  expect((await cancel(id, "ben")).status).toBe(200);
  await expectSoon(() => statusOf(id, "zoe"), "registered");
  expect(await seatsOf(id)).toMatchObject({ seats: 2, taken: { w: { Choir: 1, Tea: 0, Chess: 1 } } });

  // A newcomer for another workshop takes the free seat at once.
  expect((await cancel(id, "zoe")).status).toBe(200);
  expect(await register(id, "carl", { w: "Tea" })).toMatchObject({ status: 201, body: becomes("registered") });

  // A person who waits for another workshop moves up when the capacity is raised.
  expect(await register(id, "dora", { w: "Chess" })).toMatchObject({ status: 201, body: becomes("waitlist") });
  expect((await changeEvent(id, { capac: 5 })).status).toBe(200);
  await expectSoon(() => statusOf(id, "dora"), "registered");
  expect(await seatsOf(id)).toMatchObject({ seats: 3, taken: { w: { Choir: 1, Tea: 1, Chess: 1 } } });

  // The first of the 130 moves up when the full workshop has room.
  const before = await Promise.all(crowd.map((who) => statusOf(id, who)));
  expect(new Set(before)).toEqual(new Set(["waitlist"]));
  expect((await cancel(id, "ada")).status).toBe(200);
  const seated = async () =>
    (await Promise.all(crowd.map((who) => statusOf(id, who)))).filter((status) => status === "registered").length;
  await expectSoon(seated, 1);
  expect(await seatsOf(id)).toMatchObject({ seats: 3, taken: { w: { Choir: 1, Tea: 1, Chess: 1 } } });
}, 120_000);

test("70 choices that are added to a workshop count from 0, and the choice in use keeps its count", async () => {
  const id = "many-choices";
  await givenEvent(id, { capac: 50, registrationQuestions: [workshop("w", ["old"], 1)] });
  expect((await register(id, "ada", { w: "old" })).status).toBe(201);
  const added = times(70, (n) => `new ${n}`);
  expect((await changeEvent(id, { registrationQuestions: [workshop("w", ["old", ...added], 1)] })).status).toBe(200);
  expect(await register(id, "ben", { w: "old" })).toMatchObject({ status: 409, body: { code: "CHOICE_FULL" } });
  expect((await register(id, "ben", { w: "new 69" })).status).toBe(201);
  expect(await register(id, "carl", { w: "new 69" })).toMatchObject({ status: 409, body: { code: "CHOICE_FULL" } });
  expect((await cancel(id, "ben")).status).toBe(200);
  expect((await register(id, "carl", { w: "new 69" })).status).toBe(201);
  expect(await seatsOf(id)).toMatchObject({ seats: 2, taken: { w: { old: 1, "new 69": 1 } } });
});

test("a person with 20 workshops registers, changes every choice, and leaves", async () => {
  const id = "many-workshops";
  const questions = times(20, (n) => `w${n}`);
  const registrationQuestions = questions.map((question) => workshop(question, ["morning", "evening"], 1));
  await givenEvent(id, { capac: 50, registrationQuestions });
  const all = (choice: string) => Object.fromEntries(questions.map((question) => [question, choice]));
  const counts = (morning: number, evening: number) =>
    Object.fromEntries(questions.map((question) => [question, { morning, evening }]));
  const taken = async () => (await seatsOf(id)).taken;

  expect(await register(id, "ada", all("morning"))).toMatchObject({ status: 201, body: becomes("registered") });
  expect(await register(id, "ben", all("morning"))).toMatchObject({ status: 409, body: { code: "CHOICE_FULL" } });
  expect((await change(id, "ada", { dynamicResponses: all("evening") })).status).toBe(200);
  expect(await taken()).toEqual(counts(0, 1));
  expect((await register(id, "ben", all("morning"))).status).toBe(201);
  expect(await taken()).toEqual(counts(1, 1));
  expect((await cancel(id, "ada")).status).toBe(200);
  expect(await taken()).toEqual(counts(1, 0));
  expect((await change(id, "ben", { dynamicResponses: all("evening") })).status).toBe(200);
  expect(await taken()).toEqual(counts(0, 1));
});
