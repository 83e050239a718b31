/** Checking people in at the door: by the code that their ticket shows, or by name. Scanning twice changes nothing. */

import type { EventKey } from "#domain/events/event.ts";
import { membersOf } from "#domain/registrations/change.ts";
import { findMove, type Move, type State, stateOf } from "#domain/registrations/moves.ts";
import { holderOf, type RegistrationRecord } from "#domain/registrations/registration.ts";
import { recount } from "#domain/registrations/seats/store.ts";
import { readRegistration } from "#domain/registrations/store.ts";
import { ticketIdOf } from "#domain/registrations/tickets/code.ts";
import { ticketKey, withTicketCode } from "#domain/registrations/tickets/codes.ts";
import { readTicket, type Ticket } from "#domain/registrations/tickets/store.ts";
import { afterMove, messageOf } from "#domain/registrations/transition.ts";
import { ok } from "#kit/answer.ts";
import { api, type Input } from "#kit/api.ts";
import type { RequestContext } from "#kit/context.ts";
import { IllegalTransition, NotFound, ValidationFailed, WrongEvent } from "#kit/errors.ts";
import { answer, type Decision, type Depth, execute, lookCloser, write } from "#kit/execute.ts";
import type { Consistency } from "#kit/table.ts";
import { registrationAnswer } from "./registration-answer.ts";
import * as routes from "./routes.ts";

const forged = () => new ValidationFailed([{ path: "/code", message: "is not the code of one of our tickets" }]);

/** The person at the door, and their ticket if they showed one. */
interface Visitor {
  readonly email: string;
  readonly ticketId?: string;
}

/**
 * @throws ValidationFailed no code of ours, and nobody named
 * @throws WrongEvent a ticket of another event
 */
async function visitorOf({ code, email, eventID, year }: Input<typeof routes.checkIn>["body"]): Promise<Visitor> {
  if (code === undefined) {
    if (email === undefined) throw new ValidationFailed([{ path: "/code", message: "is required, or email" }]);
    return { email };
  }
  const ticketId = ticketIdOf(code, await ticketKey());
  if (ticketId === undefined) throw forged();
  // A ticket is written once; one that is not there yet for an eventually consistent read is looked for again.
  const find = (consistency: Consistency) => readTicket(ticketId, consistency);
  const ticket: Omit<Ticket, "ticketId"> | undefined = (await find("eventual")) ?? (await find("strong"));
  if (!ticket) throw forged();
  if (ticket.eventID !== eventID || ticket.year !== year) throw new WrongEvent(ticket.eventID, ticket.year);
  return { email: ticket.email, ticketId };
}

/**
 * The move that lets a person in; undefined when they are in.
 * @throws IllegalTransition
 */
function entranceOf(registration: RegistrationRecord, { ticketId }: Visitor): Move | undefined {
  if (ticketId !== undefined && registration.ticketId !== ticketId) {
    throw new IllegalTransition(`This ticket was replaced by another one; the registration is ${registration.status}.`);
  }
  const state = stateOf(registration) as State;
  if (state === "checkedIn") return undefined;
  // Price and kind of the event make no difference at the door.
  const move = findMove(state, "checkedIn", { priced: false, application: false }, "admin");
  if (!move) throw new IllegalTransition(`This registration is ${state}: it is no confirmed seat.`);
  return move;
}

interface Facts {
  readonly isCertain: boolean;
  readonly registration: RegistrationRecord | undefined;
  /** The seats are not those of the registration's event, or it is deleted. */
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
