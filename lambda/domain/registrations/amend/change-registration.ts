/** Changes a registration as requested by the person or an admin: amends it, ends it, or registers the person again. */

import { readPlaceInLine } from "#domain/capacity/line.ts";
import type { PlaceInLine } from "#domain/capacity/place-in-line.ts";
import type { EventKey } from "#domain/events/event.ts";
import { Contended, NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { readAfterCommit } from "#kit/table/execute.ts";
import { Backoff, retried } from "#kit/table/retry.ts";
import { type Departed, type Departure, leave } from "../leave.ts";
import { answerRules } from "../record/acts.ts";
import { findMove } from "../record/moves.ts";
import type { RegistrationRecord } from "../record/registration.ts";
import { type State, stateOf } from "../record/statuses.ts";
import { IllegalTransition } from "../refusals.ts";
import { formAgain } from "../register/again.ts";
import { register } from "../register/register.ts";
import { readRegistration } from "../store/store.ts";
import { type AmendmentRequest, amend, changedFields, changesFields, type EndState, notYourMove } from "./amend.ts";

export interface Changed {
  readonly registration: RegistrationRecord;
  /** The place in line, if the person waits and it is known. */
  readonly place?: PlaceInLine | undefined;
}

/** Registers a person again after a cancellation, with the answers of the cancelled registration. */
function registerAgain(before: RegistrationRecord, { origin, amendment }: AmendmentRequest, context: RequestContext) {
  // A link has a route of its own for it.
  if (origin === "self/link") throw notYourMove("cancelled", "registered");
  const form = formAgain(before, amendment);
  return register({ form, origin, points: amendment.points, former: before }, context);
}

/**
 * Ends the registration, with the other changes of the request in the same transaction.
 * @throws NotAllowed the caller may not make the move, but an admin may
 * @throws IllegalTransition no caller may make the move
 */
async function end(to: EndState, request: AmendmentRequest, context: RequestContext): Promise<Departed> {
  const { email, event, origin, seenStatus, linkedTicket, amendment } = request;
  const isMeant: Departure["isMeant"] = ({ ticketId }) => ticketId === (linkedTicket ?? ticketId);
  const changes: Departure["changes"] = (current, record, seats) => {
    if (!record) throw new NotFound("Event");
    return changedFields(request, { event: record, seats, current }, context.now);
  };
  try {
    return await leave(
      { email, event, to, origin, seenStatus, isMeant, ...(changesFields(amendment) && { changes }) },
      context,
    );
  } catch (error) {
    if (error instanceof IllegalTransition && answerRules(origin).rights === "self") {
      const current = await retried(() => readRegistration({ email, event }, "strong"), context);
      const from = current && stateOf(current);
      const moveForOthers =
        from && from !== "deleted" && findMove(from as State, to, { priced: false, application: false });
      if (moveForOthers && !moveForOthers.by.includes("self")) throw notYourMove(from as State, to);
    }
    throw error;
  }
}

/**
 * The result for a waiting person. A place implies that the person still waits, so the registration is read again at the
 * same time.
 * @throws NotFound another request has deleted the registration
 */
async function withPlace(changed: RegistrationRecord, event: EventKey, context: RequestContext): Promise<Changed> {
  const { email } = changed;
  const [registration, place] = await Promise.all([
    readAfterCommit(() => readRegistration({ email, event }, "strong"), context),
    readPlaceInLine(event, changed),
  ]);
  if (!registration || registration.status === "deleted") throw new NotFound("Registration");
  const isSamePlace = registration.status === "waitlist" && registration.queueKey === changed.queueKey;
  return isSamePlace ? { registration, place } : { registration };
}

/**
 * Changes a registration. All changes of the request are made in one transaction, or none.
 * @throws NotFound NotAllowed IllegalTransition StatusChanged EventClosed EventFull ChoiceFull AlreadyRegistered TooOften
 * @throws CodeNotValid ValidationFailed
 * @throws Contended nothing was written
 * @throws UnknownOutcome it is not known whether the change was written
 */
export async function changeRegistration(request: AmendmentRequest, context: RequestContext): Promise<Changed> {
  const backoff = new Backoff(context);
  for (;;) {
    const amended = await amend(request, context);
    if ("begins" in amended) return registerAgain(amended.begins, request, context);
    if ("registration" in amended) {
      const { registration } = amended;
      return registration.status === "waitlist" ? withPlace(registration, request.event, context) : { registration };
    }
    const { registration, changed } = await end(amended.ends, request, context);
    if (changed && registration?.status === "waitlist") return withPlace(registration, request.event, context);
    if (changed && registration) return { registration };
    // Another request has ended the registration concurrently. Decide again about the other changes of this request.
    await backoff.pause(() => new Contended());
  }
}
