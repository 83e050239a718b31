/** Registering again for one event has a limit of five times an hour (`docs/contract.md`, "Registrations"). */
import { beforeAll, expect, test } from "@jest/globals";
import { type Answer, newEmail, times } from "./given.ts";
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

test("once more within the hour is refused by POST and PUT, and writes nothing", async () => {
  const { id, email } = await givenChanging();
  const before = await stage.storedItemsWith(email);
  expectTooOften(await byPost(id, email));
  expectTooOften(await byPut(id, email));
  expect(await stage.storedItemsWith(email)).toEqual(before);
  // Another event has a count of its own.
  expect((await byPost(await stage.givenEvent(), email)).status).toBe(201);
});
