/** Whether a notice is still news when its turn comes. Pure. */
import type { EventRecord } from "#domain/events/event.ts";
import { holdsSeat, type RegistrationRecord } from "#domain/registrations/registration.ts";
import type { RegistrationFact } from "#outbox/catalogue.ts";

export type Supersession = "told newer" | "moved again" | "no seat" | "event long gone";

/**
 * Why nobody is told any more; undefined: it is news.
 * @param registration as it is; undefined when nothing is left of it, and the fact alone has to do
 * @param event as it is or was
 */
export function supersessionOf(
  fact: RegistrationFact,
  registration: RegistrationRecord | undefined,
  event: EventRecord | undefined,
): Supersession | undefined {
  if (registration && registration.noticeVersion > fact.version) return "told newer";
  if (fact.notice === "moved") {
    if (!registration || !holdsSeat(registration)) return "no seat";
    if (event && event.scheduleVersion > (fact.scheduleVersion ?? 0)) return "moved again";
  }
  return event ? undefined : "event long gone";
}
