/**
 * Changes state, answers or points of a registration, in one transaction. Ending a registration (`leave.ts`) and
 * registering again (`register/register.ts`) are separate operations.
 */
import { isDeepStrictEqual } from "node:util";
import { changeSeats } from "#domain/capacity/demands.ts";
import { ChoiceFull, EventFull } from "#domain/capacity/refusals.ts";
import { isFull, poolOf, roomFor, type Seats } from "#domain/capacity/seats.ts";
import { type CodeRecord, usedUp } from "#domain/codes/code.ts";
import { CodeNotValid } from "#domain/codes/refusals.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { priceFor } from "#domain/events/pricing.ts";
import { assertTakesPlace, EventClosed } from "#domain/events/refusals.ts";
import { poolFor } from "#domain/events/seat-settings.ts";
import { onceMore } from "#domain/people/once-more.ts";
import { NotAllowed, NotFound, Refusal, ValidationFailed } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, followUp, readAfterCommit, readAgain, write } from "#kit/table/execute.ts";
import type { TransactItem } from "#kit/table/table.ts";
import { readAdmissionFacts, readLostCode } from "../admission.ts";
import { checkAnswers, chosenIn, questionsFor } from "../form/answers.ts";
import { closedSentence, isClosed, termsOf } from "../form/eligibility.ts";
import { type RequestedStatus, requestedState } from "../form/requested-state.ts";
import { holdDurations } from "../holds/durations.ts";
import { holdUntil } from "../holds/holds.ts";
import type { ChangedFields } from "../leave.ts";
import { promote } from "../promote.ts";
import { type AnswerOrigin, answerRules } from "../record/acts.ts";
import { entryStates, findMove, type Move, refusalOf, type Terms } from "../record/moves.ts";
import type { AskedPlusOne, BasicInformation, DynamicResponses } from "../record/new-registration.ts";
import { broughtBy, peopleIn, priceOfSeats, stillComing } from "../record/plus-ones.ts";
import {
  codeInUse,
  countsAsMember,
  holderOf,
  holdsSeat,
  isUnpaid,
  mayCome,
  type RegistrationRecord,
  takesAnswers,
} from "../record/registration.ts";
import { type RegistrationStatus, type State, stateOf, statusOf } from "../record/statuses.ts";
import { afterMove, messageOf, rewritten } from "../record/transition.ts";
import { assertSeen, IllegalTransition, started } from "../refusals.ts";
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
  /** Those of whom the person brings who still come. */
  readonly plusOnes?: readonly AskedPlusOne[] | undefined;
  /** An admin changes whether the person is a partner. */
  readonly isPartner?: boolean | undefined;
}

export interface AmendmentRequest extends RegistrationKey {
  readonly amendment: Amendment;
  readonly origin: AnswerOrigin;
  /** The status that the person saw. Absent: any. */
  readonly seenStatus?: RegistrationStatus | undefined;
  /** The person asks by a link to the registration with this ticket. */
  readonly linkedTicket?: string;
}

/** The states that only `leave` can bring about, because the seat or place goes to another person. */
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
  /** Of all pools. */
  readonly seats: Seats;
  /** A registration that neither has a seat nor waits belongs to the pool of the present terms. */
  readonly current: RegistrationRecord;
  readonly terms: Terms;
  readonly isMember: boolean;
  /** The code of a rejected registration, of which it would take a use again. */
  readonly code?: CodeRecord | "gone" | undefined;
}

interface Facts extends Awaited<ReturnType<typeof readAdmissionFacts>>, Pick<Known, "code"> {}

async function readFacts({ email, event: { id, year } }: RegistrationKey): Promise<Facts> {
  const facts = await readAdmissionFacts({ eventID: id, year, email }, "strong");
  return { ...facts, code: await readLostCode(facts.registration) };
}

/** @throws NotFound the registration, or its generation of the event, does not exist, or it has another ticket */
function knownFrom({ event, seats, user, registration, code }: Facts, linkedTicket = registration?.ticketId): Known {
  const isMeant = registration?.ticketId === linkedTicket;
  if (!registration || registration.status === "deleted" || !isMeant) throw new NotFound("Registration");
  const isThere = event && seats && seats.state !== "DELETED" && seats.generation === registration.generation;
  if (!isThere) throw new NotFound("Event");
  const isMember = countsAsMember(user, registration);
  const terms = termsOf(event, { isMember, isPartner: registration.isPartner }, registration);
  const isPlaced = holdsSeat(registration) || registration.status === "waitlist";
  const current = isPlaced ? registration : { ...registration, pool: poolFor(event, registration.isPartner) };
  return { event, seats, current, terms, isMember, code };
}

