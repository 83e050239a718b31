/** A calendar entry as a file, made on this device. */
import { createEvent, type DateTime, type EventAttributes } from "ics";
import { eventPage } from "./addresses.ts";
import type { ShownEvent } from "./types.ts";

const hour = 3_600_000;

interface Scheduled extends ShownEvent {
  readonly wholeDays?: { readonly startDate?: string; readonly endDate?: string };
}

const utc = (at: number): DateTime => {
  const date = new Date(at);
  return [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes()];
};
/** @param later days */
const day = (text: string, later = 0): DateTime =>
  (utc(Date.parse(text) + later * 24 * hour) as number[]).slice(0, 3) as DateTime;

/** Whole days are of no zone, and end with the day before the end (RFC 5545, 3.6.1). */
function times({ startDate = "", endDate, wholeDays }: Scheduled) {
  if (wholeDays?.startDate)
    return { start: day(wholeDays.startDate), end: day(wholeDays.endDate ?? wholeDays.startDate, 1) };
  const start = Date.parse(startDate);
  const end = endDate && Date.parse(endDate) > start ? Date.parse(endDate) : start + hour;
  return { start: utc(start), end: utc(end), startInputType: "utc", endInputType: "utc" } as const;
}

/** @returns the file's text @throws Error the event has no date that a calendar can show */
export function calendarText(event: Scheduled, origin: string, clubName: string): string {
  const { id, year, ename, elocation, description } = event;
  const attributes: EventAttributes = {
    ...times(event),
    title: ename,
    uid: `${id}-${year}@${new URL(origin).hostname}`,
    productId: clubName,
    url: origin + eventPage(event),
    ...(elocation && { location: elocation }),
    ...(description && { description }),
  } as EventAttributes;
  const { value, error } = createEvent(attributes);
  if (!value) throw error ?? new Error("no calendar");
  return value;
}
