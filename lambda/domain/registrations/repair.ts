/**
 * Repairs what a crash between two steps leaves. When a message asks for a promotion, it seats the people who can get a
 * seat. It also removes a person from the line of a deleted event, and counts a line that has changed. A message may come
 * twice, late and in any order: it only names the event, and the stored seats and line say who is next and how many wait.
 */

import { readSeats } from "#domain/capacity/seats.ts";
import type { EventKey } from "#domain/events/event.ts";
import type { RequestContext } from "#kit/context.ts";
import { retried } from "#kit/retry.ts";
import type { FollowUp } from "#outbox/catalogue.ts";
import type { SeatMessage } from "#outbox/messages.ts";
import { recountLine } from "./line/recount.ts";
import { promote } from "./promote.ts";
import { removeRegistration } from "./remove-registration.ts";
import { readRegistration } from "./store.ts";

/** @param sentAt when the message came into its queue, in epoch milliseconds, if that is known */
export async function repair(
  { type, data }: SeatMessage,
  context: RequestContext,
  { sentAt }: { readonly sentAt?: number } = {},
): Promise<void> {
  const asksFor = (followUp: FollowUp) => data.followUps?.includes(followUp) ?? false;
  const event = "eventID" in data ? { id: data.eventID, year: data.year } : { id: data.id, year: data.year };
  // Another message frees no seat and adds no person to the line.
  if (!data.followUps || asksFor("promote")) {
    await promote(event, context);
    if (type === "registration.waitlisted") await leaveLineOfGoneEvent(event, data, context);
  }
  if (asksFor("countLine")) await recountLine({ event, generation: data.generation, sentAt }, context);
}

async function leaveLineOfGoneEvent(
  event: EventKey,
  { email, generation }: { readonly email: string; readonly generation: string },
  context: RequestContext,
): Promise<void> {
  const seats = await retried(() => readSeats(event, "strong"), context);
  if (seats && seats.state !== "DELETED" && seats.generation === generation) return;
  const registration = await retried(() => readRegistration({ email, event }, "strong"), context);
  if (registration?.status === "waitlist" && registration.generation === generation) {
    await removeRegistration(registration, { quietly: false, withoutRefund: false }, context);
  }
}
