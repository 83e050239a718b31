/** A rush over HTTP with DynamoDB's conflicts: no oversell, no lost seat, order of arrival. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { people } from "./given.ts";
import { registerSurely, storedOf, tally } from "./rush.ts";
import { givenStage, type ServiceStage, withoutNotices } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await givenStage({ standIns: withoutNotices });
});
afterAll(() => stage.close());

test("six people for each seat at once: every seat is taken, and every other person waits", async () => {
  const seats = 4;
  await stage.givenEvent({ id: "rush", capac: seats });
  const newcomers = people(6 * seats, "rush");
  await Promise.all(newcomers.map((email) => stage.tokenFor(email)));
  const answers = await Promise.all(newcomers.map((email) => registerSurely(stage, "rush", email)));
  expect(tally(answers)).toEqual({ "201 registered": seats, "201 waitlist": 5 * seats });
  const stored = await storedOf(stage, "rush");
  expect(stored.seats).toMatchObject({ seats, registered: seats, capacity: seats, gate: "queued" });
  expect(stored.registered).toHaveLength(seats);
  expect(stored.waiting).toHaveLength(5 * seats);
  expect(stored.line.map(({ email }) => email).sort()).toEqual([...stored.waiting].sort());
});

test("the same person 20 times at once: one 201, nineteen 409, one seat", async () => {
  await stage.givenEvent({ id: "same", capac: 5 });
  const answers = await Promise.all(Array.from({ length: 20 }, () => stage.register("same", "me@same.example")));
  expect(tally(answers)).toEqual({ "201 registered": 1, "409 DUPLICATE": 19 });
  expect((await storedOf(stage, "same")).seats.seats).toBe(1);
});