const nothingPaid = {
  ...{ paidBy: undefined, paid: undefined, paidAt: undefined, seatPrices: undefined, refunded: undefined },
} as const;
const underWay = "A payment for all of you is under way. Change who comes along once it has arrived.";

/**
 * Those who still come along, and what was paid for them. Absent rather than empty, as for a person who came alone. A payment
 * of which nothing stays is the registration's no more (`refundOf`).
 * @throws ValidationFailed  @throws IllegalTransition money of all is under way
 */
function plusOnesLeft(current: RegistrationRecord, wanted: readonly AskedPlusOne[]): ChangedFields {
  const { plusOnes = [], seatPrices, owes = 0 } = current;
  const left = stillComing(plusOnes, wanted);
  const lost = plusOnes.length - left.length;
  if (lost > 0 && current.moneyUnderWay) throw new IllegalTransition(underWay);
  const fewer = { plusOnes: left.length > 0 ? left : undefined };
  if (lost === 0 || !seatPrices) return fewer;
  const rest = { ...fewer, owes: Math.max(owes - lost * seatPrices.plusOne, 0) || undefined };
  return priceOfSeats(seatPrices, left.length) > 0 ? rest : { ...rest, ...nothingPaid };
}

/**
 * The fields other than the status that a request changes.
 * @param now epoch milliseconds
 * @throws EventClosed the person changes answers after registration has closed
 * @throws IllegalTransition who has no seat cannot say that they come; who is out answers nothing
 * @throws ValidationFailed an answer is missing or invalid
 */
export function changedFields(
  { amendment, origin }: Pick<AmendmentRequest, "amendment" | "origin">,
  { event, seats, current }: Pick<Known, "event" | "seats" | "current">,
  now: number,
): ChangedFields {
  const { dynamicResponses, basicInformation } = amendment;
  if (amendment.coming && !mayCome(current)) {
    throw new IllegalTransition("Only a person with a confirmed seat can say that they come.");
  }
  const simple = {
    points: amendment.points ?? current.points,
    ...(amendment.coming && { coming: current.coming ?? now }),
    ...(amendment.plusOnes && plusOnesLeft(current, amendment.plusOnes)),
  };
  if (!dynamicResponses && !basicInformation) return simple;
  if (answerRules(origin).answers === "while open") {
    if (!takesAnswers(current)) throw new IllegalTransition("This registration takes no answers any more.");
    if (isClosed(seats, now)) throw new EventClosed(closedSentence);
  }
  const information = basicInformation && {
    basicInformation: { ...current.basicInformation, ...basicInformation },
    ...(basicInformation.fname !== undefined && { fname: basicInformation.fname }),
  };
  if (!dynamicResponses) return { ...information, ...simple };
  const questions = questionsFor(current, event);
  const { responses, choices } = checkAnswers(questions, {
    ...current.dynamicResponses,
    ...dynamicResponses,
  });
  return { ...information, dynamicResponses: responses, choices, ...simple };
}

/**
 * The fields that follow from whether the person is a partner: the pool, the price, and the workshops among the answers.
 * @throws ValidationFailed the request changes the status, too
 */
function relabelled({ amendment }: AmendmentRequest, known: Known): Partial<RegistrationRecord> {
  const { event, current, isMember } = known;
  const { isPartner } = amendment;
  // The same label moves no seat: a partner may have kept one of the attendees when the event gave partners their own.
  if (isPartner === undefined || isPartner === current.isPartner) return {};
  if (isPartner && broughtBy(current) > 0) throw brings();
  const pool = poolFor(event, isPartner, current.pool);
  const price = priceFor(event, { isMember, isPartner, isInvited: current.code?.kind === "access" });
  const questions = questionsFor({ isPartner }, event);
  const isAsked = ([questionId]: readonly [string, unknown]) => questions.some((one) => one.questionId === questionId);
  const choices = Object.fromEntries(Object.entries(current.choices).filter(isAsked));
  return {
    ...{ isPartner, pool, choices: chosenIn(questions, { ...current, choices }) },
    // It was one of the other kind, with its questions.
    offer: undefined,
    entryPrice: price === "members-only" ? undefined : price,
  };
}

