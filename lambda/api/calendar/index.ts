import type { EventRecord } from "#domain/events/event.ts";
import { visibleEventsFrom } from "#domain/events/list.ts";
import { type CalendarEntry, calendarOf } from "#domain/mail/calendar.ts";
import { eventUrl } from "#domain/mail/event-url.ts";
import { senderDomain } from "#domain/mail/sender.ts";
import { type CalendarOwner, ownerOfCalendar, renewCalendar, theClub } from "#domain/people/users/calendar-address.ts";
import { readUser } from "#domain/people/users/store.ts";
import { ticketKey } from "#domain/registrations/links/ticket-key.ts";
import { calendarIdOf, entryStatusOf } from "#domain/registrations/record/calendar-entry.ts";
import { readRegistrationsOf } from "#domain/registrations/store/store.ts";
import { requiredEnv } from "#kit/env.ts";
import { NotFound } from "#kit/errors.ts";
import { baseAddress } from "#kit/request/address.ts";
import { created, unlessKnown } from "#kit/request/answer.ts";
import { api, dispatch } from "#kit/request/api.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { claimsOf } from "#kit/request/sent-token.ts";
import { keptFor } from "#kit/table/kept.ts";
import * as routes from "./routes.ts";

const pages = { webAppUrl: requiredEnv("WEB_APP_URL"), eventPage: requiredEnv("EVENT_PAGE") };
const name = requiredEnv("MAIL_SENDER_NAME");
const domain = senderDomain({ name, address: requiredEnv("MAIL_SENDER") });

const mostEvents = 500;
/** Milliseconds for which an event stays in calendars after its start. */
const pastShown = 90 * 86_400_000;
/** Milliseconds. Calendars ask every few hours, many of them at once at the full hour. */
const eventsAreKept = 60_000;

const lists = keptFor<readonly EventRecord[]>(eventsAreKept);
const listed = (now: number) => lists("visible", now, () => visibleEventsFrom(now - pastShown, mostEvents, now));

/** What calendars show of an event. */
const shown = (event: EventRecord) => ({
  ...event,
  description: typeof event.description === "string" ? event.description : undefined,
  url: eventUrl(event, pages),
});

const entryOfEvent = (event: EventRecord): CalendarEntry => ({
  ...shown(event),
  uid: `${event.generation}@${domain}`,
  sequence: event.scheduleVersion,
  status: event.calledOff === undefined ? "CONFIRMED" : "CANCELLED",
});

/** The person's entries, for the listed events only. */
async function entriesOf(email: string, now: number): Promise<CalendarEntry[]> {
  const [events, registrations] = await Promise.all([listed(now), readRegistrationsOf(email)]);
  const byGeneration = new Map(events.map((event) => [event.generation, event]));
  return registrations.flatMap((registration) => {
    const event = byGeneration.get(registration.generation);
    const status = entryStatusOf(registration);
    if (!event || !status) return [];
    const updatedAt = Math.max(event.updatedAt, registration.updatedAt);
    return [{ ...shown(event), ...calendarIdOf(registration, event, domain), status, updatedAt }];
  });
}

const eventEntries = async (now: number) => (await listed(now)).map(entryOfEvent);

type Headers = Readonly<Record<string, string | undefined>>;

/** People without an account have a calendar while it has an entry. */
const isKnown = async (email: string): Promise<boolean> =>
  (await readUser(email)) !== undefined || (await readRegistrationsOf(email)).some(entryStatusOf);

async function renewed(owner: CalendarOwner, headers: Headers, context: RequestContext) {
  const feed = await renewCalendar(owner, await ticketKey(), context);
  return created({ message: "Calendar created.", address: `${baseAddress(headers)}/calendar/${feed}.ics` });
}

const answerOf = (entries: readonly CalendarEntry[], headers: Headers) =>
  unlessKnown(headers, calendarOf(entries, name), "text/calendar; charset=utf-8");

export const handler = dispatch(
  [
    api(routes.getCalendar, async ({ headers, now }) => answerOf(await eventEntries(now), headers)),
    api(routes.getOwnCalendar, async ({ params: { feed }, headers, now }) => {
      const owner = await ownerOfCalendar(feed.replace(/\.ics$/, ""), await ticketKey());
      return answerOf(owner === theClub ? await eventEntries(now) : await entriesOf(owner, now), headers);
    }),
    api(routes.renewClubCalendar, ({ headers, context }) => renewed(theClub, headers, context)),
    api(routes.renewCalendar, async ({ params: { email }, headers, context }) => {
      if (!(await isKnown(email))) throw new NotFound("User");
      return renewed(email, headers, context);
    }),
  ],
  claimsOf,
);
