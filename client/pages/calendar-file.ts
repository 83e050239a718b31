/** A calendar entry as a file, made on this device. */
import { createEvent, type DateTime, type EventAttributes } from "ics";
import { eventPage } from "../shared/addresses.ts";
import { daysOf, type Schedule, spanOf } from "../shared/dates.ts";
import type { ShownEvent } from "../shared/types.ts";

const utc = (at: number): DateTime => {
  const date = new Date(at);
  return [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes()];
};
/** @param later days */
const day = (text: string, later = 0): DateTime =>
  (utc(Date.parse(text) + later * 86_400_000) as number[]).slice(0, 3) as DateTime;

/** Whole days are of no zone, and end with the day before the end (RFC 5545, 3.6.1). */
function times(event: Schedule) {
  const days = daysOf(event);
  if (days) return { start: day(days[0]), end: day(days[1], 1) };
  const [start, end] = spanOf(event);
  return { start: utc(start), end: utc(end), startInputType: "utc", endInputType: "utc" } as const;
}

/** @returns the file's text @throws Error the event has no date that a calendar can show */
export function calendarText(event: ShownEvent, origin: string, clubName: string): string {
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
