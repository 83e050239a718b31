/** Dates of the source. One without a zone is a time on the stage's clocks. Pure. */
import { tz } from "@date-fns/tz";
import { isValid, parse } from "date-fns";
import { toUtc } from "#domain/events/dates.ts";
import { clockAt } from "#kit/text/time-zone.ts";

/** A date that may be of two moments, or of none: the row is refused, because a guess may be wrong by an hour or months. */
export class UnclearDate extends Error {}

/** A zone or an offset behind a time. */
const zone = /(?<=\d:\d{2}.*?)\s*(?:Z|UTC|GMT|[ECMP][SD]T)?\s*(?:[+-]\d{2}:?\d{2})?(?:\s*\(.*\))?\s*$/i;
const weekday = /^(?<day>sun|mon|tue|wed|thu|fri|sat)[a-z]*,?\s+/i;
const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const minute = 60_000;

const dateFormats = [
  ...["yyyy-MM-dd", "yyyy/M/d", "yyyy.M.d", "d/M/yyyy", "M/d/yyyy", "d.M.yyyy", "M.d.yyyy", "d-M-yyyy", "M-d-yyyy"],
  ...["d MMMM yyyy", "d MMM yyyy", "MMMM d, yyyy", "MMMM d yyyy", "MMM d, yyyy", "MMM d yyyy"],
];
const timeFormats = [" H:mm", " H:mm:ss", " H:mm:ss.SSS", " h:mm a", " h:mm:ss a", " h a", " ha"];
const utc = { in: tz("UTC") };

/** The time that a text has in one of the formats, as if it were in UTC. Days that do not exist have none. */
function wallsOf(text: string, formats: readonly string[]): Set<number> {
  const dates = formats.map((format) => parse(text, format, new Date(0), utc));
  return new Set(dates.filter((date) => isValid(date) && date.getFullYear() >= 1000).map((date) => date.getTime()));
}

/** The spellings that the formats lack: `T` before the time, words, `Sept`, fractions of a second as long as any. */
const plain = (text: string): string =>
  text
    .trim()
    .replace(/\s+/g, " ")
    .replace(weekday, "")
    .replace(/(?<=\d)(?:st|nd|rd|th)\b/i, "")
    .replace(/\bsept\b\.?/i, "Sep")
    .replace(/(?<=\d)(?:T|,? at |, )(?=\d{1,2}(?::|\s*[ap]m))/i, " ")
    .replace(/(?<=:\d{2})[.,](\d{1,9})$/, (_, digits: string) => `.${digits.padEnd(3, "0").slice(0, 3)}`);

/** What a text says of a moment. */
interface Said {
  /** `2030-01-31T18:00:00.000`, on the clocks of the zone that it names, or the stage's. */
  readonly wall: string;
  readonly isDateAlone: boolean;
}

/** @returns undefined when the text is no date  @throws UnclearDate */
function saidIn(text: string): Said | undefined {
  const given = plain(text);
  const alone = wallsOf(given, dateFormats);
  const isDateAlone = alone.size > 0;
  const walls = isDateAlone
    ? alone
    : wallsOf(
        given,
        dateFormats.flatMap((date) => timeFormats.map((time) => date + time)),
      );
  if (walls.size > 1) {
    throw new UnclearDate("a date of which the day and the month may be exchanged: write it as 2030-01-31");
  }
  const [wall] = walls;
  if (wall === undefined) return undefined;
  const day = weekday.exec(text.trim())?.groups?.day?.toLowerCase();
  if (day && weekdays[new Date(wall).getUTCDay()] !== day) throw new UnclearDate("a date on another day of the week");
  return { wall: new Date(wall).toISOString().slice(0, -1), isDateAlone };
}

/**
 * Epoch milliseconds of a time on the clocks of a zone.
 * @param wall `2030-01-31T18:00:00.000`
 * @throws UnclearDate a clock change skips the time, or repeats it
 */
function timeOn(wall: string, timeZone: string): number {
  const at = Date.parse(toUtc(wall, timeZone));
  const clock = clockAt(at, timeZone);
  if (clock !== wall.slice(0, 19).replace("T", " ")) {
    throw new UnclearDate("a time that a clock change skips: give it an offset");
  }
  // The clocks go back by an hour, on Lord Howe Island by half of one.
  const others = [-60, -30, 30, 60].map((minutes) => clockAt(at + minutes * minute, timeZone));
  if (others.includes(clock)) throw new UnclearDate("a time that a clock change repeats: give it an offset");
  return at;
}

/** A date alone as `yyyy-mm-dd`; undefined when the text has a time, or is no date. @throws UnclearDate */
export function dateAloneIn(text: string): string | undefined {
  const said = saidIn(text.replace(zone, ""));
  return said?.isDateAlone ? said.wall.slice(0, 10) : undefined;
}

/**
 * Epoch milliseconds of a date. A date alone is 00:00.
 * @returns undefined when the text is no date, or of a day that does not exist
 * @throws UnclearDate
 */
export function momentOf(text: string, timeZone: string): number | undefined {
  const withoutZone = text.replace(zone, "");
  const said = saidIn(withoutZone);
  if (!said) return undefined;
  const named = text.slice(withoutZone.length).trim();
  if (named === "") return timeOn(said.wall, timeZone);
  const at = Date.parse(`${said.wall.replace("T", " ")} ${named}`);
  return Number.isNaN(at) ? undefined : at;
}
