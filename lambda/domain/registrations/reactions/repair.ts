/**
 * Completes the follow-ups of a change after a crash: seats the people who can get a seat, in the line in which the present
 * terms of the event have them, and removes a person from the
 * line of an event that is deleted or called off. Messages may be late, duplicated and out of order: they only identify the event, and the stored
 * seats and line determine who is next.
 */

import { type EventKey, readSeats } from "#domain/capacity/seats.ts";
import { readEvent } from "#domain/events/store.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { retried } from "#kit/table/retry.ts";
import type { SeatMessage } from "#outbox/messages.ts";
import { promote } from "../promote.ts";
import { removeRegistration } from "../remove-registration.ts";
import { readRegistration } from "../store/store.ts";
import { adoptTerms, changesLine } from "./adopt-terms.ts";
import { cancelOfCalledOff } from "./cancel-called-off.ts";

export async function repair({ type, data }: SeatMessage, context: RequestContext): Promise<void> {
  const event = "eventID" in data ? { id: data.eventID, year: data.year } : { id: data.id, year: data.year };
  if ("changed" in data && changesLine(data.changed)) await adoptPresentTerms(event, context);
  await promote(event, context);
  if (type === "registration.waitlisted") await leaveLineOfEndedEvent(event, data, context);
}

async function adoptPresentTerms(key: EventKey, context: RequestContext): Promise<void> {
  const event = await retried(() => readEvent(key), context);
  if (event) await adoptTerms(event, context);
}

/** Joining the line conflicts with no change of the event. */
async function leaveLineOfEndedEvent(
  event: EventKey,
  { email, generation }: { readonly email: string; readonly generation: string },
  context: RequestContext,
): Promise<void> {
  const seats = await retried(() => readSeats(event, "strong"), context);
  if (seats && seats.state !== "DELETED" && seats.generation === generation) {
    // A closed event may be called off.
    const current = seats.state === "CLOSED" ? await retried(() => readEvent(event), context) : undefined;
    if (current?.calledOff !== undefined) await cancelOfCalledOff({ ...event, generation }, email, context);
    return;
  }
  const registration = await retried(() => readRegistration({ email, event }, "strong"), context);
  if (registration?.status === "waitlist" && registration.generation === generation) {
    await removeRegistration(registration, { quietly: false, withoutRefund: false }, context);
  }
}
