/** Who may register for what, and on which terms (`contract.md`, section 2). Pure. */
import { EventClosed, MembersOnly, NotFound } from "#kit/errors.ts";
import type { EventRecord } from "../events/event.ts";
import { isHidden } from "../events/event.ts";
import { amountDue, priceFor } from "../events/pricing.ts";
import type { Seats } from "../seats/seats.ts";
import { type Answers, checkAnswers } from "./answers.ts";
import type { Terms } from "./moves.ts";
import type { NewRegistration } from "./schemas.ts";

/** Whether registration is over for people who are not admins. */
export const isClosed = (seats: Pick<Seats, "state" | "deadline">, now: number): boolean =>
  seats.state === "CLOSED" || seats.deadline <= now;

export const closedSentence = "Registration for this event is closed.";

/** What a decision rests on. */
export interface Circumstances {
  readonly event: EventRecord | undefined;
  readonly seats: Seats | undefined;
  readonly isMember: boolean;
  readonly byAdmin: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** That somebody may come, and on which terms. */
export interface Entry {
  readonly event: EventRecord;
  readonly seats: Seats;
  readonly terms: Terms;
  readonly answers: Answers;
}

/** How an event takes this person. */
export const termsOf = (event: EventRecord, isMember: boolean): Terms => ({
  application: event.isApplicationBased === true,
  priced: amountDue(event, isMember) > 0,
});

/**
 * Decides everything but whether there is a seat. An admin skips deadline, hidden, completed and members-only.
 * @throws NotFound MembersOnly EventClosed ValidationFailed
 */
export function entryFor(request: NewRegistration, { event, seats, isMember, byAdmin, now }: Circumstances): Entry {
  if (!event || !seats || seats.state === "DELETED" || seats.incarnation !== event.incarnation)
    throw new NotFound("Event");
  if (!byAdmin && isHidden(event)) throw new NotFound("Event");
  if (!byAdmin && isClosed(seats, now)) throw new EventClosed(closedSentence);
  const price = priceFor(event, isMember);
  if (price === "members-only" && !byAdmin) throw new MembersOnly();
  const questions = request.isPartner ? event.partnerRegistrationQuestions : event.registrationQuestions;
  return {
    event,
    seats,
    terms: termsOf(event, isMember),
    answers: checkAnswers(questions ?? [], request.dynamicResponses),
  };
}
