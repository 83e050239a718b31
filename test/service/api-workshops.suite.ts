/** Workshops at their bounds: many people who wait for a full one, many choices, and many workshops of one person. */
import { beforeAll, expect, test } from "@jest/globals";
import pMap from "p-map";
import { crowd } from "./crowd.ts";
import { times } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const workshop = (questionId: string, choices: readonly string[], participantCap?: number) => ({
  ...{ questionId, label: `Which of ${questionId}?`, type: "WORKSHOP_SELECTION", required: false, choices },
  ...(participantCap !== undefined && { participantCap }),
});
const emailOf = (who: string) => `${who}@student.example`;

const becomes = (status: string) => ({ registrationStatus: status });

const choose = (eventID: string, who: string, dynamicResponses: object) =>
  stage.registerByAdmin(eventID, emailOf(who), { dynamicResponses });
const cancel = (eventID: string, who: string) => stage.moveTo(eventID, emailOf(who), "cancelled");
const storedStatus = async (eventID: string, who: string) =>
  (await stage.storedRegistration(eventID, emailOf(who)))?.status;

async function expectSoon(get: () => Promise<unknown>, expected: unknown): Promise<void> {
  const deadline = Date.now() + 20_000;
  let found = await get();
  while (found !== expected && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    found = await get();
  }
  expect(found).toBe(expected);
}

test("while a crowd waits for a full workshop, others leave, register and move up past them", async () => {
  const id = "crowd";
  await stage.givenEvent({ id, capac: 2, registrationQuestions: [workshop("w", ["Choir", "Tea", "Chess"], 1)] });
  for (const [who, w] of [
    ["ada", "Choir"],
    ["ben", "Tea"],
  ] as const)
    expect(await choose(id, who, { w })).toMatchObject({ status: 201, body: becomes("registered") });
  const waiting = times(crowd(8), (n) => `crowd${n}`);
  await pMap(
    waiting,
    async (who) => expect((await choose(id, who, { w: "Choir" })).body).toMatchObject(becomes("waitlist")),
    { concurrency: 8 },
  );
  expect(await choose(id, "zoe", { w: "Chess" })).toMatchObject({ status: 201, body: becomes("waitlist") });

  // The seat of a leaver goes to the only person in line who can take it, past all the others.
  expect((await cancel(id, "ben")).status).toBe(200);
  await expectSoon(() => storedStatus(id, "zoe"), "registered");
  expect(await stage.storedSeats(id)).toMatchObject({ seats: 2, choiceHolders: { w: { Choir: 1, Tea: 0, Chess: 1 } } });

  // A newcomer for another workshop takes the free seat at once.
  expect((await cancel(id, "zoe")).status).toBe(200);
  expect(await choose(id, "carl", { w: "Tea" })).toMatchObject({ status: 201, body: becomes("registered") });

  // A person who waits for another workshop moves up when the capacity is raised.
  expect(await choose(id, "dora", { w: "Chess" })).toMatchObject({ status: 201, body: becomes("waitlist") });
  expect((await stage.changeEvent(id, { capac: 5 })).status).toBe(200);
  await expectSoon(() => storedStatus(id, "dora"), "registered");
  expect(await stage.storedSeats(id)).toMatchObject({ seats: 3, choiceHolders: { w: { Choir: 1, Tea: 1, Chess: 1 } } });

  // The first of the crowd moves up when the full workshop has room.
  const before = await Promise.all(waiting.map((who) => storedStatus(id, who)));
  expect(new Set(before)).toEqual(new Set(["waitlist"]));
  expect((await cancel(id, "ada")).status).toBe(200);
  const seated = async () =>
    (await Promise.all(waiting.map((who) => storedStatus(id, who)))).filter((status) => status === "registered").length;
  await expectSoon(seated, 1);
  expect(await stage.storedSeats(id)).toMatchObject({ seats: 3, choiceHolders: { w: { Choir: 1, Tea: 1, Chess: 1 } } });
});
