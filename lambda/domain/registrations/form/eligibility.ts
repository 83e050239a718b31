/** Decides whether a person may register, and on which terms (`docs/contract.md`, "Registrations"). Pure. */

import { type Seats, seatsByCode } from "#domain/capacity/seats.ts";
import { agreedPriceOf, type CodeRecord, problemOf, unknownCode } from "#domain/codes/code.ts";
import { CodeNotValid, CodeRequired } from "#domain/codes/refusals.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { isHidden } from "#domain/events/event.ts";
import type { GuestsAllowed } from "#domain/events/event-input.ts";
import {
  type AdmissionPrices,
  type Admitted,
  type Attendee,
  amountOwed,
  priceFor,
  wantsPartners,
} from "#domain/events/pricing.ts";
import { assertTakesPlace, EventClosed, MembersOnly, NotOpenYet } from "#domain/events/refusals.ts";
import { NotAllowed, NotFound, Refusal, ValidationFailed } from "#kit/errors.ts";
import { type JoinOrigin, joinRules } from "../record/acts.ts";
import type { Terms } from "../record/moves.ts";
import type { NewRegistration } from "../record/new-registration.ts";
import { plusOneIssues } from "../record/plus-ones.ts";
import type { RegistrationRecord } from "../record/registration.ts";
import { type Answers, checkAnswers, questionsFor } from "./answers.ts";

/** Whether registration is closed, except for admins. @param now epoch milliseconds */
export const isClosed = (seats: Pick<Seats, "state" | "deadline">, now: number): boolean =>
  seats.state === "CLOSED" || seats.deadline <= now;

export const closedSentence = "Registration for this event is closed.";

/** The code of a request, as it was found. */
export interface AskedCode {
  /** Absent: there is none. */
  readonly found: CodeRecord | undefined;
  /** It is that of the registration before. It counts again if it still can. */
  readonly isFormer: boolean;
}

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
  readonly existing?:
    | Pick<RegistrationRecord, "entryPrice" | "agreedPrice" | "plusOnes" | "isPartner" | "code">
    | undefined;
  readonly code?: AskedCode | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The terms on which a person may register. */
export interface Entry extends AdmissionPrices {
  readonly event: EventRecord;
  readonly seats: Seats;
  readonly terms: Terms;
  /** The code of which the person takes a use. */
  readonly code?: CodeRecord;
  readonly answers: Answers;
}

/** The terms of an event for one person. */
export const termsOf = (event: EventRecord, person: Attendee, admitted: Admitted | undefined): Terms => ({
  application: event.isApplicationBased === true,
  priced: amountOwed(event, person, admitted) > 0,
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

/** A code that counts, or why it does not. */
interface CheckedCode {
  readonly code?: CodeRecord;
  readonly problem?: string;
}

/** A person with an active registration has used the code already. */
function checkedCode({ code: asked, existing, origin, now }: AdmissionFacts, person: Attendee): CheckedCode {
  if (!asked || existing) return {};
  const { found: code, isFormer } = asked;
  const problem = code ? problemOf(code, person, joinRules(origin).codes === "obeyed", now) : unknownCode;
  if (problem === undefined) return { code: code as CodeRecord };
  return isFormer ? {} : { problem };
}

/** What of a form the terms depend on. */
type Asked = Pick<NewRegistration, "isPartner" | "plusOnes">;

/**
 * The terms on which a person may register, whatever the answers.
 * @throws NotFound NotAllowed MembersOnly EventClosed NotOpenYet CodeNotValid CodeRequired
 */
function termsFor(request: Asked, facts: AdmissionFacts): Omit<Entry, "answers"> {
  const { event, seats, isMember, origin, guests, hasAccount = false, existing, now } = facts;
  const rules = joinRules(origin);
  if (!event || !seats || seats.state === "DELETED" || seats.generation !== event.generation)
    throw new NotFound("Event");
  const isPartner = (existing ?? request).isPartner ?? false;
  const { code, problem } = checkedCode(facts, { isMember, isPartner });
  const isInvited = (code ?? existing?.code)?.kind === "access";
  if (rules.hidden === "refused" && isHidden(event, now) && !isInvited) throw new NotFound("Event");
  assertTakesPlace(event);
  const isOver = rules.times === "obeyed" ? isClosed(seats, now) : seats.state === "CLOSED" || seats.startsAt <= now;
  if (rules.times !== "ignored" && isOver) throw new EventClosed(closedSentence);
  const { opensAt = 0 } = seats;
  if (rules.times === "obeyed" && !existing && opensAt > now) throw new NotOpenYet(opensAt, now, event.timeZone);
  if (problem !== undefined) throw new CodeNotValid(problem);
  const needsCode = rules.codes === "obeyed" && isPartner && event.partnersNeedCode === true && !existing;
  if (needsCode && code?.kind !== "partner") throw new CodeRequired();
  const person = { isMember, isPartner };
  const price = priceFor(event, { ...person, isInvited });
  const hasPrice = price !== "members-only";
  if (rules.membersOnly === "obeyed" && !hasPrice && !existing) throw new MembersOnly();
  const isGuest = rules.guests === "asked for" || (rules.guests === "without account" && !hasAccount);
  if (isGuest && !takesGuest(event, request, guests)) {
    throw new NotAllowed("Sign in to register for this event.");
  }
  const agreedPrice = code && agreedPriceOf(code, hasPrice ? price : amountOwed(event, person));
  const prices = { ...(hasPrice && { entryPrice: price }), ...(agreedPrice !== undefined && { agreedPrice }) };
  const admitted = existing ?? { ...prices, plusOnes: request.plusOnes };
  return { event, seats, terms: termsOf(event, person, admitted), ...prices, ...(code && { code }) };
}

/** A code for access opens the allotment. */
const withSeats = <T extends Pick<Entry, "seats" | "code">>(entry: T, { plusOnes = [] }: NewRegistration): T =>
  entry.code?.kind === "access" ? { ...entry, seats: seatsByCode(entry.seats, 1 + plusOnes.length) } : entry;

/**
 * Decides whether a person may register, regardless of free seats and by the rules of the origin (`record/acts.ts`). A
 * person with an active registration is refused neither before the opening nor as a non-member.
 * @throws NotFound NotAllowed MembersOnly EventClosed NotOpenYet CodeNotValid CodeRequired ValidationFailed
 */
export function entryFor(request: NewRegistration, facts: AdmissionFacts): Entry {
  const entry = withSeats(termsFor(request, facts), request);
  const issues = facts.existing ? [] : plusOneIssues(request, entry.event.plusOnes, entry.seats.capacity);
  if (issues.length > 0) throw new ValidationFailed(issues);
  return { ...entry, answers: checkAnswers(questionsFor(request, entry.event), request.dynamicResponses) };
}

/** Whether `entryFor` would refuse nothing but answers. */
export function mayEnter(request: Asked, facts: AdmissionFacts): boolean {
  try {
    termsFor(request, facts);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
