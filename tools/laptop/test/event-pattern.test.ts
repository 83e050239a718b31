/** What no pattern may have. What patterns match: compared/patterns.ts. */
import { expect, test } from "@jest/globals";
import { matchesPattern } from "../patterns/event-pattern.ts";

test("an unknown matcher is an error", () => {
  expect(() => matchesPattern({ a: [{ sounds: "like" }] }, { a: "b" })).toThrow("sounds");
  expect(() => matchesPattern({ a: [{ wildcard: { prefix: "x" } }] }, { a: "b" })).toThrow("wildcard");
});
