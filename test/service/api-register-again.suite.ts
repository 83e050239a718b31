/** Registering again for one event has a limit of five times an hour (`docs/contract.md`, "Registrations"). */
import { beforeAll, expect, test } from "@jest/globals";
import pMap from "p-map";
import { type Answer, newEmail, times, year } from "./given.ts";
import { type ServiceStage, sharedStage, withoutRelay } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage(withoutRelay);
});

const maxPerHour = 5;

const byPost = (id: string, email: string) => stage.register(id, email);
const byPut = (id: string, email: string) => stage.moveTo(id, email, "registered", email);
const cancel = (id: string, email: string) => stage.moveTo(id, email, "cancelled", email);

/** A person who has registered again as often as that is allowed, and has cancelled each time. */
async function givenChanging(): Promise<{ id: string; email: string }> {
  const [id, email] = [await stage.givenEvent({ capac: 9 }), newEmail()];
  const requests = [byPost, ...times(maxPerHour, (n) => (n % 2 === 0 ? byPut : byPost))];
  for (const request of requests) {
    expect((await request(id, email)).body).toMatchObject({ registrationStatus: "registered" });
    expect((await cancel(id, email)).status).toBe(200);
  }
  return { id, email };
}

function expectTooOften({ status, body, headers }: Answer): void {
  expect({ status, body }).toMatchObject({ status: 429, body: { code: "TOO_OFTEN", message: expect.any(String) } });
  const seconds = Number(headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(3_000);
  expect(seconds).toBeLessThanOrEqual(3_600);
}

/** @returns how often the person was told of a seat */
async function timesSeated(email: string): Promise<number> {
  const rows = (await stage.outboxRows()).filter(({ detail }) => detail.data?.email === email);
  return rows.filter(({ detailType }) => detailType === "registration.registered").length;
}

test("once more within the hour is refused by POST and PUT, and writes nothing", async () => {
  const { id, email } = await givenChanging();
  const before = await stage.storedItemsWith(email);
  expectTooOften(await byPost(id, email));
  expectTooOften(await byPut(id, email));
  expect(await stage.storedItemsWith(email)).toEqual(before);
  // Another event has a count of its own.
  expect((await byPost(await stage.givenEvent(), email)).status).toBe(201);
});

test("an admin is free of it, cancelling is never refused, and deleting the registration does not end the count", async () => {
  const { id, email } = await givenChanging();
  expect((await stage.registerByAdmin(id, email)).status).toBe(201);
  expect((await cancel(id, email)).status).toBe(200);
  expect((await stage.moveTo(id, email, "registered")).status).toBe(200);
  expect((await stage.leave(id, email)).status).toBe(200);
  expectTooOften(await byPost(id, email));
});

test("a refusal is not kept for an idempotency key", async () => {
  const { id, email } = await givenChanging();
  const headers = { "idempotency-key": `again-${email}` };
  const request = () => stage.api("POST", "/registrations", { as: email, body: { eventID: id, year, email }, headers });
  for (const answer of [await request(), await request()]) {
    expectTooOften(answer);
    expect(answer.headers.get("idempotent-replayed")).toBeNull();
  }
});

test("parallel requests of one person do not pass the limit", async () => {
  const [id, email] = [await stage.givenEvent({ capac: 9 }), newEmail()];
  await byPost(id, email);
  const answers: Answer[] = [];
  const takeTurns = async (first: typeof byPost, second: typeof byPost) => {
    for (let turn = 0; turn < 6; turn += 1) {
      for (const request of [cancel, first, cancel, second]) answers.push(await request(id, email));
    }
  };
  await pMap(
    times(4, (n) => n),
    (n) => (n % 2 === 0 ? takeTurns(byPost, byPut) : takeTurns(byPut, byPost)),
  );
  const expected = new Set([200, 201, 409, 429]);
  expect(answers.filter(({ status }) => !expected.has(status)).map(({ body }) => body)).toEqual([]);
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  expect(await timesSeated(email)).toBe(1 + maxPerHour);
  expect((await stage.storedRegistration(id, email))?.again).toMatchObject({ count: maxPerHour });
});
