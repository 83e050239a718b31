/** A request about a registration is one transaction, and none about an event that is gone (`docs/contract.md`, "Registrations"). */
import { beforeAll, expect, test } from "@jest/globals";
import { newEmail } from "./given.ts";
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
