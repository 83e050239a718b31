/**
 * Changes state, answers or points of a registration, in one transaction. Ending a registration (`leave.ts`) and
 * registering again (`register/register.ts`) are separate operations.
 */
import { isDeepStrictEqual } from "node:util";
import { changeSeats } from "#domain/capacity/demands.ts";
import { ChoiceFull, EventFull } from "#domain/capacity/refusals.ts";
import { isFull, poolOf, roomFor, type Seats } from "#domain/capacity/seats.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { EventClosed } from "#domain/events/refusals.ts";
import { onceMore } from "#domain/people/once-more.ts";
import { NotAllowed, NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, followUp, readAfterCommit, readAgain, write } from "#kit/table/execute.ts";
import type { TransactItem } from "#kit/table/table.ts";
import { readAdmissionFacts } from "../admission.ts";
import { checkAnswers, chosenIn, questionsFor } from "../form/answers.ts";
import { closedSentence, isClosed, termsOf } from "../form/eligibility.ts";
import { type RequestedStatus, requestedState } from "../form/requested-state.ts";
import { holdDurations } from "../holds/durations.ts";
import { holdUntil } from "../holds/holds.ts";
import type { ChangedFields } from "../leave.ts";
import { promote } from "../promote.ts";
import { type Actor, entryStates, findMove, type Move, refusalOf, type Terms } from "../record/moves.ts";
import type { BasicInformation, DynamicResponses } from "../record/new-registration.ts";
import { factOf, holderOf, holdsSeat, isUnpaid, mayCome, type RegistrationRecord } from "../record/registration.ts";
import { type State, stateOf, statusOf } from "../record/statuses.ts";
import { afterMove, messageOf, rewritten } from "../record/transition.ts";
import { IllegalTransition } from "../refusals.ts";
import { membersOf } from "../store/change.ts";
import { type RegistrationKey, readRegistration } from "../store/store.ts";

/** The requested changes. Absent fields are unchanged. */
export interface Amendment extends RequestedStatus {
  readonly points?: number;
  /** Answers by question id. Other answers are unchanged. A blank answer removes the stored one. */
  readonly dynamicResponses?: DynamicResponses | undefined;
  readonly basicInformation?: BasicInformation | undefined;
  /** The person says that they come. */
  readonly coming?: true | undefined;
}

export interface AmendmentRequest extends RegistrationKey {
  readonly amendment: Amendment;
  readonly by: Extract<Actor, "self" | "admin">;
  /** The person asks by a link to the registration with this ticket. */
  readonly linkedTicket?: string;
}

/** The states that only `leave` can bring about, because the seat or place goes to somebody else. */
export type EndState = "cancelled" | "rejected" | "waitlist";

const isEnd = (from: State, to: State): to is EndState =>
  to !== from && (to === "cancelled" || to === "rejected" || (from === "registered" && to === "waitlist"));

export type Amended =
  | { readonly registration: RegistrationRecord; readonly changed: boolean }
  /** Nothing is written. The caller has to end the registration, with the other changes of the request. */
  | { readonly ends: EndState }
  /** Nothing is written. The registration is cancelled, and the caller has to admit the person again. */
  | { readonly begins: RegistrationRecord };

/** The facts for an amendment, from one consistent read. */
interface Known {
  readonly event: EventRecord;
  readonly seats: Seats;
  readonly current: RegistrationRecord;
  readonly terms: Terms;
}

/** @throws NotFound the registration, or its generation of the event, does not exist, or it has another ticket */
function knownFrom(
  { event, seats, user, registration }: Awaited<ReturnType<typeof readAdmissionFacts>>,
  linkedTicket = registration?.ticketId,
): Known {
  const isMeant = registration?.ticketId === linkedTicket;
  if (!registration || registration.status === "deleted" || !isMeant) throw new NotFound("Registration");
  const isThere = event && seats && seats.state !== "DELETED" && seats.generation === registration.generation;
  if (!isThere) throw new NotFound("Event");
  const person = { isMember: user?.isMember ?? false, isPartner: registration.isPartner };
  const terms = termsOf(event, person, registration.entryPrice);
  return { event, seats: poolOf(seats, registration.pool), current: registration, terms };
}

