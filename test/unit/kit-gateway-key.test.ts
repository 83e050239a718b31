/** Paths that end in a slash: the keys that API Gateway accepts for them, and what the functions make of a request. */
import { describe, expect, test } from "@jest/globals";
import { capabilities } from "#api/routes.ts";
import { contractKey, gatewayKey } from "#kit/gateway-key.ts";
import { type FunctionName, functionEntries } from "../../lib/entries.ts";
import { routeKeyProblem } from "../../tools/laptop/http-api/route-key.ts";

const routes = Object.entries(capabilities).flatMap(([name, declared]) =>
  declared.flatMap((route) => route.keys.map((key) => ({ ...route, name: name as FunctionName, key }))),
);
const ending = routes.filter(({ key }) => key.endsWith("/"));

test.each([
  ["GET /users", "GET /users"],
  ["GET /users/", "GET /users/{proxy+}"],
  ["GET /", "GET /"],
])("%s has the key %s", (key, expected) => {
  expect(gatewayKey(key)).toBe(expected);
});

test("API Gateway accepts every key of the contract", () => {
  expect(routes.map(({ key }) => routeKeyProblem(gatewayKey(key))).filter(Boolean)).toEqual([]);
  expect(ending.length).toBeGreaterThan(8);
  for (const { key } of ending) expect(routeKeyProblem(key)).toMatch(/^One or more path parts appear to be invalid/);
});

const known = (key: string) => key === "GET /templates/";

test.each<[routeKey: string, parameters: Record<string, string>, expected: string | undefined]>([
  ["GET /templates/{proxy+}", { proxy: "" }, "GET /templates/"],
  ["GET /templates/{proxy+}", {}, "GET /templates/"],
  ["GET /templates/{proxy+}", { proxy: "a" }, undefined],
  ["GET /templates/{proxy+}", { proxy: "a/b" }, undefined],
  ["GET /templates/{proxy+}", { proxy: "/" }, undefined],
  ["GET /templates/{name}", { name: "" }, "GET /templates/"],
  ["GET /templates/{name}", {}, "GET /templates/"],
  ["GET /templates/{name}", { name: "a" }, "GET /templates/{name}"],
  ["DELETE /templates/{name}", { name: "" }, "DELETE /templates/{name}"],
  ["GET /templates", {}, "GET /templates"],
])("%s with %j is a request for %s", (routeKey, parameters, expected) => {
  expect(contractKey(routeKey, parameters, known)).toBe(expected);
});

describe.each(ending)("$key", ({ name, key, access }) => {
  const call = async (pathParameters: object | undefined, claims?: object) => {
    const { handler } = await import(`../../${functionEntries[name]}`);
    return handler({
      routeKey: gatewayKey(key),
      pathParameters,
      headers: {},
      isBase64Encoded: false,
      requestContext: {
        requestId: "r",
        timeEpoch: 1_800_000_000_000,
        ...(claims && { authorizer: { jwt: { claims } } }),
      },
    });
  };

  test("without claims it gives nothing away", async () => {
    expect(access).not.toBe("public");
    const answers = await Promise.all([undefined, {}, { proxy: "" }].map((parameters) => call(parameters)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(access === "admin" ? [403, 403, 403] : [401, 401, 401]);
  });

  test.each(["x", "x/y", "/"])("{proxy+} with %j is the gateway's 404", async (proxy) => {
    const { statusCode, body } = await call({ proxy });
    expect({ statusCode, body }).toEqual({ statusCode: 404, body: '{"message":"Not Found"}' });
  });
});
