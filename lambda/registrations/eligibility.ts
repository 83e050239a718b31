/** Who may register for what, and on which terms (`contract.md`, section 2). Pure. */
import { EventClosed, MembersOnly, NotFound } from "#kit/errors.ts";
import type { EventRecord } from "../events/event.ts";
import { isHidden } from "../events/event.ts";
import { priceFor } from "../events/pricing.ts";
import type { Seats } from "../seats/seats.ts";
import { type Answers, checkAnswers } from "./answers.ts";
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

/** Under what terms somebody may come. */
export interface Terms {
  readonly event: EventRecord;
  readonly seats: Seats;
  readonly answers: Answers;
}

/**
 * Decides everything but whether there is a seat. An admin skips deadline, hidden, completed and members-only.
 * @throws NotFound MembersOnly EventClosed ValidationFailed
 */
export function termsFor(request: NewRegistration, { event, seats, isMember, byAdmin, now }: Circumstances): Terms {
  if (!event || !seats || seats.state === "DELETED" || seats.incarnation !== event.incarnation)
    throw new NotFound("Event");
  if (!byAdmin && isHidden(event)) throw new NotFound("Event");
  if (!byAdmin && isClosed(seats, now)) throw new EventClosed(closedSentence);
  const price = priceFor(event, isMember);
  if (price === "members-only" && !byAdmin) throw new MembersOnly();
  if (event.isApplicationBased) throw new EventClosed("Applications for this event are not open yet.");
  if (seats.mode === "priced") throw new EventClosed("Tickets for this event are not on sale yet.");
  const questions = request.isPartner ? event.partnerRegistrationQuestions : event.registrationQuestions;
  return { event, seats, answers: checkAnswers(questions ?? [], request.dynamicResponses) };
}
