/**
 * Paths that end in a slash: the keys that API Gateway accepts for them, and what the functions make of a request,
 * whatever the gateway does that its documentation leaves open.
 */
import { describe, expect, test } from "@jest/globals";
import { capabilities } from "#api/routes.ts";
import { contractRequest, gatewayKey, needsGreed } from "#kit/request/gateway-key.ts";
import { type FunctionName, functionEntries } from "../../lib/entries.ts";
import { routeKeyProblem } from "../../tools/laptop/http-api/route-key.ts";
import { createRouter } from "../../tools/laptop/http-api/routing.ts";

const routes = Object.entries(capabilities).flatMap(([name, declared]) =>
  declared.flatMap((route) => route.keys.map((key) => ({ ...route, name: name as FunctionName, key }))),
);
const ending = routes.filter(({ key }) => key.endsWith("/"));
const isPublic = (access: string) => access === "public" || access === "door";
/** The functions and the access of the gateway's routes. */
const gatewayRoutes = Object.entries(capabilities).flatMap(([name, declared]) =>
  declared.flatMap(({ gatewayKeys, access }) =>
    gatewayKeys.map((RouteKey) => ({ RouteKey, functionId: name, timeout: 0, access })),
  ),
);

test.each([
  ["GET /users", "GET /users"],
  ["GET /users/", "GET /{proxy+}"],
  ["GET /users/self/", "GET /users/{proxy+}"],
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
  const keys = gatewayRoutes.map(({ RouteKey }) => RouteKey);
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
  ["GET /{proxy+}", { proxy: "templates/a" }, undefined],
  ["GET /{proxy+}", { proxy: "nothing/templates/" }, undefined],
  ["GET /{proxy+}", {}, { key: "GET /" }],
  ["GET /templates/{proxy+}", { proxy: "" }, { key: "GET /templates/" }],
  ["GET /templates/{proxy+}", {}, { key: "GET /templates/" }],
  ["GET /templates/{proxy+}", { proxy: "a" }, undefined],
  ["GET /templates/{proxy+}", { proxy: "/" }, undefined],
  ["DELETE /{proxy+}", { proxy: "templates/" }, undefined],
  ["GET /a/{b}/{proxy+}", { b: "x", proxy: "c.d/" }, { key: "GET /a/{b}/c.d/", parameters: { b: "x" } }],
  ["GET /a/{b}/{proxy+}", { b: "x", proxy: "c-d/" }, undefined],
  ["PUT /templates/{proxy+}", { proxy: "a/" }, { parameters: { name: "a", more: "" } }],
  ["PUT /templates/{proxy+}", { proxy: "a" }, { parameters: { name: "a", more: "" } }],
  ["PUT /templates/{proxy+}", { proxy: "a/b/\nc/" }, { parameters: { name: "a", more: "b/\nc/" } }],
  ["PUT /templates/{proxy+}", { proxy: "/b" }, undefined],
  ["GET /templates/{name}", { name: "" }, { key: "GET /templates/", parameters: {} }],
  ["GET /templates/{name}", {}, { key: "GET /templates/", parameters: {} }],
  ["GET /templates/{name}", { name: "a" }, { key: "GET /templates/{name}", parameters: { name: "a" } }],
  ["DELETE /templates/{name}", { name: "" }, { key: "DELETE /templates/{name}", parameters: { name: "" } }],
  ["GET /templates", {}, { key: "GET /templates", parameters: {} }],
])("%s with %j is a request for %j", (routeKey, parameters, expected) => {
  const found = contractRequest(routeKey, parameters, declared);
  if (expected === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject(expected);
});

/** Whether a greedy route takes an empty rest, and whether its value keeps the slash at the end. */
describe.each([
  ["takes an empty rest", true, true],
  ["takes an empty rest, and no slash at the end", true, false],
  ["takes no empty rest", false, true],
  ["takes no empty rest, and no slash at the end", false, false],
])("where a greedy route %s", (_, takesEmptyRest, keepsSlash) => {
  const find = createRouter(gatewayRoutes, { takesEmptyRest });

  /** The function, the access and the contract's request for a path. */
  function arrived(method: string, path: string) {
    const match = find(method, path);
    if (!match) return undefined;
    const { route, params } = match;
    const { proxy, ...others } = params;
    const sent = proxy === undefined ? params : { ...others, proxy: keepsSlash ? proxy : proxy.replace(/\/$/, "") };
    const greedyKeys = capabilities[route.functionId]?.flatMap((one) => one.greedyKeys) ?? [];
    const access = gatewayRoutes.find(({ RouteKey }) => RouteKey === route.RouteKey)?.access ?? "";
    return {
      name: route.functionId,
      isPublic: isPublic(access),
      request: contractRequest(route.RouteKey, sent, greedyKeys),
    };
  }

  const expectArrival = (
    { name, key, access }: (typeof routes)[number],
    fname: string,
    sentPath: (path: string) => string = (path) => path,
  ) => {
    const [method = "", path = ""] = key.split(" ");
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = ""]) => parameter);
    const parameters = Object.fromEntries(names.map((one) => [one, one === "fname" ? fname : `of ${one}`]));
    const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, one: string) => parameters[one] ?? "");
    const found = arrived(method, sentPath(filled));
    expect(found).toEqual({ name, isPublic: isPublic(access), request: { key, parameters } });
  };

  test.each(routes)("$key arrives", (route) => expectArrival(route, "Ada"));

  test.each(routes.filter(({ key }) => key.endsWith("/{fname}")))("$key arrives with any name", (route) => {
    expectArrival(route, "");
    expectArrival(route, "Ada/King");
  });

  test("an unknown path is a 404: of the gateway, or of a function behind a token", () => {
    const unknown = [
      "/",
      "/nothing",
      "/nothing/",
      "/profiles/",
      "/profiles/users/",
      "/emails/templates/a/b",
      "/payments/",
    ];
    for (const path of unknown) {
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
        const found = arrived(method, path);
        expect([method, path, found?.request, found?.isPublic ?? false]).toEqual([method, path, undefined, false]);
      }
    }
  });
});

describe.each(ending)("$key", ({ name, key, access }) => {
  const start = gatewayKey(key).replace("{proxy+}", "");
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
    const rest = key.slice(start.length);
    const answers = await Promise.all([rest, rest.slice(0, -1)].map((proxy) => call({ proxy })));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(access === "admin" ? [403, 403] : [401, 401]);
  });

  test.each([undefined, "x", "x/y", "/", "/x/"])("{proxy+} with %j is the gateway's 404", async (proxy) => {
    // Below its own start another path of the contract may end in a slash.
    if (proxy === undefined && ending.some((other) => other.key === start)) return;
    const { statusCode, body } = await call(proxy === undefined ? undefined : { proxy });
    expect({ statusCode, body }).toEqual({ statusCode: 404, body: '{"message":"Not Found"}' });
  });
});
