/** The time of an event, for calendar entries and as text for people. Pure. */

import type { DateTime } from "ics";
import { oneLine } from "#kit/text/text.ts";
import { day, hour } from "#kit/text/time.ts";
import { formatIn, momentText, zoneOf } from "#kit/text/time-zone.ts";

/**
 * Start and end as an event stores them: ISO 8601, UTC, and those that are dates alone also as `yyyy-mm-dd`; the zone where it
 * is not the stage's.
 */
export interface Schedule {
  readonly timeZone?: string | undefined;
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  readonly wholeDays?: { readonly startDate?: string; readonly endDate?: string } | undefined;
}

/** The first and the last day, `yyyy-mm-dd`, of an event that has no times. */
function allDayOf({ endDate, wholeDays = {} }: Schedule): readonly [first: string, last: string] | undefined {
  const { startDate: first, endDate: last = endDate === undefined ? first : undefined } = wholeDays;
  return first !== undefined && last !== undefined ? [first, last] : undefined;
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
const utc = (at: number): string => new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, "");

/** @param date `yyyy-mm-dd` */
function dayOf(date: string, later = 0): DateTime {
  const at = new Date(Date.parse(date) + later);
  return [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()];
}

/** Start and end of a calendar entry. Whole days are of no zone, and end with the day before the end (RFC 5545, 3.6.1). */
export function timesOf(event: Schedule, { start, end }: Span): { start: string | DateTime; end: string | DateTime } {
  const allDay = allDayOf(event);
  return allDay ? { start: dayOf(allDay[0]), end: dayOf(allDay[1], day) } : { start: utc(start), end: utc(end) };
}

const days = new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeZone: "UTC" });

/** `Thursday, January 15, 2026`. @param date `yyyy-mm-dd` */
export const dayText = (date: string): string => oneLine(days.format(Date.parse(date)));

/**
 * `Thursday, January 15, 2026, 6:00 – 8:00 PM PST`, the start alone for an event without an end, or days without times.
 * @param stageZone for an event without a zone of its own
 */
export function whenText(event: Schedule, stageZone: string): string {
  const timeZone = zoneOf(event, stageZone);
  const span = spanOf(event);
  if (!span) return "To be announced";
  const allDay = allDayOf(event);
  if (allDay) return oneLine(days.formatRange(Date.parse(allDay[0]), Date.parse(allDay[1])));
  if (!event.endDate) return momentText(span.start, timeZone);
  return oneLine(formatIn(timeZone, span.start).formatRange(span.start, span.end));
}
