/** A right that is missing is named. `test/deep/grants.test.ts` takes each right of each function away. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type GrantedStage, givenGrants } from "./grants.ts";

let granted: GrantedStage;
beforeAll(async () => {
  granted = await givenGrants();
});
afterAll(() => granted.stage.close());

test("without a right that it needs, a story fails, and the console says which right is missing", async () => {
  expect(await granted.tell("prizes come and go")).toEqual([]);
  const right = granted
    .needed()
    .find(({ functionName, action }) => `${functionName} ${action}` === "Prizes dynamodb:PutItem");
  expect(await granted.without(right!)).toEqual({
    problems: expect.arrayContaining(["POST /prizes: 500"]),
    isSaid: true,
  });
});
