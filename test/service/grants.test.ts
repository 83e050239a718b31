/** A right that is missing is named. `test/deep/grants.test.ts` takes each right of each function away. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type GrantedStage, givenGrants } from "./grants.ts";
import { givenStage } from "./stage.ts";

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

test("without the right to list streams the stage does not start", async () => {
  const withheld = (name: string, { action }: { action: string }) =>
    name === "Relay" && action === "dynamodb:ListStreams";
  await expect(givenStage({ quiet: true, withheld })).rejects.toThrow(
    /Cannot access stream .* Please ensure the role can perform the GetRecords, GetShardIterator, DescribeStream, and ListStreams/,
  );
});
