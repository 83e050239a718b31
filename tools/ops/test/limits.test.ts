/** What `api close`, `limit` and `open` make of the limits of a stage. */
import { expect, test } from "@jest/globals";
import { changeBetween, type Limits, type Wish, wanted } from "../limits.ts";

const limit = (rate: number, burst = rate) => ({
  DetailedMetricsEnabled: false,
  ThrottlingRateLimit: rate,
  ThrottlingBurstLimit: burst,
});
const limits = (others: number, routes: Readonly<Record<string, number>>): Limits => ({
  others: limit(others),
  routes: Object.fromEntries(Object.entries(routes).map(([key, rate]) => [key, limit(rate)])),
});

const template = limits(1_000, { "GET /open": 300, "GET /door": 30 });
const closed = limits(0, { "GET /open": 0, "GET /door": 0 });

test.each<[Wish, string | undefined, Limits, Limits]>([
  ["close", undefined, template, closed],
  ["close", "GET /mine", template, limits(1_000, { "GET /open": 300, "GET /door": 30, "GET /mine": 0 })],
  ["close", "GET /door", template, limits(1_000, { "GET /open": 300, "GET /door": 0 })],
  ["limit", undefined, template, limits(1_000, { "GET /open": 5, "GET /door": 5 })],
  ["limit", "GET /mine", template, limits(1_000, { "GET /open": 300, "GET /door": 30, "GET /mine": 5 })],
  ["open", undefined, closed, template],
  ["open", undefined, limits(7, { "GET /mine": 5 }), template],
  ["open", "GET /door", closed, limits(0, { "GET /open": 0, "GET /door": 30 })],
  ["open", "GET /mine", limits(9, { "GET /mine": 5 }), limits(9, {})],
])("%s %s", (wish, route, now, then) => {
  expect(wanted(wish, { now, template, route })).toEqual(then);
  // Once more changes nothing.
  expect(changeBetween(then, wanted(wish, { now: then, template, route }))).toBeUndefined();
});

test("a change names what differs, and the settings that an update would leave behind", () => {
  expect(changeBetween(limits(1_000, { "GET /open": 300, "GET /door": 0, "GET /mine": 5 }), template)).toEqual({
    others: undefined,
    routes: { "GET /door": limit(30) },
    removed: ["GET /mine"],
  });
});
