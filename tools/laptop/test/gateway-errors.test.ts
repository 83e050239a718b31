import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { routeKeyProblem } from "../http-api/route-key.ts";
import { givenGateway, type SmallGateway } from "./small-gateway.ts";

const functions = {
  Fine: 'export const handler = async (event) => ({ statusCode: 200, body: String((event.body ?? "").length) });',
};
let gateway: SmallGateway;
beforeAll(async () => {
  gateway = await givenGateway({
    functions,
    routes: { "GET /events": "Fine", "POST /events": "Fine", "GET /users/{email}": "Fine" },
  });
});
afterAll(() => gateway.close());

test("a body over 10 MB, or over Lambda's limit, is too large, and the connection stays open", async () => {
  const post = async (bytes: number) => {
    const headers = { "content-type": "text/plain" };
    const answer = await gateway.fetch("/events", { method: "POST", headers, body: "x".repeat(bytes) });
    return [answer.status, await answer.json()];
  };
  const tooLarge = [413, { message: "Request Entity Too Large" }];
  expect(await post(10 * 1024 * 1024 + 1)).toEqual(tooLarge);
  expect(await post(7_000_000)).toEqual(tooLarge);
  expect(await post(1_000_000)).toEqual([200, 1_000_000]);
});

test.each([
  ["a sign that no part may have", "GET /events:all", "path parts appear to be invalid"],
  ["an unknown method", "FETCH /events", "not formatted properly for HTTP protocol"],
  ["a greedy parameter inside", "GET /{proxy+}/events", "must be at the end"],
])("no route key has %s: %s", (_, key, problem) => {
  expect(routeKeyProblem(key)).toContain(problem);
});

test("a template does not start with a route key or limits that API Gateway refuses", async () => {
  const refused = { functions, routes: { "GET /events/": "Fine" } };
  await expect(givenGateway(refused)).rejects.toThrow('API Gateway refuses the route "GET /events/": One or more path');
  const limited = { functions, routes: { "GET /": "Fine" }, routeThrottle: { "GET /gone": {} } };
  await expect(givenGateway(limited)).rejects.toThrow("Unable to find Route by key GET /gone within the provided");
});
