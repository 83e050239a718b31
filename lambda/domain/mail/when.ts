/** The time of an event, for calendar entries and as text for people. Pure. */
import { oneLine } from "#kit/text/text.ts";
import { zoneAt } from "#kit/text/time-zone.ts";

const hour = 3_600_000;

/** Start and end as an event stores them: ISO 8601, UTC. */
export interface Schedule {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

/** Start and end in epoch milliseconds. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The time span of a calendar entry. Because an entry must end after its start, it lasts an hour when the event has no
 * later end.
 */
export function spanOf({ startDate, endDate }: Schedule): Span | undefined {
  if (!startDate) return undefined;
  const start = Date.parse(startDate);
  const end = endDate ? Date.parse(endDate) : start;
  return { start, end: end > start ? end : start + hour };
}

/** A time as calendar entries have it: `20260116T020000Z`. @param at epoch milliseconds */
export const utc = (at: number): string => new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, "");

/** @param at epoch milliseconds of the time to format */
const formatIn = (timeZone: string, at: number): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat("en-US", {
    weekday: "long",
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone: zoneAt(at, timeZone),
  });

/**
 * `Thursday, January 15, 2026 at 6:00 PM PST`. `oneLine` replaces the special spaces of some Intl versions.
 * @param at epoch milliseconds
 */
export const momentText = (at: number, timeZone: string): string => oneLine(formatIn(timeZone, at).format(at));

/** `Thursday, January 15, 2026, 6:00 – 8:00 PM PST`, or the start alone for an event without an end. */
export function whenText(event: Schedule, timeZone: string): string {
  const span = spanOf(event);
  if (!span) return "To be announced";
  if (!event.endDate) return momentText(span.start, timeZone);
  return oneLine(formatIn(timeZone, span.start).formatRange(span.start, span.end));
}
