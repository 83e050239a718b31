/** Taking people out of an event that was deleted: nobody else will. */

import type { EventKey } from "#domain/events/event.ts";
import type { RequestContext } from "#kit/context.ts";
import { NotFound } from "#kit/errors.ts";
import { type Departed, type Departure, leave } from "./leave.ts";
import { findMove, stateOf } from "./moves.ts";
import type { RegistrationRecord } from "./registration.ts";

/**
 * Cancels what may be cancelled, and removes the rest. Those who were cancelled before keep their record.
 * @param quietly the event has started: nobody needs to be told that they cannot come
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
