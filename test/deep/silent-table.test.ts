/** A table that answers too late: each request ends in time, and says truthfully what is known. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { exec, newEmail, year } from "../service/given.ts";
import { givenStage, type ServiceStage } from "../service/stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await givenStage({ quiet: true, callLatency: 60_000 });
});
afterAll(() => stage.close());

test.each<[string, string, object | undefined, string]>([
  ["GET", `/events/gala/${year}`, undefined, "UNAVAILABLE|CONTENDED"],
  ["POST", "/registrations", { eventID: "gala", year, email: newEmail() }, "CONTENDED"],
  ["POST", "/prizes", { id: "hoodie", name: "Hoodie", price: 1 }, "OUTCOME_UNKNOWN"],
])("%s %s is answered by the service", async (method, path, body, code) => {
  const answer = await stage.api(method, path, { as: exec, body, once: true });
  expect(answer).toMatchObject({ status: 503, body: { code: expect.stringMatching(`^(${code})$`) } });
});
