/** Registration opens at `opensAt`, and a draft shows itself at `publishAt` (`docs/contract.md`, "Events"). */
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { newEmail, year } from "./given.ts";
import { type ServiceStage, sharedStage, withoutNotices } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage(withoutNotices);
});

const isoOf = (time: number): string => new Date(time).toISOString();
const untilTime = (time: number): Promise<void> => pause(Math.max(0, time - Date.now()));

describe("an event whose registration has not opened", () => {
  const opensAt = `${year}-01-15T20:00:00.000Z`;

  test("refuses everyone but admins, and says when to come", async () => {
    const eventID = await stage.givenEvent({ opensAt });
    const guest = newEmail();
    expect((await stage.registerByAdmin(eventID, guest)).status).toBe(201);
    const { status, body, headers } = await stage.register(eventID, newEmail());
    expect({ status, body }).toMatchObject({
      status: 409,
      body: {
        code: "NOT_OPEN_YET",
        opensAt,
        message: expect.stringContaining("Tuesday, January 15, 2030 at 1:00 PM "),
      },
    });
    expect(Number(headers.get("retry-after")) * 1_000 + Date.now()).toBeGreaterThanOrEqual(Date.parse(opensAt));
    expect(await stage.register(eventID, guest)).toMatchObject({ status: 409, body: { code: "DUPLICATE" } });
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

test("a draft is visible in its lists and to its readers from `publishAt` on", async () => {
  const [email, publishAt] = [newEmail(), Date.now() + 1_500];
  const id = await stage.givenEvent({
    isPublished: false,
    publishAt: isoOf(publishAt),
    startDate: isoOf(publishAt + 3_600_000),
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
