/** Decides whether a person may register, and on which terms (`docs/contract.md`, "Registrations"). Pure. */

import type { Seats } from "#domain/capacity/seats.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { isHidden } from "#domain/events/event.ts";
import type { GuestsAllowed } from "#domain/events/event-input.ts";
import { type Attendee, amountOwed, priceFor, wantsPartners } from "#domain/events/pricing.ts";
import { assertTakesPlace, EventClosed, MembersOnly, NotOpenYet } from "#domain/events/refusals.ts";
import { NotAllowed, NotFound, Refusal } from "#kit/errors.ts";
import { type JoinOrigin, joinRules } from "../record/acts.ts";
import type { Terms } from "../record/moves.ts";
import type { NewRegistration } from "../record/new-registration.ts";
import type { RegistrationRecord } from "../record/registration.ts";
import { type Answers, checkAnswers, questionsFor } from "./answers.ts";

/** Whether registration is closed, except for admins. @param now epoch milliseconds */
export const isClosed = (seats: Pick<Seats, "state" | "deadline">, now: number): boolean =>
  seats.state === "CLOSED" || seats.deadline <= now;

export const closedSentence = "Registration for this event is closed.";

export interface AdmissionFacts {
  readonly event: EventRecord | undefined;
  readonly seats: Seats | undefined;
  readonly isMember: boolean;
  readonly origin: JoinOrigin;
  /** Who may register without an account, where the event does not say. */
  readonly guests?: GuestsAllowed | undefined;
  /** Absent: not known, which counts as none. */
  readonly hasAccount?: boolean;
  /** The person's active registration. */
  readonly existing?: Pick<RegistrationRecord, "entryPrice" | "isPartner"> | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The terms on which a person may register. */
export interface Entry {
  readonly event: EventRecord;
  readonly seats: Seats;
  readonly terms: Terms;
  /** The event's price for the person, in integer cents. Absent when it has none. */
  readonly entryPrice?: number;
  readonly answers: Answers;
}

/** The terms of an event for one person. @param entryPrice as for `amountOwed`, in integer cents */
export const termsOf = (event: EventRecord, person: Attendee, entryPrice: number | undefined): Terms => ({
  application: event.isApplicationBased === true,
  priced: amountOwed(event, person, entryPrice) > 0,
});

/** Whether people without an account may register: everyone, or partners at an event that wants partners. */
const takesGuest = (
  event: EventRecord,
  { isPartner }: Pick<NewRegistration, "isPartner">,
  ofStage: GuestsAllowed | undefined,
): boolean => {
  const allowed = event.guests ?? ofStage;
  return allowed === "everyone" || (allowed === "partners" && isPartner === true && wantsPartners(event));
};

/**
 * The terms on which a person may register, whatever the answers.
 * @throws NotFound NotAllowed MembersOnly EventClosed NotOpenYet
 */
function termsFor(
  request: Pick<NewRegistration, "isPartner">,
  { event, seats, isMember, origin, guests, hasAccount = false, existing, now }: AdmissionFacts,
): Omit<Entry, "answers"> {
  const rules = joinRules(origin);
  if (!event || !seats || seats.state === "DELETED" || seats.generation !== event.generation)
    throw new NotFound("Event");
  if (rules.hidden === "refused" && isHidden(event, now)) throw new NotFound("Event");
  assertTakesPlace(event);
  if (rules.times === "obeyed" && isClosed(seats, now)) throw new EventClosed(closedSentence);
  const { opensAt = 0 } = seats;
  if (rules.times === "obeyed" && !existing && opensAt > now) throw new NotOpenYet(opensAt, now, event.timeZone);
  const person = { isMember, isPartner: (existing ?? request).isPartner ?? false };
  const price = priceFor(event, person);
  const hasPrice = price !== "members-only";
  if (rules.membersOnly === "obeyed" && !hasPrice && !existing) throw new MembersOnly();
  const isGuest = rules.guests === "asked for" || (rules.guests === "without account" && !hasAccount);
  if (isGuest && !takesGuest(event, request, guests)) {
    throw new NotAllowed("Sign in to register for this event.");
  }
  return {
    event,
    seats,
    terms: termsOf(event, person, existing?.entryPrice),
    ...(hasPrice && { entryPrice: price }),
  };
}

/**
 * Decides whether a person may register, regardless of free seats and by the rules of the origin (`record/acts.ts`). A
 * person with an active registration is refused neither before the opening nor as a non-member.
 * @throws NotFound NotAllowed MembersOnly EventClosed NotOpenYet ValidationFailed
 */
export function entryFor(request: NewRegistration, facts: AdmissionFacts): Entry {
  const entry = termsFor(request, facts);
  return { ...entry, answers: checkAnswers(questionsFor(request, entry.event), request.dynamicResponses) };
}

/** Whether `entryFor` would refuse nothing but answers. */
export function mayEnter(request: Pick<NewRegistration, "isPartner">, facts: AdmissionFacts): boolean {
  try {
    termsFor(request, facts);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
