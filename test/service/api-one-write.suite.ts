/** A request about a registration is one transaction, and none about an event that is gone (`docs/contract.md`, "Registrations"). */
import { beforeAll, expect, test } from "@jest/globals";
import { exec, newEmail, year } from "./given.ts";
import { type ServiceStage, sharedStage, withoutRelay } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  // No consumer may clear up behind a deleted event: the tests look at the time before that.
  stage = await sharedStage(withoutRelay);
});

const registrationQuestions = [{ questionId: "q", label: "Q", type: "TEXT", required: false }];

test("a PUT that cancels, changes answers and sets points makes one version of the registration", async () => {
  const email = newEmail();
  const id = await stage.givenEventWith([email], { registrationQuestions });
  const { version } = (await stage.storedRegistration(id, email)) as { version: number };
  const changes = { points: 4, dynamicResponses: { q: "Because." } };
  const answer = await stage.changeRegistration(id, email, { registrationStatus: "cancelled", ...changes });
  expect(answer).toMatchObject({ status: 200, body: { registrationStatus: "cancelled" } });
  const expected = { status: "cancelled", ...changes, version: version + 1 };
  expect(await stage.storedRegistration(id, email)).toMatchObject(expected);
});

test.each<[string, (eventID: string, email: string) => Promise<{ status: number }>]>([
  [
    "checking in",
    (eventID, email) => stage.api("POST", "/registrations/check-in", { as: exec, body: { eventID, year, email } }),
  ],
  [
    "the ticket once more",
    (eventID, email) => stage.api("POST", "/registrations/resend-ticket", { as: exec, body: { eventID, year, email } }),
  ],
  ["other answers", (id, email) => stage.changeRegistration(id, email, { dynamicResponses: { q: "b" } })],
])("after a forced deletion %s answers that the event is not found", async (_, act) => {
  const email = newEmail();
  const id = await stage.givenEventWith([email], { registrationQuestions });
  expect((await stage.deleteEvent(id, "?force=true")).status).toBe(200);
  const before = await stage.storedRegistration(id, email);
  expect(await act(id, email)).toMatchObject({ status: 404, body: { message: "Event not found." } });
  expect(await stage.storedRegistration(id, email)).toEqual(before);
});