/** Whether a request changes other fields than the status. */
export const changesFields = (amendment: Amendment): boolean =>
  (["dynamicResponses", "basicInformation", "points", "coming", "plusOnes"] as const).some(
    (name) => amendment[name] !== undefined,
  );

/** The refusal of a move that others may make, but not the person. */
export const notYourMove = (from: State, to: State): NotAllowed =>
  new NotAllowed(`You cannot change your registration from ${from} to ${to} yourself.`);

/**
 * The requested move.
 * @throws IllegalTransition no actor may make this move, or the person has to pay first
 * @throws NotAllowed another actor may make it, but not this one
 */
function moveTo(to: State, from: State, { terms }: Known, origin: AnswerOrigin): Move {
  const by = answerRules(origin).rights;
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
  { event, seats: all }: Known,
  before: RegistrationRecord,
  after: RegistrationRecord,
  move: Move | undefined,
): TransactItem<Seats> | undefined {
  const [was, is] = [holderOf(before), holderOf(after)];
  const seats = poolOf(all, after.pool);
  const change = { decided: seats, leaving: [was], joining: [is] };
  const isOther = before.pool !== after.pool;
  if (holdsSeat(after) && (isOther || !holdsSeat(before))) return changeSeats(event, "decision", change);
  if (after.status === "waitlist" && isOther) return changeSeats(event, "regroup", change);
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

/** @throws EventClosed the event is called off  @throws EventFull no seat is free  @throws ChoiceFull a new choice has no room */
function assertRoom({ event, seats }: Known, before: RegistrationRecord, after: RegistrationRecord): void {
  const takesPart = (one: RegistrationRecord): boolean => holdsSeat(one) || one.status === "waitlist";
  if (takesPart(after) && !takesPart(before)) assertTakesPlace(event);
  if (!holdsSeat(after)) return;
  const isNew = !holdsSeat(before) || before.pool !== after.pool;
  const own = poolOf(seats, after.pool);
  if (isNew && own.capacity - own.seats < peopleIn([after])) throw new EventFull();
  const kept = holdsSeat(before) ? before.choices : {};
  const joined = Object.entries(after.choices).filter(([question, choice]) => kept[question] !== choice);
  const full = joined.find(([question, choice]) => !roomFor({ [question]: choice }, seats));
  if (full) throw new ChoiceFull(full[1]);
}

/** @throws CodeNotValid a rejected person comes back, and others have used up the code */
function assertUse(after: RegistrationRecord, { code }: Known): void {
  if (code === undefined || code === "gone" || !codeInUse(after) || code.used < code.uses) return;
  throw new CodeNotValid(`${usedUp} Allow it one more use first.`);
}

const brings = () =>
  new ValidationFailed([
    { path: "/isPartner", message: "must be false: the person brings others, which partners do not" },
  ]);

const byItself = () =>
  new ValidationFailed([{ path: "/isPartner", message: "must be changed by itself, without the status" }]);

/** The move of an unpaid seat that costs nothing any more. @param after the registration with the other changes */
function confirmationOf({ event, current, isMember }: Known, after: RegistrationRecord): Move | undefined {
  const present = termsOf(event, { isMember, isPartner: after.isPartner }, after);
  if (!isUnpaid(current) || present.priced) return undefined;
  const from = stateOf(current) as State;
  return findMove(from, from === "incomplete" ? "registered" : "acceptedComplete", present, "system");
}

/**
 * The move that follows from a new label: to the line of the other pool, when the person needs a seat there and none is free,
 * or of a seat that costs nothing any more. Undefined when none does.
 * @throws EventFull the seat is paid, or not to be given up for a place in line
 */
function moveOfLabel(known: Known, labelled: RegistrationRecord) {
  const { current, seats, terms } = known;
  const { pool, isPartner } = labelled;
  if (isPartner === current.isPartner) return undefined;
  const from = stateOf(current) as State;
  const confirmation = confirmationOf(known, labelled);
  const needsSeat = holdsSeat(current) && pool !== current.pool;
  if (!needsSeat || !isFull(poolOf(seats, pool))) return confirmation;
  const move = findMove(from, "waitlist", terms, "admin");
  if (!move || current.paidBy !== undefined) throw new EventFull();
  return move;
}

/** The result, and whether a promotion must follow because a waiting person may get a seat now. */
interface Done {
  readonly amended: Amended;
  readonly frees: boolean;
}

const unwritten = (amended: Amended) => answer({ amended, frees: false });

/** @throws Refusal */
function decideAsSeen(request: AmendmentRequest, known: Known, context: RequestContext): Decision<Done> {
  const { amendment, origin } = request;
  const { until, budget, audit, refund } = answerRules(origin);
  const { current, seats } = known;
  const from = stateOf(current) as State;
  const to = requestedState(amendment, current, known.terms) ?? from;
  const label = relabelled(request, known);
  if (label.isPartner !== undefined && to !== from) throw byItself();
  if (from === "cancelled" && to in entryStates) {
    assertSeen(request.seenStatus, current);
    return unwritten({ begins: current });
  }
  if (isEnd(from, to)) return unwritten({ ends: to });
  const labelled = { ...current, ...label };
  const asked = to === from ? moveOfLabel(known, labelled) : moveTo(to, from, known, origin);
  const fields = { ...label, ...changedFields(request, { ...known, current: labelled }, context.now) };
  const fewer = { ...labelled, ...fields };
  const move = asked ?? (broughtBy(fewer) < broughtBy(current) ? confirmationOf(known, fewer) : undefined);
  const changed = Object.entries(fields)
    .filter(([name, value]) => !same(value, current[name as keyof RegistrationRecord]))
    .map(([name]) => name);
  if (!move && changed.length === 0) return unwritten({ registration: current, changed: false });
  // What was done already, by the first try of a repeated request, is no conflict.
  assertSeen(request.seenStatus, current);
  const isPromise = move !== undefined || changed.includes("coming") || changed.includes("plusOnes");
  if (isPromise && until === "start" && seats.startsAt <= context.now) throw new IllegalTransition(started);
  // While the person had no seat, a question may have become a workshop selection, or stopped being one, and the event may have
  // started or stopped taking applications.
  const adopted = holdsSeat(current)
    ? { choices: current.choices }
    : {
        choices: chosenIn(questionsFor(current, known.event), current),
        applicationBased: known.event.isApplicationBased ?? false,
      };
  const moved = move
    ? { ...afterMove(current, move, context, holdFor(move, known, context.now)), ...adopted }
    : { ...current, ...rewritten(context, current) };
  // Moves and "I come" are not counted: the person makes few, and no limit may keep one from confirming a seat.
  const isCounted = !move && changed.some((name) => name !== "coming");
  const amended = isCounted && budget !== "none" && { amended: onceMore(budget, current.amended, context.now) };
  const after = { ...moved, ...fields, ...amended };
  assertRoom(known, current, after);
  assertUse(after, known);
  const message = messageOf(move ?? { emits: "registration.updated" }, after, origin);
  const seatsPart = seatsMember(known, current, after, move);
  const change = { before: current, after, message, seats: seatsPart, audit, refund, code: known.code };
  const members = membersOf(change, context);
  // A waiting person may need the former choice, or this person waits and the new choice may have room.
  return write(members, {
    amended: { registration: after, changed: true },
    frees:
      !same(current.choices, after.choices) || current.pool !== after.pool || broughtBy(current) !== broughtBy(after),
  });
}

/** @throws StatusChanged rather than what else refuses a request about another state  @throws Refusal */
function decide(request: AmendmentRequest, known: Known, context: RequestContext): Decision<Done> {
  try {
    return decideAsSeen(request, known, context);
  } catch (error) {
    if (error instanceof Refusal) assertSeen(request.seenStatus, known.current);
    throw error;
  }
}

/**
 * Amends a registration in one transaction.
 * @throws NotFound NotAllowed IllegalTransition StatusChanged EventClosed EventFull ChoiceFull CodeNotValid ValidationFailed
 * @throws Contended nothing was written
 * @throws UnknownOutcome it is not known whether the change was written
 */
export async function amend(request: AmendmentRequest, context: RequestContext): Promise<Amended> {
  const { email, event, amendment, origin } = request;
  const mayAll = answerRules(origin).privileges;
  if (amendment.points !== undefined && !mayAll) throw new NotAllowed("Only an admin can change points.");
  const { amended, frees } = await execute(
    {
      read: () => readFacts({ email, event }),
      decide: (facts) => {
        const known = knownFrom(facts, request.linkedTicket);
        // A form that is sent back unchanged has the label, too.
        const isRelabelled = (amendment.isPartner ?? known.current.isPartner) !== known.current.isPartner;
        if (isRelabelled && !mayAll) throw new NotAllowed("Only an admin can change who is a partner.");
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
