/** Taking people out of an event that was deleted: nobody else will. */
import { NotFound } from "#kit/errors.ts";
import type { EventKey } from "../events/event.ts";
import type { Origin } from "../outbox/store.ts";
import { type Departed, type Departure, leave } from "./leave.ts";
import { findMove, stateOf } from "./moves.ts";
import type { RegistrationRecord } from "./registration.ts";

/** Names a clearing: doing it again changes nothing. */
const arrivalOf = ({ waitKey, incarnation }: RegistrationRecord): string => `cleared#${incarnation}#${waitKey}`;

/**
 * Cancels what may be cancelled, and removes the rest. Those who were cancelled before keep their record.
 * @param quietly the event has started: nobody needs to be told that they cannot come
 */
export async function clearOut(registration: RegistrationRecord, quietly: boolean, origin: Origin): Promise<void> {
  const state = stateOf(registration);
  if (state === "deleted" || state === "cancelled") return;
  const event: EventKey = { id: registration.eventID, year: registration.year };
  const mayCancel = findMove(state, "cancelled", { priced: false, application: false }, "admin");
  const departure: Departure = {
    email: registration.email,
    event,
    arrival: arrivalOf(registration),
    by: "admin",
    ofIncarnation: registration.incarnation,
    ...(mayCancel
      ? { to: "cancelled", because: "event deleted", quietly }
      : { to: "deleted", whateverState: true, quietly: true }),
  };
  await leave(departure, origin).catch(goneIsFine);
}

const goneIsFine = (error: unknown): Departed => {
  if (error instanceof NotFound) return { changed: false };
  throw error;
};