/**
 * The fields other than the status that a request changes.
 * @param now epoch milliseconds
 * @throws EventClosed the person changes answers after registration has closed
 * @throws IllegalTransition who has no seat cannot say that they come
 * @throws ValidationFailed an answer is missing or invalid
 */
export function changedFields(
  { amendment, by }: Pick<AmendmentRequest, "amendment" | "by">,
  { event, seats, current }: Pick<Known, "event" | "seats" | "current">,
  now: number,
): ChangedFields {
  const { dynamicResponses, basicInformation, points = current.points } = amendment;
  if (amendment.coming && !mayCome(current)) {
    throw new IllegalTransition("Only a person with a confirmed seat can say that they come.");
  }
  const coming = amendment.coming && { coming: current.coming ?? now };
  if (!dynamicResponses && !basicInformation) return { points, ...coming };
  if (by === "self" && isClosed(seats, now)) throw new EventClosed(closedSentence);
  const information = basicInformation && {
    basicInformation: { ...current.basicInformation, ...basicInformation },
    ...(basicInformation.fname !== undefined && { fname: basicInformation.fname }),
  };
  if (!dynamicResponses) return { ...information, points, ...coming };
  const questions = questionsFor(current, event);
  const { responses, choices } = checkAnswers(questions, {
    ...current.dynamicResponses,
    ...dynamicResponses,
  });
  return { ...information, dynamicResponses: responses, choices, points, ...coming };
}

/** Whether a request changes other fields than the status. */
export const changesFields = ({ dynamicResponses, basicInformation, points, coming }: Amendment): boolean =>
  dynamicResponses !== undefined || basicInformation !== undefined || points !== undefined || coming !== undefined;

/** The refusal of a move that others may make, but not the person. */
export const notYourMove = (from: State, to: State): NotAllowed =>
  new NotAllowed(`You cannot change your registration from ${from} to ${to} yourself.`);

/**
 * The requested move.
 * @throws IllegalTransition no actor may make this move, or the person has to pay first
 * @throws NotAllowed another actor may make it, but not this one
 */
function moveTo(to: State, from: State, { terms }: Known, by: Actor): Move {
  const move = findMove(from, to, terms, by);
  if (move) return move;
  if (by === "self" && from === "acceptedPending" && to === "acceptedComplete") {
    throw new IllegalTransition(`This registration is ${from}: pay first, and it becomes ${to}.`);
  }
  if (findMove(from, to, terms)) throw notYourMove(from, to);
  const otherTerms = { ...terms, priced: !terms.priced };
  const because = findMove(from, to, otherTerms) ? `This person ${terms.priced ? "has to pay" : "pays nothing"}. ` : "";
  throw new IllegalTransition(because + refusalOf(from, to, by, terms));
}

const holdFor = ({ to, from }: Move, { seats }: Known, now: number): { holdExpiresAt?: number } => {
  if (!isUnpaid({ status: statusOf(to) })) return {};
  const duration = from === "waitlist" && to === "incomplete" ? holdDurations.promotion : holdDurations.acceptance;
  return { holdExpiresAt: holdUntil(now, duration, seats.startsAt) };
};

/** A deep comparison: DynamoDB returns the keys of a map in any order. */
const same = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a, b);

/**
 * The transaction member of the seats. A move that depends on the price requires an unchanged terms version. There are no
 * moves in a deleted event.
 */
function seatsMember(
  { event, seats }: Known,
  before: RegistrationRecord,
  after: RegistrationRecord,
  move: Move | undefined,
): TransactItem<Seats> | undefined {
  const [was, is] = [holderOf(before), holderOf(after)];
  const change = { decided: seats, leaving: [was], joining: [is] };
  if (holdsSeat(after) && !holdsSeat(before)) return changeSeats(event, "decision", change);
  // A rejected person joins the line of an event that no longer takes applications: newcomers must queue behind.
  const queues = seats.mode !== "application" || seats.pool !== undefined;
  if (after.status === "waitlist" && before.status !== "waitlist" && queues) {
    return changeSeats(event, "wait", change);
  }
  const dependsOnPrice = move?.priced !== undefined;
  // Without changed counts the hot item is not written. The consistent read has shown that the event exists.
  if (same(was, is) && !dependsOnPrice) return undefined;
  return changeSeats(event, dependsOnPrice ? "recountUnderTerms" : "recount", change);
}

