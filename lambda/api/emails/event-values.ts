/** What a template can say of an event. Pure. */
import type { EventRecord } from "#domain/events/event.ts";
import { eventUrl } from "#domain/mail/event-url.ts";
import type { Values } from "#domain/mail/templates/placeholders.ts";
import { momentText, whenText } from "#domain/mail/when.ts";

/** What an event's values depend on besides the event. */
export interface Club {
  readonly webAppUrl: string;
  /** IANA name: dates are told in this zone. */
  readonly timeZone: string;
}

/** Dates as people read them. */
export function eventValues(event: EventRecord, { webAppUrl, timeZone }: Club): NonNullable<Values["event"]> {
  const { id, year, ename, elocation, startDate, endDate } = event;
  const moment = (date: string): string => momentText(Date.parse(date), timeZone);
  return {
    id,
    year,
    ename,
    ...(elocation && { elocation }),
    ...(startDate && { startDate: moment(startDate) }),
    ...(endDate && { endDate: moment(endDate) }),
    when: whenText(event, timeZone),
    url: eventUrl(event, { webAppUrl }),
  };
}
