/** What no pattern may have. What patterns match: compared/patterns.ts. */
import { expect, test } from "@jest/globals";
import { checkPattern } from "../patterns/event-pattern.ts";

test.each([
  { a: [{ suffix: ".png" }] },
  { a: [{ prefix: { "equals-ignore-case": "x" } }] },
  { $or: [{ a: [1] }] },
  { a: 1 },
])("%j is refused when the stage starts, and not when an event comes", (pattern) => {
  expect(() => checkPattern({ source: ["club.events"], detail: pattern })).toThrow(/pattern/);
});