/** @throws EventFull no seat is free  @throws ChoiceFull a new choice has no room */
function assertRoom(before: RegistrationRecord, after: RegistrationRecord, seats: Seats): void {
  if (holdsSeat(after) && !holdsSeat(before) && isFull(seats)) throw new EventFull();
  if (!holdsSeat(after)) return;
  const kept = holdsSeat(before) ? before.choices : {};
  const joined = Object.entries(after.choices).filter(([question, choice]) => kept[question] !== choice);
  const full = joined.find(([question, choice]) => !roomFor({ [question]: choice }, seats));
  if (full) throw new ChoiceFull(full[1]);
}

/** The result, and whether a promotion must follow because a waiting person may get a seat now. */
interface Done {
  readonly amended: Amended;
  readonly frees: boolean;
}

const unwritten = (amended: Amended) => answer({ amended, frees: false });

/** @throws Refusal */
function decide(request: AmendmentRequest, known: Known, context: RequestContext): Decision<Done> {
  const { amendment, by } = request;
  const { current, seats } = known;
  const from = stateOf(current) as State;
  const to = requestedState(amendment, current, known.terms) ?? from;
  if (from === "cancelled" && to in entryStates) return unwritten({ begins: current });
  if (isEnd(from, to)) return unwritten({ ends: to });
  const move = to === from ? undefined : moveTo(to, from, known, by);
  const fields = changedFields(request, known, context.now);
  const isSame = Object.entries(fields).every(([name, value]) =>
    same(value, current[name as keyof RegistrationRecord]),
  );
  if (!move && isSame) return unwritten({ registration: current, changed: false });
  // While the person had no seat, a question may have become a workshop selection, or stopped being one.
  const choices = holdsSeat(current) ? current.choices : chosenIn(questionsFor(current, known.event), current);
  const moved = move
    ? { ...afterMove(current, move, context, holdFor(move, known, context.now)), choices }
    : { ...current, ...rewritten(context, current) };
  // Moves and "I come" are not counted: the person makes few, and nobody must be kept from confirming a seat.
  const amended = !move &&
    !amendment.coming &&
    by === "self" && { amended: onceMore("changeAnswers", current.amended, context.now) };
  const after = { ...moved, ...fields, ...amended };
  assertRoom(current, after, seats);
  const message = move ? messageOf(move, after) : ({ type: "registration.updated", data: factOf(after) } as const);
  const seatsPart = seatsMember(known, current, after, move);
  const members = membersOf({ before: current, after, message, seats: seatsPart }, context);
  // A waiting person may need the former choice, or this person waits and the new choice may have room.
  return write(members, {
    amended: { registration: after, changed: true },
    frees: !same(current.choices, after.choices),
  });
}

/**
 * Amends a registration in one transaction.
 * @throws NotFound NotAllowed IllegalTransition EventClosed EventFull ChoiceFull ValidationFailed
 * @throws Contended nothing was written
 * @throws UnknownOutcome it is not known whether the change was written
 */
export async function amend(request: AmendmentRequest, context: RequestContext): Promise<Amended> {
  const { email, event, amendment, by } = request;
  if (amendment.points !== undefined && by !== "admin") throw new NotAllowed("Only an admin can change points.");
  const { amended, frees } = await execute(
    {
      read: () => readAdmissionFacts({ eventID: event.id, year: event.year, email }, "strong"),
      decide: (facts) => {
        const known = knownFrom(facts, request.linkedTicket);
        // Different terms versions mean that the event changed between the reads of event and seats.
        return known.event.termsVersion === known.seats.termsVersion ? decide(request, known, context) : readAgain;
      },
    },
    context,
  );
  if (!frees) return amended;
  await followUp("promote", context, () => promote(event, context));
  if (!("registration" in amended) || amended.registration.status !== "waitlist") return amended;
  // The promotion may have given a seat to this person.
  const registration = await readAfterCommit(() => readRegistration({ email, event }, "strong"), context);
  return { ...amended, registration: registration ?? amended.registration };
}
