/**
 * Changing a registration that stays: another state, other answers, points. One transaction, through the same commit
 * as everything else; leaving and coming again have operations of their own.
 */
import { ChoiceFull, EventClosed, EventFull, IllegalTransition, NotAllowed, NotFound } from "#kit/errors.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { commit, type TransactItem } from "#kit/table.ts";
import type { EventRecord } from "../events/event.ts";
import { holdDurations } from "../holds/durations.ts";
import { holdUntil } from "../holds/holds.ts";
import type { Origin } from "../outbox/store.ts";
import { isFull, roomFor, type Seats } from "../seats/seats.ts";
import { grantSeat, recount } from "../seats/store.ts";
import { checkAnswers } from "./answers.ts";
import { membersOf } from "./change.ts";
import { readCircumstances } from "./circumstances.ts";
import { closedSentence, isClosed, termsOf } from "./eligibility.ts";
import { type Actor, findMove, type Move, type State, stateOf, type Terms } from "./moves.ts";
import { promoteOrLeaveToOthers } from "./promote.ts";
import { factOf, holderOf, holdsSeat, type RegistrationRecord } from "./registration.ts";
import { type RequestedStatus, requestedState } from "./requested-state.ts";
import type { NewRegistration } from "./schemas.ts";
import type { RegistrationKey } from "./store.ts";
import { afterMove, newsOf } from "./transition.ts";

/** What is to become of a registration; what is not named stays. */
export interface Amendment extends RequestedStatus {
  readonly points?: number;
  /** Answers by question; those to other questions stay, a blank one takes its answer back. */
  readonly dynamicResponses?: NewRegistration["dynamicResponses"];
  readonly basicInformation?: NewRegistration["basicInformation"];
}

export interface AmendmentRequest extends RegistrationKey {
  readonly amendment: Amendment;
  readonly by: Extract<Actor, "self" | "admin">;
  readonly arrival: string;
}

/** What there is to do. */
export type Amended =
  | { readonly registration: RegistrationRecord; readonly changed: boolean }
  /** It ends, after whatever else there was to change. */
  | { readonly ends: "cancelled" | "rejected" }
  /** It was cancelled, and is to begin again. */
  | { readonly begins: RegistrationRecord };

/** What an amendment is decided on: one consistent read. */
interface Known {
  readonly event: EventRecord;
  readonly seats: Seats;
  readonly current: RegistrationRecord;
  readonly terms: Terms;
}

/** @throws NotFound */
async function readKnown({ email, event: { id, year } }: RegistrationKey): Promise<Known> {
  const { event, seats, user, registration } = await readCircumstances({ eventID: id, year, email }, "strong");
  if (!registration || registration.status === "deleted") throw new NotFound("Registration");
  const isThere = event && seats && seats.state !== "DELETED" && seats.incarnation === registration.incarnation;
  if (!isThere) throw new NotFound("Event");
  return { event, seats, current: registration, terms: termsOf(event, user?.isMember ?? false) };
}

/**
 * The answers as they will be.
 * @throws EventClosed ValidationFailed
 */
function answersAfter({ amendment, by }: AmendmentRequest, { event, seats, current }: Known, now: number) {
  const { dynamicResponses, basicInformation } = amendment;
  if (!dynamicResponses && !basicInformation) return {};
  if (by === "self" && isClosed(seats, now)) throw new EventClosed(closedSentence);
  const information = basicInformation && {
    basicInformation: { ...current.basicInformation, ...basicInformation },
    ...(basicInformation.fname !== undefined && { fname: basicInformation.fname }),
  };
  if (!dynamicResponses) return { ...information };
  const questions = (current.isPartner ? event.partnerRegistrationQuestions : event.registrationQuestions) ?? [];
  const { responses, choices } = checkAnswers(questions, {
    ...(current.dynamicResponses as NonNullable<NewRegistration["dynamicResponses"]>),
    ...dynamicResponses,
  });
  return { ...information, dynamicResponses: responses, choices };
}

/**
 * The move that is asked for, if it is one.
 * @throws IllegalTransition nobody may make it  @throws NotAllowed somebody else may
 */
function moveTo(to: State, from: State, { terms }: Known, by: Actor): Move {
  const move = findMove(from, to, terms, by);
  if (move) return move;
  if (findMove(from, to, terms)) throw new NotAllowed();
  const otherTerms = { ...terms, priced: !terms.priced };
  const because = findMove(from, to, otherTerms)
    ? ` of somebody who ${terms.priced ? "has to pay" : "pays nothing"}`
    : "";
  throw new IllegalTransition(`A registration${because} that is ${from} cannot become ${to}.`);
}

