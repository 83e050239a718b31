/**
 * Paths that end in a slash: the keys that API Gateway accepts for them, and what the functions make of a request,
 * whatever the gateway does that its documentation leaves open.
 */
import { describe, expect, test } from "@jest/globals";
import { capabilities } from "#api/routes.ts";
import { contractRequest, gatewayKey, needsGreed } from "#kit/request/gateway-key.ts";
import type { FunctionName } from "../../lib/entries.ts";
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
  ["GET /{proxy+}", {}, { key: "GET /" }],
  ["GET /templates/{proxy+}", { proxy: "" }, { key: "GET /templates/" }],
  ["GET /templates/{proxy+}", { proxy: "/" }, undefined],
  ["DELETE /{proxy+}", { proxy: "templates/" }, undefined],
  ["GET /a/{b}/{proxy+}", { b: "x", proxy: "c.d/" }, { key: "GET /a/{b}/c.d/", parameters: { b: "x" } }],
  ["GET /a/{b}/{proxy+}", { b: "x", proxy: "c-d/" }, undefined],
  ["PUT /templates/{proxy+}", { proxy: "a/" }, { parameters: { name: "a", more: "" } }],
  ["PUT /templates/{proxy+}", { proxy: "a" }, { parameters: { name: "a", more: "" } }],
  ["PUT /templates/{proxy+}", { proxy: "a/b/\nc/" }, { parameters: { name: "a", more: "b/\nc/" } }],
  ["PUT /templates/{proxy+}", { proxy: "/b" }, undefined],
  ["GET /templates/{name}", { name: "" }, { key: "GET /templates/", parameters: {} }],
  ["GET /templates/{name}", { name: "a" }, { key: "GET /templates/{name}", parameters: { name: "a" } }],
  ["GET /templates", {}, { key: "GET /templates", parameters: {} }],
])("%s with %j is a request for %j", (routeKey, parameters, expected) => {
  const found = contractRequest(routeKey, parameters, declared);
  if (expected === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject(expected);
});

/** Whether a greedy route takes an empty rest, and whether its value keeps the slash at the end. */
describe.each([
  ["takes an empty rest", true, true],
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

  function expectArrival({ name, key, access }: (typeof routes)[number], fname: string) {
    const [method = "", path = ""] = key.split(" ");
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = ""]) => parameter);
    const parameters = Object.fromEntries(names.map((one) => [one, one === "fname" ? fname : `of ${one}`]));
    const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, one: string) => parameters[one] ?? "");
    const found = arrived(method, filled);
    expect(found).toEqual({ name, isPublic: isPublic(access), request: { key, parameters } });
  }

  test("every route arrives, with any name at the end of its path", () => {
    for (const route of routes)
      for (const fname of route.key.endsWith("/{fname}") ? ["Ada", "", "Ada/King"] : ["Ada"])
        expectArrival(route, fname);
  });

  test("an unknown path is a 404: of the gateway, or of a function behind a token", () => {
    const unknown = ["/", "/nothing", "/nothing/", "/profiles/", "/profiles/users/", "/emails/templates/a/b"];
    for (const path of unknown) {
      for (const method of ["GET", "POST", "PUT", "DELETE"]) {
        const found = arrived(method, path);
        expect([method, path, found?.request, found?.isPublic ?? false]).toEqual([method, path, undefined, false]);
      }
    }
  });
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
