/** Carrying out what an admin or the person asks of a registration, whichever way it goes. */

import type { EventKey } from "#domain/events/event.ts";
import type { RequestContext } from "#kit/context.ts";
import { Contended, IllegalTransition, NotAllowed, NotFound } from "#kit/errors.ts";
import { followUp } from "#kit/execute.ts";
import { Patience, retried } from "#kit/retry.ts";
import { admit } from "./admit.ts";
import { type AmendmentRequest, amend, changedFields, changesFields } from "./amend.ts";
import { type Departed, type Departure, leave } from "./leave.ts";
import { positionInLine } from "./line/store.ts";
import { findMove, type State, stateOf } from "./moves.ts";
import type { NewRegistration } from "./new-registration.ts";
import type { RegistrationRecord } from "./registration.ts";
import { readRegistration } from "./store.ts";

/** A registration as it is now. */
export interface Changed {
  readonly registration: RegistrationRecord;
  /** From 1, while the person waits. */
  readonly waitlistPosition?: number | undefined;
}

/** Registers a person again who was cancelled, with the answers that they gave. */
function registerAgain(before: RegistrationRecord, { by, amendment }: AmendmentRequest, context: RequestContext) {
  const { email, eventID, year, fname, studentId, isPartner } = before;
  const { basicInformation, dynamicResponses, points } = amendment;
  const form: NewRegistration = {
    email,
    eventID,
    year,
    fname,
    studentId,
    isPartner,
    basicInformation: { ...before.basicInformation, ...basicInformation },
    dynamicResponses: {
      ...before.dynamicResponses,
      ...dynamicResponses,
    },
  };
  return admit({ form, byAdmin: by === "admin", points }, context);
}

/**
 * Ends the registration, with whatever else there is to change. A refusal that is about the person who asks, not about
 * the state, is said as such.
 */
async function end(
  to: "cancelled" | "rejected",
  request: AmendmentRequest,
  context: RequestContext,
): Promise<Departed> {
  const { email, event, by, amendment } = request;
  const changes: Departure["changes"] = (current, record, seats) => {
    if (!record) throw new NotFound("Event");
    return changedFields(request, { event: record, seats, current }, context.now);
  };
  try {
    return await leave({ email, event, to, by, ...(changesFields(amendment) && { changes }) }, context);
  } catch (error) {
    if (error instanceof IllegalTransition && by === "self") {
      const current = await retried(() => readRegistration({ email, event }, "strong"), context);
      const from = current && stateOf(current);
      const mayOthers =
        from && from !== "deleted" && findMove(from as State, to, { priced: false, application: false });
      if (mayOthers && !mayOthers.by.includes("self")) throw new NotAllowed();
    }
    throw error;
  }
}

/** The place in line beside the registration. The change stands also when nobody can say the place now. */
async function withPosition(registration: RegistrationRecord, event: EventKey, context: RequestContext) {
  const { status, waitKey, incarnation } = registration;
  if (status !== "waitlist") return { registration };
  const position = () => retried(() => positionInLine(event, waitKey, incarnation), context);
  return { registration, waitlistPosition: await followUp("position", context, position) };
}

/**
 * Changes a registration as asked: all of it in one transaction, or none.
 * @throws NotFound NotAllowed IllegalTransition EventClosed EventFull ChoiceFull AlreadyRegistered ValidationFailed
 * @throws Contended nothing was written
 * @throws UnknownOutcome nobody knows whether it was changed
 */
export async function changeRegistration(request: AmendmentRequest, context: RequestContext): Promise<Changed> {
  const patience = new Patience(context);
  for (;;) {
    const amended = await amend(request, context);
    if ("begins" in amended) return registerAgain(amended.begins, request, context);
    if ("registration" in amended) return withPosition(amended.registration, request.event, context);
    const { registration, changed } = await end(amended.ends, request, context);
    if (changed && registration) return { registration };
    // Another request has ended it in between. What else there is to change is decided again.
    await patience.pause(() => new Contended());
  }
}