const holdFor = ({ to, from }: Move, { seats }: Known, now: number): { holdExpiresAt?: number } => {
  if (to !== "incomplete" && to !== "acceptedPending") return {};
  const duration = from === "waitlist" && to === "incomplete" ? holdDurations.promotion : holdDurations.acceptance;
  return { holdExpiresAt: holdUntil(now, duration, seats.startsAt) };
};

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What the change does to the seats. A move that depends on the price is made only under the price that was read. */
function seatsMember(
  { event, seats }: Known,
  before: RegistrationRecord,
  after: RegistrationRecord,
  move: Move | undefined,
): TransactItem | undefined {
  const [was, is] = [holderOf(before), holderOf(after)];
  const cfg = move?.priced === undefined ? undefined : seats.cfg;
  if (same(was, is) && cfg === undefined) return undefined;
  if (holdsSeat(after) && !holdsSeat(before)) return grantSeat(event, seats, was, is);
  return recount(event, before.incarnation, was, is, cfg);
}

/**
 * Why the seats refused; returns when it was because what had been read is outdated.
 * @throws EventFull ChoiceFull
 */
function explainRefusal(before: RegistrationRecord, after: RegistrationRecord, seats: Seats): void {
  if (seats.incarnation !== before.incarnation) return;
  if (holdsSeat(after) && !holdsSeat(before) && isFull(seats)) throw new EventFull();
  const kept = holdsSeat(before) ? before.choices : {};
  const joined = Object.entries(after.choices).filter(([question, choice]) => kept[question] !== choice);
  const full = joined.find(([question, choice]) => !roomFor({ [question]: choice }, seats));
  if (full) throw new ChoiceFull(full[1]);
}

/** Replaced in tests only, to show that the step is needed. */
export interface Steps {
  readonly promote: typeof promoteOrLeaveToOthers;
}

const beginsAgain = new Set<State>(["registered", "incomplete", "waitlist", "applicant"]);

/**
 * Changes a registration in one transaction.
 * @throws NotFound NotAllowed IllegalTransition EventClosed EventFull ChoiceFull ValidationFailed
 * @throws Contended nothing was written
 */
export async function amend(
  request: AmendmentRequest,
  origin: Origin,
  steps: Steps = { promote: promoteOrLeaveToOthers },
): Promise<Amended> {
  const { amendment, by, arrival } = request;
  if (amendment.points !== undefined && by !== "admin") throw new NotAllowed();
  let choicesChanged = false;
  const amended = await untilSettled(async (): Promise<Amended | typeof again> => {
    const known = await readKnown(request);
    const { current, seats } = known;
    if (current.changedBy === arrival) return { registration: current, changed: true };
    const from = stateOf(current) as State;
    const to = requestedState(amendment, current, known.terms) ?? from;
    if (from === "cancelled" && beginsAgain.has(to)) return { begins: current };
    const ends = to !== from && (to === "cancelled" || to === "rejected") ? to : undefined;
    const move = to === from || ends ? undefined : moveTo(to, from, known, by);
    const { points = current.points } = amendment;
    const fields = { ...answersAfter(request, known, origin.now), points };
    const isSame = Object.entries(fields).every(([name, value]) =>
      same(value, current[name as keyof RegistrationRecord]),
    );
    if (!move && isSame) return ends ? { ends } : { registration: current, changed: false };
    const updated: Pick<Move, "to" | "emits" | "tells"> = move ?? { to: from, emits: "registration.updated" };
    const after = { ...amendedRecord(current, updated, request, known, move, origin.now), ...fields };
    const news = move ? newsOf(move, after) : ({ type: "registration.updated", data: factOf(after) } as const);
    const seatsPart = seatsMember(known, current, after, move);
    const outcome = await commit(
      membersOf({ before: current, after, news, seats: seatsPart, startsAt: seats.startsAt }, origin),
    );
    if (!outcome.committed) {
      const refusing = outcome.refused.seats as unknown as Seats | null | undefined;
      if (refusing && !outcome.refused.registration) explainRefusal(current, after, refusing);
      return again;
    }
    choicesChanged = !same(current.choices, after.choices);
    return ends ? { ends } : { registration: after, changed: true };
  });
  // A choice that was given up, or a waiter's new one, may be what a free seat has been waiting for.
  if (choicesChanged) await steps.promote(request.event, origin);
  return amended;
}

function amendedRecord(
  current: RegistrationRecord,
  updated: Pick<Move, "to" | "tells">,
  { arrival }: AmendmentRequest,
  known: Known,
  move: Move | undefined,
  now: number,
): RegistrationRecord {
  if (move) return afterMove(current, updated, { now, arrival }, holdFor(move, known, now));
  return { ...current, version: current.version + 1, changedBy: arrival, updatedAt: now };
}
