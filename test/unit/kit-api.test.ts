/** The wrapper of API handlers: the time that Lambda has left for the invocation, and bodies that no handler gets. */
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { api, dispatch } from "#kit/request/api.ts";
import { type RemainingTime, systemContext } from "#kit/request/context.ts";
import { route } from "#kit/request/route.ts";
import { Type } from "#kit/schema/schema.ts";

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
  ["fifteen seconds where the invocation has just enough for one call more", withLeft(25_000), 15_000],
  ["less where it ends sooner", withLeft(24_999), 14_999],
  ["no time where no call fits any more", withLeft(10_000), 0],
  ["no time where the end has come", withLeft(-5), 0],
  ["fifteen seconds where no time limit is known", undefined, 15_000],
])("a request has %s", async (_name, lambda, allowed) => {
  expect(await tellsTime(request(), lambda)).toMatchObject({ statusCode: 200, body: String(allowed) });
  expect(await dispatch([tellsTime])(request(), lambda)).toMatchObject({ statusCode: 200, body: String(allowed) });
});

test("work without a request has a name, a time and a place in line of its own", () => {
  const context = systemContext("r1", 1_800_000_000_000);
  expect(context).toMatchObject({ now: 1_800_000_000_000, actor: "system", requestId: "r1", deadline: 1_015_000 });
  expect(context.queueKey).toMatch(/^1800000000000#[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(systemContext("r1", 1_800_000_000_000).queueKey).not.toBe(context.queueKey);
});

const keep = route("POST /kept", {
  access: "public",
  summary: "Keeps a body.",
  body: Type.Object({ year: Type.Number() }),
  responses: { 200: Type.Number() },
});
const kept = jest.fn(() => ({ statusCode: 200, body: 1 }));
const send = (body: string) => api(keep, kept)({ ...request(), routeKey: keep.key, body });

test.each<[string, string, number, string | undefined]>([
  ["that is fine", '{"year":2030}', 200, undefined],
  ["that is no JSON", "{", 400, "VALIDATION"],
  ["with __proto__", '{"__proto__":{},"year":2030}', 400, "VALIDATION"],
  ["with constructor", '{"constructor":{},"year":2030}', 400, "VALIDATION"],
  ["with constructor deep inside", '{"unknown":[{"constructor":{}}],"year":2030}', 400, "VALIDATION"],
  ["of another type", '{"year":"2030"}', 400, "VALIDATION"],
  ["of 300 KB", `{"year":2030,"unknown":"${"x".repeat(300_000)}"}`, 413, "TOO_LARGE"],
])("a body %s is answered before the handler, unless it is fine", async (_, body, statusCode, code) => {
  kept.mockClear();
  const answer = await send(body);
  expect([answer.statusCode, JSON.parse(String(answer.body)).code]).toEqual([statusCode, code]);
  expect(kept).toHaveBeenCalledTimes(statusCode === 200 ? 1 : 0);
});

test("requests that are validated at the same time get their own issues", async () => {
  const bodies = ['{"year":"2030"}', '{"year":2030}', "{}"];
  const keeps = api(keep, kept);
  const answers = await Promise.all(bodies.map((body) => keeps({ ...request(), routeKey: keep.key, body })));
  const issues = answers.map(({ body }) => (JSON.parse(String(body)) as { issues?: { message: string }[] }).issues);
  expect(issues.map((list) => list?.[0]?.message)).toEqual(["must be a number", undefined, "is required"]);
});

test("without @middy/validator a malformed body reaches the handler", async () => {
  await jest.isolateModulesAsync(async () => {
    jest.unstable_mockModule("@middy/validator", () => ({ default: () => ({}) }));
    const unguarded = await import("#kit/request/api.ts");
    const answer = await unguarded.api(keep, kept)({ ...request(), routeKey: keep.key, body: '{"year":"2030"}' });
    expect(answer.statusCode).toBe(200);
  });
});
