/** Removes the registrations of a deleted event. */

import type { EventKey } from "#domain/events/event.ts";
import type { RequestContext } from "#kit/context.ts";
import { NotFound } from "#kit/errors.ts";
import { type Departed, type Departure, leave } from "./leave.ts";
import { findMove, stateOf } from "./moves.ts";
import type { RegistrationRecord } from "./registration.ts";

/**
 * Cancels a registration that may be cancelled, and deletes any other one. A registration that was cancelled before
 * stays.
 * @param quietly sends no notice, because the event has already started
 */
export async function removeRegistration(
  registration: RegistrationRecord,
  quietly: boolean,
  context: RequestContext,
): Promise<void> {
  const state = stateOf(registration);
  if (state === "deleted" || state === "cancelled") return;
  const event: EventKey = { id: registration.eventID, year: registration.year };
  const mayCancel = findMove(state, "cancelled", { priced: false, application: false }, "admin");
  const departure: Departure = {
    email: registration.email,
    event,
    by: "admin",
    ofIncarnation: registration.incarnation,
    withoutPromotion: true,
    ...(mayCancel
      ? { to: "cancelled", because: "event deleted", quietly }
      : { to: "deleted", whateverState: true, quietly: true }),
  };
  await leave(departure, context).catch(goneIsFine);
}

const goneIsFine = (error: unknown): Departed => {
  if (error instanceof NotFound) return { changed: false };
  throw error;
};
