/** Checks a person in. Idempotent (`docs/contract.md`, "Check-in"). */

import type { EventKey } from "#domain/events/event.ts";
import type { RequestContext } from "#kit/context.ts";
import { NotFound } from "#kit/errors.ts";
import { answer, type Decision, execute, write } from "#kit/execute.ts";
import { findMove, type Move } from "./record/moves.ts";
import type { RegistrationRecord } from "./record/registration.ts";
import { type State, stateOf } from "./record/statuses.ts";
import { IllegalTransition } from "./refusals.ts";
import { moved } from "./store/change.ts";
import { readRegistration } from "./store/store.ts";
import { markOf } from "./tickets/code.ts";

/** The person to check in, and the mark of the ticket if one was scanned. */
export interface Visitor {
  readonly email: string;
  readonly mark?: string;
}

/**
 * The check-in move; undefined when the person is checked in already.
 * @throws IllegalTransition the ticket was replaced, or the seat is not confirmed
 */
function checkInMove(registration: RegistrationRecord, { mark }: Visitor): Move | undefined {
  if (mark !== undefined && markOf(registration.ticketId) !== mark) {
    throw new IllegalTransition(`This ticket was replaced by another one; the registration is ${registration.status}.`);
  }
  const state = stateOf(registration) as State;
  if (state === "checkedIn") return undefined;
  // Check-in does not depend on the terms.
  const move = findMove(state, "checkedIn", { priced: false, application: false }, "admin");
  if (!move) throw new IllegalTransition(`This registration is ${state}: it is no confirmed seat.`);
  return move;
}

interface Facts {
  readonly registration: RegistrationRecord | undefined;
  /** The event is deleted, or was created again after the registration. */
  readonly isGone: boolean;
}

export interface CheckedIn {
  readonly registration: RegistrationRecord;
  readonly alreadyCheckedIn: boolean;
}

/** @throws NotFound IllegalTransition */
function decide(
  visitor: Visitor,
  { registration, isGone }: Facts,
  context: RequestContext,
): Decision<CheckedIn, Pick<Facts, "isGone">> {
  if (!registration || registration.status === "deleted") throw new NotFound("Registration");
  if (isGone) throw new NotFound("Event");
  const move = checkInMove(registration, visitor);
  if (!move) return answer({ registration, alreadyCheckedIn: true });
  const { after, members } = moved(registration, move, "recount", registration, context);
  return write(members, { registration: after, alreadyCheckedIn: false }, ({ seats: found }) => ({
    isGone: found !== undefined && (found?.state === "DELETED" || found?.generation !== registration.generation),
  }));
}

/**
 * Checks a visitor in.
 * @throws NotFound there is no registration, or the event is deleted
 * @throws IllegalTransition the ticket was replaced, or the seat is not confirmed
 * @throws Contended nothing was written
 * @throws UnknownOutcome it is not known whether the check-in was written
 */
export const checkInVisitor = (visitor: Visitor, event: EventKey, context: RequestContext): Promise<CheckedIn> =>
  execute(
    {
      read: async (learned: Pick<Facts, "isGone"> | undefined): Promise<Facts> => ({
        registration: await readRegistration({ email: visitor.email, event }, "strong"),
        isGone: learned?.isGone ?? false,
      }),
      decide: (facts) => decide(visitor, facts, context),
    },
    context,
  );
