/** Registration opens at `opensAt`, and a draft shows itself at `publishAt` (`docs/contract.md`, "Events"). */
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { crowd } from "./crowd.ts";
import { type Answer, exec, newEmail, times, year } from "./given.ts";
import { storedOf } from "./rush.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const isoOf = (time: number): string => new Date(time).toISOString();
const untilTime = (time: number): Promise<void> => pause(Math.max(0, time - Date.now()));

describe("an event whose registration has not opened", () => {
  const opensAt = `${year}-01-15T20:00:00.000Z`;

  test.each([
    ["for attendees", {}, {}],
    ["for partners", {}, { isPartner: true }],
    ["that takes applications", { isApplicationBased: true }, {}],
    ["that is full", { capac: 1 }, {}],
  ])("refuses everyone but admins: one %s", async (_name, fields, form) => {
    const eventID = await stage.givenEvent({ opensAt, ...fields });
    const guest = newEmail();
    const byAdmin = await stage.register(eventID, guest, form, exec);
    expect(byAdmin.status).toBe(201);
    const { status, body, headers } = await stage.register(eventID, newEmail(), form);
    expect({ status, body }).toMatchObject({
      status: 409,
      body: { code: "NOT_OPEN_YET", opensAt, message: `Registration opens at ${opensAt}.` },
    });
    expect(Number(headers.get("retry-after")) * 1_000 + Date.now()).toBeGreaterThanOrEqual(Date.parse(opensAt));
    const again = await stage.register(eventID, guest);
    expect(again).toMatchObject({ status: 409, body: { code: "DUPLICATE" } });
  });

  test("takes the same request with the same key once it is open", async () => {
    const [eventID, email] = [await stage.givenEvent({ opensAt }), newEmail()];
    const ask = () =>
      stage.api("POST", "/registrations", {
        as: email,
        body: { eventID, year, email },
        headers: { "idempotency-key": `opening-${eventID}` },
      });
    expect(await ask()).toMatchObject({ status: 409, body: { code: "NOT_OPEN_YET" } });
    await stage.changeEvent(eventID, { opensAt: null });
    expect(await ask()).toMatchObject({ status: 201, body: { registrationStatus: "registered" } });
  });
});

test("of a crowd around the moment, nobody is early, and the line is in the order of arrival", async () => {
  const people = times(crowd(24), () => newEmail());
  await Promise.all(people.map((email) => stage.tokenFor(email)));
  const opensAt = Date.now() + 1_500;
  const id = await stage.givenEvent({ capac: crowd(4), opensAt: isoOf(opensAt) });
  const begin = opensAt - 400;
  const asked = await Promise.all(
    people.map(async (email, n): Promise<Answer & { readonly sentAt: number }> => {
      await untilTime(begin + (800 * n) / people.length);
      const sentAt = Date.now();
      return { sentAt, ...(await stage.register(id, email)) };
    }),
  );
  const early = asked.filter(({ body }) => body.code === "NOT_OPEN_YET");
  const admitted = asked.filter(({ status }) => status === 201);
  expect(early.length + admitted.length).toBe(people.length);
  expect(early.filter(({ sentAt }) => sentAt >= opensAt)).toEqual([]);
  expect(Math.min(...admitted.map(({ body }) => body.registration.createdAt))).toBeGreaterThanOrEqual(opensAt);
  await stage.settled();
  const { line, registered } = await storedOf(stage, id);
  expect(registered).toHaveLength(Math.min(admitted.length, crowd(4)));
  const arrivals = line.map(({ SK }) => Number.parseInt(SK, 10));
  expect(arrivals).toEqual(arrivals.toSorted((a, b) => a - b));
}, 600_000);

test("a draft is visible in its lists and to its readers from `publishAt` on", async () => {
  const [email, publishAt] = [newEmail(), Date.now() + 1_500];
  const id = await stage.givenEvent({
    isPublished: false,
    publishAt: isoOf(publishAt),
    startDate: isoOf(publishAt + 60_000),
  });
  await stage.indexed();
  const seen = async () => {
    const [one, list, next] = await Promise.all([
      stage.api("GET", `/events/${id}/${year}`, { as: email }),
      stage.api("GET", `/events?id=${id}`, { as: email }),
      stage.api("GET", "/events/getActiveEvent"),
    ]);
    return { one: one.status, listed: list.body.length, isNext: next.body.id === id };
  };
  const before = await seen();
  if (Date.now() < publishAt) expect(before).toEqual({ one: 404, listed: 0, isNext: false });
  await untilTime(publishAt);
  stage.usedByOthers("the next of all events");
  expect(await seen()).toEqual({ one: 200, listed: 1, isNext: true });
  await stage.changeEvent(id, { isPublished: false });
  await stage.indexed();
  expect(await seen()).toEqual({ one: 404, listed: 0, isNext: false });
});
