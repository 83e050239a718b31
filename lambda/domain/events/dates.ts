/** Converts dates of requests to UTC, and says when an event is over (`docs/contract.md`, "Dates"). Pure. */

import { TZDate } from "@date-fns/tz";
import { day, hour, minute } from "#kit/text/time.ts";
import { zoneAt } from "#kit/text/time-zone.ts";

/** The fields of an event that are dates. */
export const dateFields = ["startDate", "endDate", "deadline", "opensAt", "publishAt", "refundUntil"] as const;
export type DateField = (typeof dateFields)[number];

/** The dates of an event, in UTC, and of those that were given as a date alone that date, `yyyy-mm-dd`. */
export type EventDates = { readonly [field in DateField]?: string } & {
  readonly wholeDays?: { readonly [field in DateField]?: string };
};

/** Of these a date alone means the end of the day, of the others its beginning. */
const lastMoments: readonly DateField[] = ["endDate", "deadline", "refundUntil"];

const withoutOffset = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?$/i;

/** Milliseconds by which the clocks of a zone are ahead of UTC. @param at epoch milliseconds */
const offsetAt = (at: number, timeZone: string): number =>
  -new TZDate(at, zoneAt(at, timeZone)).getTimezoneOffset() * minute;

/**
 * When the clocks of a zone show a time: the first time if they do so twice, and as much later as they skip if they never
 * do. TZDate chooses otherwise east of the zone of the process.
 * @param wall what they show, as if it were UTC; epoch milliseconds, as is the result
 */
function timeOf(wall: number, timeZone: string): number {
  const [before = 0, after = 0] = [wall - day, wall + day].map((at) => wall - offsetAt(at, timeZone));
  const shown = [before, after].filter((at) => at + offsetAt(at, timeZone) === wall);
  return shown.length > 0 ? Math.min(...shown) : before;
}

/**
 * Converts an ISO 8601 date or date-time to UTC. Without an offset the time is in `timeZone` (IANA name). A date alone
 * means 00:00 in that time zone; of an event see `momentOf`. Expects text of the format `iso-date`.
 */
export function toUtc(text: string, timeZone: string): string {
  const match = withoutOffset.exec(text);
  if (!match) return new Date(text.replace(" ", "T")).toISOString();
  const part = (index: number): number => Number(match[index] ?? 0);
  const milliseconds = Number((match[7] ?? "").padEnd(3, "0").slice(0, 3));
  const wall = Date.UTC(part(1), part(2) - 1, part(3), part(4), part(5), part(6), milliseconds);
  return new Date(timeOf(wall, timeZone)).toISOString();
}

/** The wall clock of a time zone as milliseconds, as if it were UTC. */
export const wallOf = (utc: string, timeZone: string): number => Date.parse(utc) + offsetAt(Date.parse(utc), timeZone);

/** A date-time without an offset, as the wall clock shows it. @param wall as of `wallOf` */
export const withoutZone = (wall: number): string => new Date(wall).toISOString().slice(0, -1);

/** @param text `yyyy-mm-dd` */
export const daysLater = (text: string, days: number): string =>
  new Date(Date.parse(text) + days * day).toISOString().slice(0, 10);

export const isDateAlone = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text);

/** A date of an event in UTC. A date alone is the whole day: its first moment, or its last one. */
export const momentOf = (field: DateField, text: string, timeZone: string): string =>
  isDateAlone(text) && lastMoments.includes(field)
    ? new Date(Date.parse(toUtc(daysLater(text, 1), timeZone)) - 1).toISOString()
    : toUtc(text, timeZone);

/** The assumed duration of an event with only one of its dates, in milliseconds. */
export const usualDuration = 12 * hour;

/** When an event is over, epoch milliseconds. Undefined without dates. */
export function endOf({ startDate, endDate, wholeDays }: EventDates): number | undefined {
  if (endDate !== undefined) return Date.parse(endDate);
  if (startDate === undefined) return undefined;
  return Date.parse(startDate) + (wholeDays?.startDate ? day - 1 : usualDuration);
}

/** @param now epoch milliseconds */
export const isOver = (event: EventDates, now: number): boolean => (endOf(event) ?? now + 1) <= now;

/** The dates that come after the event, although they must not. A whole day counts by its beginning. */
export function datesAfter(event: EventDates): DateField[] {
  const end = endOf(event) ?? Number.POSITIVE_INFINITY;
  const within = (field: DateField) => (event.wholeDays?.[field] && lastMoments.includes(field) ? day - 1 : 0);
  return (["publishAt", "deadline", "refundUntil"] as const).filter(
    (field) => Date.parse(event[field] ?? "") - within(field) > end,
  );
}
