/**
 * Processes a deleted account: cancels the registrations that the person could still cancel, removes all of them from the
 * leaderboard over all events, and what the person entered in them (`docs/contract.md`, "Users").
 */

import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { writeOnce } from "#kit/table/execute.ts";
import { retried } from "#kit/table/retry.ts";
import type { Message } from "#outbox/messages.ts";
import { leave } from "../leave.ts";
import { type EndPersonOrigin, endPersonRules, type LeaveOrigin, leaveRules } from "../record/acts.ts";
import { isOfBefore, type RegistrationRecord } from "../record/registration.ts";
import { IllegalTransition } from "../refusals.ts";
import { dropNoPoints } from "../store/leaderboard.ts";
import { type RegistrationKey, readRegistrationsOf } from "../store/store.ts";
import { eachInTime } from "./each-in-time.ts";
import { removeEntries } from "./remove-entries.ts";
import { takeOutOfTotal } from "./take-out-of-total.ts";

/** Cancels where the rules of the origin allow it: until the event starts, and only with moves of `self`. */
async function cancel(
  key: RegistrationKey,
  deletedAt: number,
  origin: LeaveOrigin,
  context: RequestContext,
): Promise<void> {
  const isMeant = (stored: RegistrationRecord) => isOfBefore(deletedAt, stored);
  const departure = { ...key, to: "cancelled" as const, origin, isMeant };
  try {
    await leave(departure, context);
  } catch (error) {
    // Unchanged: the registration is checked in, rejected or gone, or the event has started.
    if (!(error instanceof IllegalTransition || error instanceof NotFound)) throw error;
  }
}

/**
 * Removes a registration from the total of points, cancels it where possible, and removes what the person entered. In this
 * order: a late payment does not revive a registration that is marked, a registration that it revived before is cancelled,
 * and the message of the cancellation has the name for its mail.
 */
async function forget(
  registration: RegistrationRecord,
  deletedAt: number,
  origin: LeaveOrigin,
  context: RequestContext,
): Promise<void> {
  const { email, eventID, year } = registration;
  const key = { email, event: { id: eventID, year } };
  const forgetting = { deletedAt, audit: leaveRules(origin).audit };
  await takeOutOfTotal(key, forgetting, context);
  await cancel(key, deletedAt, origin, context);
  await removeEntries(key, forgetting, context);
}

/**
 * Idempotent.
 * @throws NotYet not all registrations are cancelled in time: the next run continues
 * @throws AggregateError some registrations could not be cancelled; the others are cancelled
 */
export async function forgetPerson(
  { data, occurredAt, actor }: Message<"user.deleted">,
  system: RequestContext,
): Promise<void> {
  const context = { ...system, actor };
  const registrations = await retried(() => readRegistrationsOf(data.email), context);
  const origin = endPersonRules((data.origin ?? "self/account") as EndPersonOrigin).leaves;
  const left = registrations.filter((one) => isOfBefore(occurredAt, one));
  await eachInTime(left, context, (one) => forget(one, occurredAt, origin, context));
  // Refused, and kept, if the person has signed up again and has points.
  await writeOnce({ points: dropNoPoints(data.email) }, context);
}
