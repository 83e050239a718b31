/** Checking people in at the door: by the code that their ticket shows, or by name. Scanning twice changes nothing. */
import { ok } from "#kit/answer.ts";
import { api, type Input } from "#kit/api.ts";
import { IllegalTransition, NotFound, ValidationFailed, WrongEvent } from "#kit/errors.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { type Consistency, commit } from "#kit/table.ts";
import type { EventKey } from "../events/event.ts";
import { recount } from "../seats/store.ts";
import { ticketIdOf } from "../tickets/code.ts";
import { ticketKey, withTicketCode } from "../tickets/codes.ts";
import { readTicket, type Ticket } from "../tickets/store.ts";
import { membersOf } from "./change.ts";
import { findMove, type State, stateOf } from "./moves.ts";
import { holderOf, type RegistrationRecord, registrationAnswer } from "./registration.ts";
import * as routes from "./routes.ts";
import { readRegistration } from "./store.ts";
import { afterMove, newsOf } from "./transition.ts";

type Request = Input<typeof routes.checkIn>;

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
async function visitorOf({ code, email, eventID, year }: Request["body"]): Promise<Visitor> {
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

/** @throws NotFound IllegalTransition */
function assertMayEnter(
  registration: RegistrationRecord | undefined,
  { ticketId }: Visitor,
): asserts registration is RegistrationRecord {
  if (!registration || registration.status === "deleted") throw new NotFound("Registration");
  if (ticketId !== undefined && registration.ticketId !== ticketId) {
    throw new IllegalTransition(`This ticket was replaced by another one; the registration is ${registration.status}.`);
  }
  const state = stateOf(registration) as State;
  // Price and kind of the event make no difference at the door.
  if (state === "checkedIn" || findMove(state, "checkedIn", { priced: false, application: false }, "admin")) return;
  throw new IllegalTransition(`This registration is ${state}: it is no confirmed seat.`);
}

async function enter(visitor: Visitor, event: EventKey, { now, arrival, caller, requestId }: Request) {
  const key = { email: visitor.email, event };
  let consistency: Consistency = "eventual";
  let found: RegistrationRecord | undefined;
  return untilSettled(async () => {
    const registration: RegistrationRecord | undefined = found ?? (await readRegistration(key, consistency));
    found = undefined;
    const isCertain = consistency === "strong";
    consistency = "strong";
    const isIn = registration?.status === "checkedIn";
    const mayMove =
      registration && findMove(stateOf(registration) as State, "checkedIn", { priced: false, application: false });
    // An eventually consistent read is good enough to let somebody in on: the transaction demands it. Not to refuse.
    if (!isCertain && !mayMove) return again;
    assertMayEnter(registration, visitor);
    if (isIn) return { registration, alreadyCheckedIn: registration.changedBy !== arrival };
    const move = findMove(stateOf(registration) as State, "checkedIn", { priced: false, application: false }, "admin");
    if (!move) return again;
    const after = afterMove(registration, move, { now, arrival });
    const seats = recount(event, registration.incarnation, holderOf(registration), holderOf(after));
    const outcome = await commit(
      membersOf(
        { before: registration, after, news: newsOf(move, after), seats },
        { now, actor: caller.email, correlationId: requestId },
      ),
    );
    if (outcome.committed) return { registration: after, alreadyCheckedIn: false };
    if (outcome.refused.registration) found = outcome.refused.registration as unknown as RegistrationRecord;
    // The registration is of an event that exists no more.
    else throw new NotFound("Event");
    return again;
  });
}

export const checkIn = api(routes.checkIn, async (request) => {
  const { eventID, year } = request.body;
  const visitor = await visitorOf(request.body);
  const { registration, alreadyCheckedIn } = await enter(visitor, { id: eventID, year }, request);
  return ok({
    message: alreadyCheckedIn ? "Checked in before." : "Checked in.",
    registration: registrationAnswer(registration, await withTicketCode(registration)),
    alreadyCheckedIn,
    checkedInAt: registration.checkedInAt,
  });
});
