/** Every right of every function is needed: without it something fails, and the console names the right. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type GrantedStage, givenGrants, nameOf } from "../service/grants.ts";
import { stories } from "../service/grants-uses.ts";

let granted: GrantedStage;
beforeAll(async () => {
  granted = await givenGrants();
});
afterAll(() => granted.stage.close());

test("the stories go well while nothing is withheld", async () => {
  const problems: string[] = [];
  for (const name of Object.keys(stories)) {
    problems.push(...(await granted.tell(name)).map((problem) => `${name}: ${problem}`));
  }
  expect(problems).toEqual([]);
});

test("no function has a right that it does not need", () => {
  expect(granted.unneeded()).toEqual([]);
});

test("no right of a function can be taken away unnoticed", async () => {
  const rights = granted.needed();
  const unnoticed: string[] = [];
  for (const right of rights) {
    const { problems, isSaid } = await granted.without(right);
    if (problems.length === 0 || !isSaid) {
      unnoticed.push(`${nameOf(right)} (${isSaid ? "named" : "not named"}; ${problems.join("; ") || "no problem"})`);
    }
  }
  console.info(`${rights.length} rights were taken away.`);
  expect(rights.length).toBeGreaterThan(100);
  expect(unnoticed).toEqual([]);
}, 600_000);
