/** Cancels or removes all registrations of a deleted event (`docs/contract.md`, "Events"). */

import { hasWaiters } from "#domain/capacity/line.ts";
import { readSeats, takenIn } from "#domain/capacity/seats.ts";
import { expireCodes } from "#domain/codes/store.ts";
import type { EventKey, EventRecord } from "#domain/events/event.ts";
import { readEventOrMemory } from "#domain/events/store.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { retried } from "#kit/table/retry.ts";
import { type Removal, removalOf, removeRegistration } from "../remove-registration.ts";
import { readRegistration, registrationsOf } from "../store/store.ts";
import { eachInTime } from "./each-in-time.ts";

type GoneEvent = EventKey & Pick<EventRecord, "generation">;

/**
 * Whether the event still has registrations. The list of registrations is eventually consistent; the reads of seats and
 * line are strongly consistent.
 */
async function hasRegistrationsLeft(event: GoneEvent): Promise<boolean> {
  const [seats, waiting] = await Promise.all([readSeats(event, "strong"), hasWaiters(event, event.generation)]);
  const counted = seats?.generation === event.generation ? takenIn(seats) : 0;
  return waiting || counted > 0;
}

/**
 * Removes a person's registration. The index may contain an outdated state, so the registration is read again: its state
 * determines whether there is a notice.
 */
async function remove(email: string, event: GoneEvent, removal: Removal, context: RequestContext): Promise<void> {
  const registration = await retried(() => readRegistration({ email, event }, "strong"), context);
  if (registration?.generation !== event.generation) return;
  await removeRegistration(registration, removal, context);
}

/** @throws NotYet not all registrations are removed in time: the next run continues */
export async function removeEventData(event: GoneEvent, context: RequestContext): Promise<void> {
  const memory = await retried(() => readEventOrMemory(event), context);
  const emails: string[] = [];
  for await (const { email } of registrationsOf(event)) emails.push(email);
  const removal = removalOf(memory, context.now);
  await eachInTime(emails, context, (email) => remove(email, event, removal, context));
  // SQS delivers the message again, and by then the list contains the missing registrations.
  if (memory?.takesCodes) await expireCodes(event, context.now);
  if (await hasRegistrationsLeft(event)) throw new Error("a deleted event still has registrations");
}
