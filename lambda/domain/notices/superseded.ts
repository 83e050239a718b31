/** Decides whether a notice is still up to date when it is about to be sent. Pure. */

import { isOver } from "#domain/events/dates.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { holdsSeat, type RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { hour } from "#kit/text/time.ts";
import type { RegistrationFact } from "#outbox/catalogue.ts";

export type Supersession =
  | "told newer"
  | "moved again"
  | "not due yet"
  | "no seat"
  | "no place"
  | "stopped"
  | "too late"
  | "event long gone"
  | "person deleted";

/**
 * The reason why the notice is superseded. Undefined when it is to be sent.
 * @param registration the current record; undefined when it is gone, and only the fact in the message counts
 * @param event the event, or its state when it was deleted
 * @param now epoch milliseconds
 */
export function supersessionOf(
  fact: RegistrationFact,
  registration: RegistrationRecord | undefined,
  event: (EventRecord & { readonly isGone?: boolean }) | undefined,
  now: number,
): Supersession | undefined {
  if (registration && registration.noticeVersion > fact.version) return "told newer";
  const isEnd = fact.notice === "cancelled" || fact.notice === "rejected";
  if (registration?.ofDeletedAccount && !isEnd) return "person deleted";
  // A join that was undone, or a line that ended, without a notice.
  if (fact.notice === "waitlist" && registration && registration.status !== "waitlist") return "no place";
  if (fact.notice === "moved") {
    if (!registration || !holdsSeat(registration)) return "no seat";
    if (event && event.scheduleVersion > (fact.scheduleVersion ?? 0)) return "moved again";
    if (event && isOver(event, now)) return "too late";
  }
  if (fact.notice === "reminder" || fact.notice === "feedback") return staleness(fact, registration, event, now);
  return event ? undefined : "event long gone";
}

/** The same for a mail that is due by the clock. An admin stops a reminder by taking its hours out of the event. */
function staleness(
  { notice, hours = 0 }: RegistrationFact,
  registration: RegistrationRecord | undefined,
  event: (EventRecord & { readonly isGone?: boolean }) | undefined,
  now: number,
): Supersession | undefined {
  if (!event || event.isGone) return "event long gone";
  if (!registration || !holdsSeat(registration)) return "no seat";
  if (notice === "feedback") return undefined;
  if (event.reminders && !event.reminders.includes(hours)) return "stopped";
  const start = Date.parse(event.startDate ?? "");
  if (!(start > now)) return "too late";
  const isDue = (before: number): boolean => start - before * hour <= now;
  // The event was postponed, or another reminder came due, while this one waited for SES.
  if (!isDue(hours)) return "not due yet";
  return event.reminders?.some((other) => other < hours && isDue(other)) ? "too late" : undefined;
}
