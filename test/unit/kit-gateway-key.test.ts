/**
 * Paths that end in a slash: the keys that API Gateway accepts for them, and what the functions make of a request,
 * whatever the gateway does that its documentation leaves open.
 */
import { describe, expect, test } from "@jest/globals";
import { capabilities } from "#api/routes.ts";
import { contractRequest, gatewayKey, needsGreed } from "#kit/request/gateway-key.ts";
import type { FunctionName } from "../../lib/entries.ts";
import { routeKeyProblem } from "../../tools/laptop/http-api/route-key.ts";

const routes = Object.entries(capabilities).flatMap(([name, declared]) =>
  declared.flatMap((route) => route.keys.map((key) => ({ name: name as FunctionName, key }))),
);
const ending = routes.filter(({ key }) => key.endsWith("/"));
test.each([
  ["GET /users", "GET /users"],
  ["GET /users/", "GET /{proxy+}"],
  ["GET /users/{email}/", "GET /users/{proxy+}"],
  ["GET /users/{email}/names/", "GET /users/{email}/{proxy+}"],
  ["PUT /users/{email}/{name+}", "PUT /users/{proxy+}"],
  ["PUT /users/{email}/{name}", "PUT /users/{email}/{name}"],
  ["GET /", "GET /"],
])("%s has the key %s", (key, expected) => {
  expect(gatewayKey(key)).toBe(expected);
  expect(needsGreed(key)).toBe(key !== expected);
});

test("API Gateway accepts every key of the contract", () => {
  const keys = Object.values(capabilities).flatMap((routes) => routes.flatMap(({ gatewayKeys }) => gatewayKeys));
  expect(keys.map(routeKeyProblem).filter(Boolean)).toEqual([]);
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
  expect(keys.length).toBeLessThanOrEqual(300);
  expect(keys.length).toBe(new Set(keys).size);
  expect(ending.length).toBeGreaterThan(8);
  for (const { key } of ending) expect(routeKeyProblem(key)).toMatch(/^One or more path parts appear to be invalid/);
});

const declared = ["GET /", "GET /templates/", "PUT /templates/{name}/{more+}", "GET /a/{b}/c.d/"];

test.each<[routeKey: string, parameters: Record<string, string>, expected: object | undefined]>([
  ["GET /{proxy+}", { proxy: "templates/" }, { key: "GET /templates/" }],
  ["GET /{proxy+}", { proxy: "templates" }, { key: "GET /templates/" }],
  ["GET /{proxy+}", { proxy: "templates//" }, undefined],
  ["GET /{proxy+}", {}, { key: "GET /" }],
  ["GET /templates/{proxy+}", { proxy: "" }, { key: "GET /templates/" }],
  ["GET /templates/{proxy+}", {}, { key: "GET /templates/" }],
  ["GET /templates/{proxy+}", { proxy: "/" }, undefined],
  ["GET /templates/{proxy+}", { proxy: "a" }, undefined],
  ["DELETE /{proxy+}", { proxy: "templates/" }, undefined],
  ["GET /a/{b}/{proxy+}", { b: "x", proxy: "c.d/" }, { key: "GET /a/{b}/c.d/", parameters: { b: "x" } }],
  ["GET /a/{b}/{proxy+}", { b: "x", proxy: "c-d/" }, undefined],
  ["PUT /templates/{proxy+}", { proxy: "a/" }, { parameters: { name: "a", more: "" } }],
  ["PUT /templates/{proxy+}", { proxy: "a" }, { parameters: { name: "a", more: "" } }],
  ["PUT /templates/{proxy+}", { proxy: "a/b/\nc/" }, { parameters: { name: "a", more: "b/\nc/" } }],
  ["PUT /templates/{proxy+}", { proxy: "/b" }, undefined],
  ["GET /templates/{name}", { name: "" }, { key: "GET /templates/", parameters: {} }],
  ["GET /templates/{name}", { name: "a" }, { key: "GET /templates/{name}", parameters: { name: "a" } }],
])("%s with %j is a request for %j", (routeKey, parameters, expected) => {
  const found = contractRequest(routeKey, parameters, declared);
  if (expected === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject(expected);
});

test("every greedy route of the contract arrives, whether or not the gateway keeps the slash at its end", () => {
  for (const { key, name } of routes.filter((route) => needsGreed(route.key))) {
    const greedyKeys = capabilities[name]?.flatMap((one) => one.greedyKeys) ?? [];
    const start = gatewayKey(key).replace("{proxy+}", "");
    const rest = key.slice(start.length);
    for (const proxy of [rest, rest.replace(/\/$/, "")])
      expect([key, contractRequest(gatewayKey(key), { proxy }, greedyKeys)?.key]).toEqual([key, key]);
  }
});

describe("a function behind a greedy key", () => {
  const call = async (proxy: string) => {
    const { handler } = await import("#api/profiles/index.ts");
    return handler({
      routeKey: "GET /profiles/{proxy+}",
      pathParameters: { proxy },
      headers: {},
      isBase64Encoded: false,
      requestContext: { requestId: "r", timeEpoch: 1_800_000_000_000 },
    } as never);
  };

  test.each(["user/", "user"])("gives nothing away without claims, for a rest of %j", async (proxy) => {
    expect(await call(proxy)).toMatchObject({ statusCode: 401 });
  });

  test.each(["x/y", "/", "/x/"])("answers the gateway's 404 for a rest of %j", async (proxy) => {
    expect(await call(proxy)).toMatchObject({ statusCode: 404, body: '{"message":"Not Found"}' });
  });
});
