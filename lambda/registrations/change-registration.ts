/** Carrying out what an admin or the person asks of a registration, whichever way it goes. */
import { Contended, IllegalTransition, NotAllowed } from "#kit/errors.ts";
import { untilSettled } from "#kit/retry.ts";
import type { EventKey } from "../events/event.ts";
import { positionInLine } from "../line/store.ts";
import type { Origin } from "../outbox/store.ts";
import { type AmendmentRequest, amend, type Steps } from "./amend.ts";
import { leave } from "./leave.ts";
import { findMove, type State, stateOf } from "./moves.ts";
import { admitOrRefuse, type Request as RegisterRequest } from "./register.ts";
import type { RegistrationRecord } from "./registration.ts";
import { readRegistration } from "./store.ts";

/** A registration as it is now. */
export interface Changed {
  readonly registration: RegistrationRecord;
  /** From 1, while the person waits. */
  readonly waitlistPosition?: number | undefined;
}

/** Registers somebody again who was cancelled, with the answers that they gave. */
function registerAgain(before: RegistrationRecord, { arrival, by, amendment }: AmendmentRequest, origin: Origin) {
  const { email, eventID, year, fname, studentId, isPartner } = before;
  const request: RegisterRequest = {
    body: {
      email,
      eventID,
      year,
      fname,
      studentId,
      isPartner,
      basicInformation: { ...before.basicInformation, ...amendment.basicInformation },
      dynamicResponses: {
        ...(before.dynamicResponses as RegisterRequest["body"]["dynamicResponses"]),
        ...amendment.dynamicResponses,
      },
    },
    caller: { email: origin.actor, isAdmin: by === "admin" },
    now: origin.now,
    arrival,
    requestId: origin.correlationId,
  };
  return admitOrRefuse(request);
}

/** Ends it; a refusal that is about who asks, not about the state, is said as such. */
async function end(to: "cancelled" | "rejected", request: AmendmentRequest, origin: Origin): Promise<Changed> {
  const { email, event, by, arrival } = request;
  try {
    const { registration } = await leave({ email, event, to, by, arrival }, origin);
    if (registration) return { registration };
  } catch (error) {
    if (error instanceof IllegalTransition && by === "self") {
      const current = await untilSettled(() => readRegistration({ email, event }, "strong"));
      const from = current && stateOf(current);
      const mayOthers =
        from && from !== "deleted" && findMove(from as State, to, { priced: false, application: false });
      if (mayOthers && !mayOthers.by.includes("self")) throw new NotAllowed();
    }
    throw error;
  }
  throw new IllegalTransition("The registration has ended already.");
}

/** The place in line. The change stands also when nobody can say it now. */
async function positionOf({ waitKey, incarnation }: RegistrationRecord, event: EventKey): Promise<number | undefined> {
  try {
    return await untilSettled(() => positionInLine(event, waitKey, incarnation));
  } catch (error) {
    if (!(error instanceof Contended)) throw error;
    return undefined;
  }
}

/**
 * Changes a registration as asked.
 * @throws NotFound NotAllowed IllegalTransition EventClosed EventFull ChoiceFull Duplicate ValidationFailed Contended
 */
export async function changeRegistration(request: AmendmentRequest, origin: Origin, steps?: Steps): Promise<Changed> {
  const amended = await amend(request, origin, steps);
  if ("ends" in amended) return end(amended.ends, request, origin);
  if ("begins" in amended) return registerAgain(amended.begins, request, origin);
  const { registration } = amended;
  if (registration.status !== "waitlist") return { registration };
  return { registration, waitlistPosition: await positionOf(registration, request.event) };
}
