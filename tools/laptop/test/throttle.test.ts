/** The token buckets of the local gateway. */
import { expect, test } from "@jest/globals";
import { createThrottles } from "../http-api/throttle.ts";

const settings = (rate: number, burst: number) => ({ ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst });

/** How many of so many requests may pass. */
const passed = (mayPass: (routeKey: string) => boolean, routeKey: string, requests: number): number =>
  Array.from({ length: requests }, () => mayPass(routeKey)).filter(Boolean).length;

test("each route with a limit has its own bucket, which fills with its own rate; all others share one", () => {
  let now = 0;
  const mayPass = createThrottles(
    { DefaultRouteSettings: settings(10, 8), RouteSettings: { "GET /a": settings(2, 3), "GET /b": settings(1, 1) } },
    () => now,
  );
  expect(["GET /a", "GET /b", "GET /c", "GET /d"].map((key) => passed(mayPass, key, 5))).toEqual([3, 1, 5, 3]);
  now = 500;
  expect(["GET /a", "GET /b", "GET /c", "GET /d"].map((key) => passed(mayPass, key, 5))).toEqual([1, 0, 5, 0]);
  now = 3_600_000;
  expect(passed(mayPass, "GET /a", 9)).toBe(3);
});

test("a route's settings replace the default, so a limit that they leave out is the account's", () => {
  const mayPass = createThrottles({ DefaultRouteSettings: settings(1, 1), RouteSettings: { "GET /a": {} } }, () => 0);
  expect(passed(mayPass, "GET /a", 6_000)).toBe(5_000);
  expect(passed(mayPass, "GET /b", 6_000)).toBe(1);
});
