/** What must be right while the indexes of the table lag behind (`docs/decisions.md`, "Storage and messages"). */
import { afterEach, expect, test } from "@jest/globals";
import { exec, newEmail } from "./given.ts";
import { givenStage, type ServiceStage } from "./stage.ts";

let stage: ServiceStage;
afterEach(() => stage.close());

const dataOf = async (method: string, path: string, as: string, body?: object) => {
  const answer = await stage.api(method, `/btx${path}`, { as, body });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body.data;
};

test("a reset of the game finds accounts that the index does not have yet", async () => {
  stage = await givenStage({ indexLag: 600_000 });
  const eventId = "late";
  await dataOf("POST", "/admin/project", exec, { projectId: "tea", ticker: "TEA", name: "Tea", eventId });
  const traders = [newEmail(), newEmail(), newEmail()];
  for (const as of traders) await dataOf("POST", "/market/buy", as, { projectId: "tea", shares: 3 });
  const reset = { eventId, accounts: 3, complete: true };
  expect(await dataOf("POST", "/admin/reset", exec, { eventId })).toEqual(reset);
  for (const as of traders) {
    expect(await dataOf("GET", `/portfolio?eventId=${eventId}`, as)).toMatchObject({
      holdings: [],
      totalEquityValue: 0,
    });
  }
  expect(await dataOf("POST", "/admin/reset", exec, { eventId })).toEqual(reset);
  // Control: the index has none of them.
  expect(await dataOf("GET", `/leaderboard?eventId=${eventId}`, exec)).toMatchObject({ traders: 0 });
});
