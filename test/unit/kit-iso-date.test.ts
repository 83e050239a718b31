/** The dates that callers may send (`docs/contract.md`, "Dates"). */
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { toUtc } from "#domain/events/dates.ts";
import { formats } from "#kit/schema/formats.ts";

const passes = formats["iso-date"].check;

test.each([
  ...["2030-05-01", " 2030-05-01T20:00 ", "2030-05-01 20:00:59", "2030-05-01T23:59:59.123456789Z"],
  ...["2030-05-01T00:00-0700", "2030-05-01T00:00+14:00", "2028-02-29", "1900-01-01", "2200-12-31"],
])("%j is a date", (text) => expect(passes(text)).toBe(true));

test.each([
  ...["", "2030", "2030-5-1", "05/01/2030", "tomorrow", "+002030-05-01", "2030-05-01Z", "2030-05-01T20:00Z[UTC]"],
  ...["2030-00-01", "2030-13-01", "2030-05-00", "2030-04-31", "2100-02-29", "1899-12-31", "2201-01-01"],
  ...["2030-05-01T24:00", "2030-05-01T20:60", "2030-05-01T20:00:60", "2030-05-01T20:00:00.1234567890"],
  ...["2030-05-01T20", "2030-05-01T20:00+15:00"],
])("%j is no date", (text) => expect(passes(text)).toBe(false));

test("an accepted date converts to UTC, and the result is accepted too", () => {
  const two = (max: number) => fc.nat(max).map((number) => String(number).padStart(2, "0"));
  const date = fc.tuple(fc.integer({ min: 1899, max: 2201 }), two(13), two(32)).map((parts) => parts.join("-"));
  const fraction = fc.stringMatching(/^(\.\d{1,10})?$/);
  const seconds = fc.oneof(
    fc.constant(""),
    fc.tuple(two(60), fraction).map(([whole, rest]) => `:${whole}${rest}`),
  );
  const zone = fc.stringMatching(/^(Z|[+-](0\d|1[0-5]):?[0-6]\d)?$/);
  const time = fc.tuple(fc.constantFrom("T", " "), two(24), two(60), seconds, zone);
  const text = fc.tuple(
    date,
    fc.option(
      time.map(([t, hour, minute, ...rest]) => `${t}${hour}:${minute}${rest.join("")}`),
      { nil: "" },
    ),
  );
  fc.assert(
    fc.property(text, ([day, rest]) => {
      // In UTC the first and the last day may lie in a year that is not accepted.
      fc.pre(passes(day + rest) && !/^(1900-01-01|2200-12-31)/.test(day));
      expect(passes(toUtc(day + rest, "America/Vancouver"))).toBe(true);
    }),
    { numRuns: 500 },
  );
});
