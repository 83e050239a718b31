/** Every right of every function is needed. `test/deep/grants.test.ts` takes each away. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type GrantedStage, givenGrants } from "./grants.ts";
import { stories } from "./grants-uses.ts";
import { givenStage } from "./stage.ts";

let granted: GrantedStage;
beforeAll(async () => {
  granted = await givenGrants();
}, 60_000);
afterAll(() => granted.stage.close());

test("the stories go well while nothing is withheld", async () => {
  const problems: string[] = [];
  for (const name of Object.keys(stories)) {
    problems.push(...(await granted.tell(name)).map((problem) => `${name}: ${problem}`));
  }
  expect(problems).toEqual([]);
}, 120_000);

test("no function has a right that it does not need", () => {
  expect(granted.unneeded()).toEqual([]);
});

test("without a right that it needs, a story fails, and the console says which right is missing", async () => {
  const right = granted
    .needed()
    .find(({ functionName, action }) => `${functionName} ${action}` === "Prizes dynamodb:PutItem");
  expect(await granted.without(right!)).toEqual({
    problems: expect.arrayContaining(["POST /prizes: 500"]),
    isSaid: true,
  });
});

test("without the right to list streams the stage does not start", async () => {
  const withheld = (name: string, { action }: { action: string }) =>
    name === "Relay" && action === "dynamodb:ListStreams";
  await expect(givenStage({ quiet: true, withheld })).rejects.toThrow(
    /Cannot access stream .* Please ensure the role can perform the GetRecords, GetShardIterator, DescribeStream, and ListStreams/,
  );
});
