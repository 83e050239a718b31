/** Calendars to subscribe to (RFC 5545). Pure. */
import { createEvents, type EventAttributes } from "ics";
import { manyLines, oneLine, shortened } from "#kit/text/text.ts";
import { correctCalendar } from "./fold.ts";
import { type Schedule, spanOf, timesOf } from "./when.ts";

export interface CalendarEntry extends Schedule {
  readonly uid: string;
  readonly sequence: number;
  readonly status: "CONFIRMED" | "TENTATIVE" | "CANCELLED";
  readonly ename: string;
  readonly elocation?: string | undefined;
  readonly description?: string | undefined;
  readonly url: string;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
}

/** Maximum characters of a text of people: calendars show little, and the page at the URL has the rest. */
const longestText = 300;

const busyStatuses = { CONFIRMED: "BUSY", TENTATIVE: "TENTATIVE", CANCELLED: "FREE" } as const;

function attributesOf(entry: CalendarEntry): EventAttributes[] {
  const span = spanOf(entry);
  if (!span) return [];
  const { uid, sequence, status, ename, elocation, description, url, updatedAt } = entry;
  const attributes: EventAttributes & { timestamp: number } = {
    uid,
    sequence,
    // The time of the entry's last change, so that an unchanged calendar is the same text.
    timestamp: updatedAt,
    ...timesOf(entry, span),
    status,
    busyStatus: busyStatuses[status],
    title: shortened(oneLine(ename), longestText),
    description: [url, description && shortened(manyLines(description).trim(), longestText)]
      .filter(Boolean)
      .join("\n\n"),
    ...(elocation && { location: shortened(manyLines(elocation), longestText) }),
  };
  return [attributes];
}

/**
 * A calendar has at least one component (RFC 5545, 3.6), and some programs refuse an empty one
 * (https://github.com/collective/icalendar/issues/251). A time zone without an entry shows nothing.
 */
const anyComponent = [
  ...["BEGIN:VTIMEZONE", "TZID:Etc/UTC", "BEGIN:STANDARD", "DTSTART:19700101T000000"],
  ...["TZOFFSETFROM:+0000", "TZOFFSETTO:+0000", "END:STANDARD", "END:VTIMEZONE", "END:VCALENDAR"],
].join("\r\n");

/**
 * A calendar object with these entries, with CRLF line ends. Entries without a start are left out.
 * @param name what calendars call it
 */
export function calendarOf(entries: readonly CalendarEntry[], name: string): string {
  const events = entries.flatMap(attributesOf);
  const { error, value } = createEvents(events, {
    productId: "-//Club Events//Calendar//EN",
    method: "PUBLISH",
    calName: oneLine(name),
  });
  if (error || typeof value !== "string") throw new Error("The calendar could not be created", { cause: error });
  return correctCalendar(events.length > 0 ? value : value.replace("END:VCALENDAR", anyComponent));
}
