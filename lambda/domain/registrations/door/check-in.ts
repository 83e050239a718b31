/** Checks a person in. Idempotent (`docs/contract.md`, "Check-in"). */

import type { EventKey } from "#domain/events/event.ts";
import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write } from "#kit/table/execute.ts";
import { anyTerms, findMove, type Move } from "../record/moves.ts";
import type { RegistrationRecord } from "../record/registration.ts";
import { type State, stateOf } from "../record/statuses.ts";
import { IllegalTransition } from "../refusals.ts";
import { moved } from "../store/change.ts";
import { readWithSeats } from "../store/store.ts";
import { arrival, bearerWith, comesAlong } from "./bearers.ts";

/** The person to check in, and the hash of the ticket's id if one was scanned. */
export interface Visitor {
  readonly email: string;
  readonly ticketHash?: string;
}

/** The move by which a person with this registration can be checked in, if there is one. */
export const checkInMove = (registration: RegistrationRecord): Move | undefined =>
  findMove(stateOf(registration) as State, "checkedIn", anyTerms, "admin");

export interface CheckedIn {
  readonly registration: RegistrationRecord;
  /** The registration as the ticket that was checked in: the same, or that of a plus-one. */
  readonly bearer: RegistrationRecord;
  readonly alreadyCheckedIn: boolean;
}

/**
 * Refused when the ticket was replaced, or the seat is not confirmed.
 * @throws NotFound IllegalTransition
 */
function decide(
  { ticketHash }: Visitor,
  { registration, seats }: Awaited<ReturnType<typeof readWithSeats>>,
  context: RequestContext,
): Decision<CheckedIn> {
  if (!registration || registration.status === "deleted") throw new NotFound("Registration");
  if (seats?.state === "DELETED" || seats?.generation !== registration.generation) throw new NotFound("Event");
  const bearer = ticketHash === undefined ? registration : bearerWith(registration, ticketHash);
  if (!bearer) {
    throw new IllegalTransition(`This ticket was replaced by another one; the registration is ${registration.status}.`);
  }
  if (bearer.status === "checkedIn") return answer({ registration, bearer, alreadyCheckedIn: true });
  const move = checkInMove(bearer);
  if (!move) throw new IllegalTransition(`This registration is ${stateOf(registration)}: it is no confirmed seat.`);
  const checkedInAt = context.now;
  if (comesAlong(registration, bearer)) {
    const { after, members } = arrival(registration, bearer, { checkedInAt }, context);
    return write(members, { registration: after, bearer: { ...bearer, checkedInAt }, alreadyCheckedIn: false });
  }
  const { after, members } = moved(registration, move, "recount", registration, context, { audit: "fields" });
  return write(members, { registration: after, bearer: after, alreadyCheckedIn: false });
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
      read: () => readWithSeats({ email: visitor.email, event }),
      decide: (facts) => decide(visitor, facts, context),
    },
    context,
  );
