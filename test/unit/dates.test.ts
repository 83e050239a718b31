import { expect, test } from "@jest/globals";
import { toUtc } from "#domain/events/dates.ts";

test.each([
  ["2026-01-15T18:00", "2026-01-16T02:00:00.000Z"],
  ["2026-07-15 18:00:30", "2026-07-16T01:00:30.000Z"],
  ["2026-01-15", "2026-01-15T08:00:00.000Z"],
  ["2026-01-15T18:00:00Z", "2026-01-15T18:00:00.000Z"],
  ["2026-01-15T18:00:00+02:00", "2026-01-15T16:00:00.000Z"],
])("the time %s in Vancouver is %s", (text, utc) => {
  expect(toUtc(text, "America/Vancouver")).toBe(utc);
});
