/** The values of an event that a template can show. Pure. */
import type { EventRecord } from "#domain/events/event.ts";
import { momentText, zoneOf } from "#kit/text/time-zone.ts";
import { type EventPages, eventUrl } from "../event-url.ts";
import type { Values } from "../templates/placeholders.ts";
import { dayText, whenText } from "../when.ts";
import type { CampaignContent } from "./campaign.ts";

/** The settings that an event's values depend on. */
export interface Club extends EventPages {
  /** For events without one of their own, IANA name. */
  readonly timeZone: string;
}

/** Dates are written for people. */
export function eventValues(event: EventRecord, { timeZone, ...pages }: Club): NonNullable<Values["event"]> {
  const { id, year, ename, elocation, startDate, endDate, wholeDays } = event;
  const moment = (date: string, day: string | undefined): string =>
    day === undefined ? momentText(Date.parse(date), zoneOf(event, timeZone)) : dayText(day);
  return {
    id,
    year,
    ename,
    ...(elocation && { elocation }),
    ...(startDate && { startDate: moment(startDate, wholeDays?.startDate) }),
    ...(endDate && { endDate: moment(endDate, wholeDays?.endDate) }),
    when: whenText(event, timeZone),
    url: eventUrl(event, pages),
  };
}

/** What the mails of a campaign about an event have from it. */
export const aboutEvent = (event: EventRecord, club: Club): Pick<CampaignContent, "event" | "replyTo"> => ({
  event: eventValues(event, club),
  ...(event.replyTo && { replyTo: event.replyTo }),
});
