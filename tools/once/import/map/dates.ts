/** Dates of the source, in ISO 8601. One without an offset is a time on the stage's clocks. Pure. */
import { toUtc } from "#domain/events/dates.ts";
import { formats } from "#kit/schema/formats.ts";
import { clockAt } from "#kit/text/time-zone.ts";

/** A time on the stage's clocks that is of two moments, or of none: a guess may be wrong by an hour. */
export class UnclearDate extends Error {}

const minute = 60_000;
const withOffset = /:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/i;

/**
 * Epoch milliseconds of a date. A date alone is 00:00.
 * @returns undefined when the text is no date, or of a day that does not exist
 * @throws UnclearDate a clock change skips the time, or repeats it
 */
export function momentOf(text: string, timeZone: string): number | undefined {
  const given = text.trim();
  if (!formats["iso-date"].check(given)) return undefined;
  const at = Date.parse(toUtc(given, timeZone));
  if (withOffset.test(given)) return at;
  const [date, time = ""] = given.split(/[T ]/i);
  const clock = clockAt(at, timeZone);
  if (clock !== `${date} ${(time || "00:00").padEnd(8, ":00").slice(0, 8)}`) {
    throw new UnclearDate("a time that a clock change skips: give it an offset");
  }
  // The clocks go back by an hour, on Lord Howe Island by half of one.
  const others = [-60, -30, 30, 60].map((minutes) => clockAt(at + minutes * minute, timeZone));
  if (others.includes(clock)) throw new UnclearDate("a time that a clock change repeats: give it an offset");
  return at;
}
