/**
 * Admits a newcomer: to a seat if one is free and no person ahead can take it (`entry.ts`), else to a place in line
 * (`after-joining.ts`); see `docs/design.md`, "The capacity protocol".
 */

import type { RequestContext } from "#kit/context.ts";
import { count } from "#kit/count.ts";
import { ChoiceFull, Contended, EventClosed, IllegalTransition, NotAllowed } from "#kit/errors.ts";
import { type Depth, execute, type Keep } from "#kit/execute.ts";
import type { MetricName } from "#kit/metrics.ts";
import { Patience, retried } from "#kit/retry.ts";
import { amend } from "../amend.ts";
import type { EntryState } from "../moves.ts";
import { closeGate } from "#domain/capacity/demands.ts";
import { newTicketId } from "../tickets/code.ts";
import { afterJoining } from "./after-joining.ts";
import { AlreadyRegistered } from "./already-registered.ts";
import {
  type Admission,
  type Entered,
  type EntryRequest,
  entryOperation,
  eventAskedFor,
  isHeldForFree,
} from "./entry.ts";

/**
 * Confirms an unpaid seat of a person who does not have to pay any more. `amend` decides on a new consistent read,
 * because the facts of the admission are not certain enough to waive a payment.
 */
async function settledIfFree(admission: Admission, request: EntryRequest, context: RequestContext): Promise<Admission> {
  const amendment = { registrationStatus: "registered" };
  try {
    const asked = { email: request.form.email, event: eventAskedFor(request), by: "self", amendment } as const;
    const amended = await amend(asked, context);
    if ("begins" in amended) return { registration: amended.begins };
    return "registration" in amended ? { registration: amended.registration } : admission;
  } catch (error) {
    // The price or the registration has changed since, or the time is over. The seat stays held.
    if (error instanceof NotAllowed || error instanceof IllegalTransition || error instanceof Contended)
      return admission;
    throw error;
  }
}

const metricOfEntry: Readonly<Record<EntryState, MetricName>> = {
  registered: "Registered",
  incomplete: "RegisteredUnpaid",
  waitlist: "Waitlisted",
  applicant: "Applied",
};

/** Other refusals are about the request, not about the event. */
const metricOfRefusal = (error: unknown): MetricName | undefined => {
  if (error instanceof ChoiceFull) return "RefusedFull";
  if (error instanceof EventClosed) return "RefusedClosed";
  return error instanceof AlreadyRegistered ? "RefusedDuplicate" : undefined;
};

/**
 * Admits a newcomer, and counts how the person entered. A person who joined the line and got a seat at once is counted
 * as waiting, and as promoted.
 * @throws NotFound AlreadyRegistered ChoiceFull MembersOnly EventClosed TooOften ValidationFailed
 * @throws Contended nothing was written
 * @throws UnknownOutcome it is not known whether the registration was written
 */
export async function admit(
  request: EntryRequest,
  context: RequestContext,
  keep?: Keep<Admission>,
): Promise<Admission> {
  try {
    const { admission, entryState } = await enter(request, context, keep);
    if (entryState) count(metricOfEntry[entryState]);
    return admission;
  } catch (error) {
    const name = metricOfRefusal(error);
    if (name) count(name);
    throw error;
  }
}

/** @returns the admission, and the entry state of a registration that this request has begun */
async function enter(
  request: EntryRequest,
  context: RequestContext,
  keep: Keep<Admission> | undefined,
): Promise<{ readonly admission: Admission; readonly entryState?: EntryState | undefined }> {
  const patience = new Patience(context);
  const ticketId = newTicketId();
  let isCrowded = false;
  for (let depth: Depth = "cheap"; ; depth = "certain") {
    const entered: Entered = await execute(entryOperation(request, ticketId, context, depth, keep, isCrowded), context);
    if (entered.kind === "in") {
      const { registration, entryState } = entered;
      const admission = { registration };
      if (!isHeldForFree(entered)) return { admission, entryState };
      return { admission: await settledIfFree(admission, request, context), entryState };
    }
    if (entered.kind === "joined") {
      const admission = await afterJoining(request, entered, context, keep);
      if (admission) return { admission, entryState: "waitlist" };
    } else {
      isCrowded = entered.isCrowded;
      await retried(() => closeGate(eventAskedFor(request), entered.isCrowded), context);
    }
    if (patience.isOver) throw new Contended();
  }
}
