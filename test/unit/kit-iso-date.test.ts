/** The dates that callers may send (`docs/contract.md`, "Dates"). */
import { expect, test } from "@jest/globals";
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
