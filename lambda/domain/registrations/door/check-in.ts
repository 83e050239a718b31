/** Checks a person in, or out again. Idempotent (`docs/contract.md`, "Check-in"). */

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
import { arrival, bearersOf, bearerWith, comesAlong } from "./bearers.ts";

/** The person to check in, or out, and the hash of the ticket's id if one was scanned. */
export interface Visitor {
  readonly email: string;
  readonly ticketHash?: string;
  /** Without a ticket: the first name of one who comes along with the person. */
  readonly plusOne?: string | undefined;
  /** The check-in is taken back. */
  readonly undo?: boolean | undefined;
}

/** The move by which a person with this registration can be checked in, if there is one. */
export const checkInMove = (registration: RegistrationRecord): Move | undefined =>
  findMove(stateOf(registration) as State, "checkedIn", anyTerms, "admin");

/** The move that takes the check-in of a person back. */
export const undoMove = ({ cameFrom = "registered" }: RegistrationRecord): Move | undefined =>
  findMove("checkedIn", cameFrom, anyTerms);

const isIn = ({ status }: RegistrationRecord): boolean => status === "checkedIn";

/** The registration as the ticket that is meant. Of several plus-ones with the same first name any will do. */
function bearerFor(registration: RegistrationRecord, { ticketHash, plusOne, undo = false }: Visitor) {
  if (ticketHash !== undefined) return bearerWith(registration, ticketHash);
  const [own, ...others] = bearersOf(registration);
  if (plusOne === undefined) return own;
  const named = others.filter(({ fname }) => fname === plusOne);
  if (named.length === 0) throw new IllegalTransition("This person brings no one with this first name.");
  return named.find((one) => isIn(one) === undo) ?? named[0];
}

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
  visitor: Visitor,
  { registration, seats }: Awaited<ReturnType<typeof readWithSeats>>,
  context: RequestContext,
): Decision<CheckedIn> {
  if (!registration || registration.status === "deleted") throw new NotFound("Registration");
  if (seats?.state === "DELETED" || seats?.generation !== registration.generation) throw new NotFound("Event");
  const bearer = bearerFor(registration, visitor);
  if (!bearer) {
    throw new IllegalTransition(`This ticket was replaced by another one; the registration is ${registration.status}.`);
  }
  const { undo = false } = visitor;
  if (isIn(bearer) !== undo) return answer({ registration, bearer, alreadyCheckedIn: !undo });
  const move = undo ? undoMove(bearer) : checkInMove(bearer);
  if (!move) throw new IllegalTransition(`This registration is ${stateOf(registration)}: it is no confirmed seat.`);
  if (comesAlong(registration, bearer)) {
    const { checkedInAt: _, ...out } = bearer;
    const now = undo ? {} : { checkedInAt: context.now };
    const { after, members } = arrival(registration, bearer, now, context);
    return write(members, { registration: after, bearer: { ...out, ...now }, alreadyCheckedIn: false });
  }
  const { after, members } = moved(registration, move, "recount", registration, context, { audit: "fields" });
  return write(members, { registration: after, bearer: after, alreadyCheckedIn: false });
}

/**
 * Checks a visitor in, or takes the check-in back.
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
