/**
 * Forgets a person whose account was deleted: cancels the registrations that the person could still cancel, and takes all
 * of them out of the leaderboard over all events (`docs/contract.md`, "Users").
 */

import type { RequestContext } from "#kit/context.ts";
import { NotFound } from "#kit/errors.ts";
import { writeOnce } from "#kit/execute.ts";
import { retried } from "#kit/retry.ts";
import type { Message } from "#outbox/messages.ts";
import { leave } from "../leave.ts";
import type { RegistrationRecord } from "../record/registration.ts";
import { IllegalTransition } from "../refusals.ts";
import { dropNoPoints } from "../store/leaderboard.ts";
import { readRegistrationsOf } from "../store/store.ts";
import { eachInTime } from "./each-in-time.ts";
import { takeOutOfTotal } from "./take-out-of-total.ts";

/** A person who signs up again may register at once. Registrations from after the deletion stay. */
const beganBefore = (deletedAt: number) => (registration: RegistrationRecord) => registration.createdAt <= deletedAt;

/** Cancels with the person's own rights: until the event starts, and only by the moves of `self`. */
async function cancel(registration: RegistrationRecord, context: RequestContext): Promise<void> {
  const { email, eventID, year, queueKey } = registration;
  const departure = {
    email,
    event: { id: eventID, year },
    to: "cancelled" as const,
    by: "self" as const,
    isMeant: (stored: RegistrationRecord) => stored.queueKey === queueKey,
  };
  try {
    await leave(departure, context);
  } catch (error) {
    // The registration stays as it is: it is checked in, rejected or gone, or the event has started.
    if (!(error instanceof IllegalTransition || error instanceof NotFound)) throw error;
  }
}

/**
 * Takes a registration out of the total of points, and cancels it where that is possible. In this order: late money seats
 * nobody whose registration is marked, and a person whom it has seated before is cancelled.
 */
async function forget(registration: RegistrationRecord, deletedAt: number, context: RequestContext): Promise<void> {
  const { email, eventID, year } = registration;
  await takeOutOfTotal({ email, event: { id: eventID, year } }, deletedAt, context);
  await cancel(registration, context);
}

/**
 * May run twice for one message.
 * @throws NotYet the time is over before all registrations are cancelled: the next run goes on
 * @throws AggregateError some registrations could not be cancelled for now; the other ones are cancelled
 */
export async function forgetPerson(
  { data, occurredAt, actor }: Message<"user.deleted">,
  system: RequestContext,
): Promise<void> {
  const context = { ...system, actor };
  const registrations = await retried(() => readRegistrationsOf(data.email), context);
  await eachInTime(registrations.filter(beganBefore(occurredAt)), context, (one) => forget(one, occurredAt, context));
  // A person who came back meanwhile may have points again: then the row is refused, and stays.
  await writeOnce({ points: dropNoPoints(data.email) }, context);
}
