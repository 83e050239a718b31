/** The wrapper of API handlers hands on the time that Lambda has left for the invocation. */
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { api, dispatch } from "#kit/api.ts";
import type { RemainingTime } from "#kit/context.ts";
import { route } from "#kit/route.ts";
import { Type } from "#kit/schema.ts";

beforeEach(() => {
  jest.spyOn(performance, "now").mockReturnValue(1_000_000);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const clock = route("GET /clock", {
  access: "public",
  summary: "Tells how long the request may begin calls, in milliseconds.",
  responses: { 200: Type.Number() },
});
const tellsTime = api(clock, ({ context }) => ({ statusCode: 200, body: context.deadline - performance.now() }));

/** The wrapper changes the event of a request, so each request has its own. */
const request = () =>
  ({
    routeKey: clock.key,
    headers: {},
    isBase64Encoded: false,
    requestContext: { requestId: "r1", timeEpoch: 1_800_000_000_000 },
  }) as unknown as Parameters<typeof tellsTime>[0];

const withLeft = (milliseconds: number): RemainingTime => ({ getRemainingTimeInMillis: () => milliseconds });

test.each([
  ["fifteen seconds where the invocation has long", withLeft(29_000), 15_000],
  ["less where it ends sooner", withLeft(12_500), 2_500],
  ["no time where no call fits any more", withLeft(9_000), 0],
  ["fifteen seconds where no time limit is known", undefined, 15_000],
])("a request has %s", async (_name, lambda, allowed) => {
  expect(await tellsTime(request(), lambda)).toMatchObject({ statusCode: 200, body: String(allowed) });
  expect(await dispatch([tellsTime])(request(), lambda)).toMatchObject({ statusCode: 200, body: String(allowed) });
});
