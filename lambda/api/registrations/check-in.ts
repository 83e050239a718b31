/**
 * Checks people in at the door: by the code of their ticket, or by email. A second scan changes nothing
 * (`docs/contract.md`, "Check-in").
 */

import type { EventKey } from "#domain/events/event.ts";
import { membersOf } from "#domain/registrations/change.ts";
import { findMove, type Move, type State, stateOf } from "#domain/registrations/moves.ts";
import { holderOf, type RegistrationRecord } from "#domain/registrations/registration.ts";
import { recount } from "#domain/registrations/seats/store.ts";
import { readRegistration } from "#domain/registrations/store.ts";
import { markOf, ticketIn } from "#domain/registrations/tickets/code.ts";
import { ticketKey, withTicketCode } from "#domain/registrations/tickets/codes.ts";
import { afterMove, messageOf } from "#domain/registrations/transition.ts";
import { ok } from "#kit/answer.ts";
import { api, type Input } from "#kit/api.ts";
import type { RequestContext } from "#kit/context.ts";
import { IllegalTransition, NotFound, ValidationFailed, WrongEvent } from "#kit/errors.ts";
import { answer, type Decision, type Depth, execute, lookCloser, write } from "#kit/execute.ts";
import { registrationAnswer } from "./registration-answer.ts";
import * as routes from "./routes.ts";

const forged = () => new ValidationFailed([{ path: "/code", message: "is not the code of one of our tickets" }]);

const otherPerson = () =>
  new ValidationFailed([
    { path: "/email", message: "must be that of the ticket, or absent: the code is another person's" },
  ]);

/** The person at the door, and the mark of the ticket if the person showed one. */
interface Visitor {
  readonly email: string;
  readonly mark?: string;
}

/**
 * @throws ValidationFailed the code is not one of this service, or the body has neither code nor email, or those of two
 * @throws WrongEvent the ticket belongs to another event
 */
async function visitorOf({ code, email, eventID, year }: Input<typeof routes.checkIn>["body"]): Promise<Visitor> {
  if (code === undefined) {
    if (email === undefined) throw new ValidationFailed([{ path: "/code", message: "is required, or email" }]);
    return { email };
  }
  const ticket = ticketIn(code, await ticketKey());
  if (ticket === undefined) throw forged();
  if (ticket.eventID !== eventID || ticket.year !== year) throw new WrongEvent(ticket.eventID, ticket.year);
  if (email !== undefined && email !== ticket.email) throw otherPerson();
  return ticket;
}

/**
 * The move that lets a person in; undefined when the person is in already.
 * @throws IllegalTransition the ticket was replaced, or the seat is not confirmed
 */
function entranceOf(registration: RegistrationRecord, { mark }: Visitor): Move | undefined {
  if (mark !== undefined && markOf(registration.ticketId) !== mark) {
    throw new IllegalTransition(`This ticket was replaced by another one; the registration is ${registration.status}.`);
  }
  const state = stateOf(registration) as State;
  if (state === "checkedIn") return undefined;
  // At the door, price and kind of the event make no difference.
  const move = findMove(state, "checkedIn", { priced: false, application: false }, "admin");
  if (!move) throw new IllegalTransition(`This registration is ${state}: it is no confirmed seat.`);
  return move;
}

interface Facts {
  readonly isCertain: boolean;
  readonly registration: RegistrationRecord | undefined;
  /** The event is deleted, or was created again after the registration. */
  readonly isGone: boolean;
}

interface Entered {
  readonly registration: RegistrationRecord;
  readonly alreadyCheckedIn: boolean;
}

/** @throws NotFound IllegalTransition */
function decide(
  visitor: Visitor,
  event: EventKey,
  { isCertain, registration, isGone }: Facts,
  context: RequestContext,
): Decision<Entered, Pick<Facts, "isGone">> {
  if (!registration || registration.status === "deleted") throw new NotFound("Registration");
  if (isGone) throw new NotFound("Event");
  const move = entranceOf(registration, visitor);
  if (!move) return isCertain ? answer({ registration, alreadyCheckedIn: true }) : lookCloser;
  const after = afterMove(registration, move, context);
  const [was, is] = [holderOf(registration), holderOf(after)];
  const seats = recount(event, registration.incarnation, was, is, { mustExist: true });
  return write(
    membersOf({ before: registration, after, message: messageOf(move, after), seats }, context),
    { registration: after, alreadyCheckedIn: false },
    ({ seats: found }) => ({
      isGone: found !== undefined && (found?.state === "DELETED" || found?.incarnation !== registration.incarnation),
    }),
  );
}

const enter = (visitor: Visitor, event: EventKey, context: RequestContext): Promise<Entered> =>
  execute(
    {
      read: async (depth: Depth, learned: Pick<Facts, "isGone"> | undefined): Promise<Facts> => {
        const isCertain = depth === "certain";
        const registration = await readRegistration({ email: visitor.email, event }, isCertain ? "strong" : "eventual");
        return { isCertain, registration, isGone: learned?.isGone ?? false };
      },
      decide: (facts) => decide(visitor, event, facts, context),
    },
    context,
  );

export const checkIn = api(routes.checkIn, async ({ body, context }) => {
  const visitor = await visitorOf(body);
  const { registration, alreadyCheckedIn } = await enter(visitor, { id: body.eventID, year: body.year }, context);
  return ok({
    message: alreadyCheckedIn ? "Checked in before." : "Checked in.",
    registration: registrationAnswer(registration, await withTicketCode(registration)),
    alreadyCheckedIn,
    checkedInAt: registration.checkedInAt,
  });
});
