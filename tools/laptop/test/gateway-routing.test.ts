import { expect, test } from "@jest/globals";
import { createRouter } from "../http-api/routing.ts";

test("where a greedy parameter is never empty, the next greedy route has the path", () => {
  const routes = ["GET /{proxy+}", "GET /users/{proxy+}", "GET /users/{email}"].map((RouteKey) => ({
    RouteKey,
    functionId: "Echo",
    timeout: 0,
  }));
  const find = createRouter(routes, { takesEmptyRest: false });
  const found = (path: string) => [find("GET", path)?.route.RouteKey, find("GET", path)?.params];
  expect(found("/users/")).toEqual(["GET /{proxy+}", { proxy: "users/" }]);
  expect(found("/users/a/")).toEqual(["GET /users/{proxy+}", { proxy: "a/" }]);
  expect(found("/users/a")).toEqual(["GET /users/{email}", { email: "a" }]);
  expect(find("GET", "/")).toBeUndefined();
});
