/** Removes the registrations of a deleted event. */

import type { EventKey } from "#domain/events/event.ts";
import type { KnownEvent } from "#domain/events/store.ts";
import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { type Departed, type Departure, leave } from "./leave.ts";
import { findMove } from "./record/moves.ts";
import { hasEnded, type RegistrationRecord } from "./record/registration.ts";
import { type State, stateOf } from "./record/statuses.ts";

/** How the registrations of a deleted event end, as its memory says. @param now epoch milliseconds */
export const removalOf = (memory: KnownEvent | undefined, now: number): Removal => ({
  quietly: memory?.startDate !== undefined && Date.parse(memory.startDate) <= now,
  withoutRefund: memory?.refund === "none",
});

/** How the registrations of a deleted event end. */
export interface Removal {
  /** No notice, because the event has already started. */
  readonly quietly: boolean;
  /** No refund, as requested by the admin. */
  readonly withoutRefund: boolean;
}

/**
 * Cancels a registration that can be cancelled, and deletes any other one. A cancelled registration is unchanged.
 */
export async function removeRegistration(
  registration: RegistrationRecord,
  { quietly, withoutRefund }: Removal,
  context: RequestContext,
): Promise<void> {
  if (hasEnded(registration)) return;
  const event: EventKey = { id: registration.eventID, year: registration.year };
  const mayCancel = findMove(
    stateOf(registration) as State,
    "cancelled",
    { priced: false, application: false },
    "admin",
  );
  const departure: Departure = {
    email: registration.email,
    event,
    origin: "event deleted/event",
    isMeant: ({ generation }) => generation === registration.generation,
    ...(mayCancel
      ? { to: "cancelled", deletion: { quietly, withoutRefund } }
      : { to: "deleted", deletion: { quietly: true, withoutRefund } }),
  };
  await leave(departure, context).catch(goneIsFine);
}

const goneIsFine = (error: unknown): Departed => {
  if (error instanceof NotFound) return { changed: false };
  throw error;
};
