/** One try of a newcomer to enter: a pure decision on the facts, and the operation that carries it out. */

import type { EventKey } from "#domain/events/event.ts";
import type { RequestContext } from "#kit/context.ts";
import { ChoiceFull } from "#kit/errors.ts";
import { answer, type Decision, type Depth, type Keep, lookCloser, type Operation, write } from "#kit/execute.ts";
import { seam } from "#kit/seam.ts";
import type { TransactItem } from "#kit/table.ts";
import { membersOf } from "../change.ts";
import { type Entry, entryFor, termsOf } from "../eligibility.ts";
import { holdDurations } from "../holds/durations.ts";
import { holdUntil } from "../holds/holds.ts";
import type { PlaceInLine } from "#domain/capacity/place-in-line.ts";
import { type LineStart, readLineStart } from "#domain/capacity/line.ts";
import type { EntryState, Terms } from "../moves.ts";
import type { NewRegistration } from "../new-registration.ts";
import { type Again, onceMore } from "../register-again.ts";
import { holderOf, isLive, type RegistrationRecord } from "../registration.ts";
import { isFull, nextInLine, type Seats } from "#domain/capacity/seats.ts";
import { applyForSeat, applyForSeatByAdmin, type Turn, takeSeat, takeSeatByAdmin } from "#domain/capacity/demands.ts";
import { asEntered, entryMessageOf } from "../transition.ts";
import { readAdmissionFacts } from "./admission-facts.ts";
import { AlreadyRegistered } from "./already-registered.ts";
import { turnOf } from "#domain/capacity/allocate.ts";

export interface EntryRequest {
  readonly form: NewRegistration;
  /** The caller is an admin, who may register another person. */
  readonly byAdmin: boolean;
  /** Points that an admin gives at the same time. */
  readonly points?: number | undefined;
}

export interface Admission {
  readonly registration: RegistrationRecord;
  /** The place in line, while the person waits and it can be told. */
  readonly place?: PlaceInLine | undefined;
}

/** The result of one try to enter. */
export type Entered =
  /** The person has a seat, an application, or an unpaid seat from before; only the last one has no `entryState`. */
  | {
      readonly kind: "in";
      readonly registration: RegistrationRecord;
      readonly terms: Terms;
      readonly entryState?: EntryState;
    }
  /**
   * The person waits. `termsVersion` is the terms version of the decision, and `freeSeats` says whether seats were free. `before` is
   * the ended registration that the new one has replaced.
   */
  | {
      readonly kind: "joined";
      readonly registration: RegistrationRecord;
      readonly before?: RegistrationRecord | undefined;
      readonly termsVersion: number;
      readonly freeSeats: boolean;
    }
  /** The person has to wait and the gate is direct. The gate must be queued before a person may wait. */
  | { readonly kind: "gateMustClose"; readonly isCrowded: boolean };

interface Facts extends Awaited<ReturnType<typeof readAdmissionFacts>> {
  readonly isCertain: boolean;
  /** The beginning of the line. It is read only if the newcomer may be next. */
  readonly line?: LineStart | undefined;
}

export const eventAskedFor = ({ form }: EntryRequest): EventKey => ({ id: form.eventID, year: form.year });

const mayBeNext = (seats: Seats | undefined): seats is Seats =>
  seats !== undefined && seats.gate === "queued" && !isFull(seats) && seats.mode !== "application";

/** The entry state of a newcomer while seats are free. */
const entryStateFor = ({ application, priced }: Terms): EntryState => {
  if (application) return "applicant";
  return priced ? "incomplete" : "registered";
};

/** The registration without the fields that the admission decides. */
function newcomerOf(
  { form, points = 0 }: EntryRequest,
  { event, answers, terms, entryPrice }: Entry,
  userName: string,
  ticketId: string,
  again: Again | undefined,
  { now, requestKey, queueKey, newId }: RequestContext,
): Parameters<typeof asEntered>[0] {
  const { basicInformation = {} } = form;
  return {
    email: form.email,
    eventID: event.id,
    year: event.year,
    fname: form.fname ?? basicInformation.fname ?? userName,
    studentId: form.studentId,
    basicInformation,
    dynamicResponses: answers.responses,
    choices: answers.choices,
    isPartner: form.isPartner ?? false,
    points,
    ...(entryPrice !== undefined && { entryPrice }),
    queueKey: queueKey,
    generation: event.generation,
    applicationBased: terms.application,
    ticketId,
    calendarUid: newId(),
    ...(again && { again }),
    changedBy: requestKey,
    createdAt: now,
    updatedAt: now,
  };
}

/** The transaction member of the seats for a newcomer who is let in. An application takes no seat. */
function seatMember(
  { byAdmin }: EntryRequest,
  { event, terms }: Entry,
  registration: RegistrationRecord,
  turn: Turn,
  now: number,
): TransactItem<Seats> {
  const holder = holderOf(registration);
  if (terms.application) {
    return byAdmin ? applyForSeatByAdmin(event, event, holder) : applyForSeat(event, event, holder, now);
  }
  return byAdmin ? takeSeatByAdmin(event, event, holder, turn) : takeSeat(event, event, holder, turn, now);
}

/**
 * How the newcomer gets a seat. Undefined when the newcomer has to wait.
 * @throws ChoiceFull seats are free, but not in the chosen workshop
 */
function seatingTurn(newcomer: RegistrationRecord, seats: Seats, line: LineStart | undefined): Turn | undefined {
  if (isFull(seats)) return undefined;
  const turn = turnOf(newcomer, seats, line);
  if (turn.kind === "choiceFull") throw new ChoiceFull(turn.choice);
  return turn.kind === "wait" ? undefined : turn;
}

/**
 * Whether the decision depends on facts that its transaction does not demand. Such facts are the membership, if it
 * decides whether the person pays, and full seats of an event with applications, where no person moves up from the
 * line.
 */
function restsOnMore({ event, seats, terms }: Entry): boolean {
  const [member, other] = [true, false].map((isMember) => termsOf(event, isMember, undefined));
  return member?.priced !== other?.priced || (terms.application && isFull(seats));
}

/**
 * Decides one try to enter: a seat or an application, a place in line, or first a queued gate.
 * @throws Refusal
 */
function decideEntry(
  request: EntryRequest,
  facts: Facts,
  ticketId: string,
  context: RequestContext,
  isCrowded: boolean,
): Decision<Entered> {
  const { now } = context;
  const { seats, user, registration: known, isCertain, line } = facts;
  const isMember = user?.isMember ?? false;
  const letIn = known && facts.event && isLive(known, facts.event.generation) ? known : undefined;
  const entry = entryFor(request.form, { event: facts.event, seats, isMember, byAdmin: request.byAdmin, letIn, now });
  const { event, terms } = entry;
  if (letIn) {
    if (!isCertain) return lookCloser;
    // A person with an unpaid seat gets the registration with its checkout link again.
    if (letIn.status === "incomplete") return answer({ kind: "in", registration: letIn, terms });
    throw new AlreadyRegistered(letIn);
  }
  const isAgain = known !== undefined && !request.byAdmin;
  const again = isAgain ? onceMore(known.again, now) : known?.again;
  // The transaction demands the terms version of the event. The turn rests on the limits that were read with the seats.
  if (event.termsVersion !== entry.seats.termsVersion || (!isCertain && restsOnMore(entry))) return lookCloser;
  const mustWait = !terms.application && (isCrowded || isFull(entry.seats));
  if (mustWait && entry.seats.gate === "direct") return answer({ kind: "gateMustClose", isCrowded });
  const newcomer = newcomerOf(request, entry, user?.fname ?? "", ticketId, again, context);
  const { startsAt } = entry.seats;

  const entryState = entryStateFor(terms);
  const hold = entryState === "incomplete" ? holdUntil(now, holdDurations.newRegistration, startsAt) : undefined;
  const seated = asEntered(newcomer, entryState, known, hold);
  // An application takes no seat, so full choices do not matter.
  const turn = seatingTurn(terms.application ? { ...seated, choices: {} } : seated, entry.seats, line);
  if (turn && !mustWait) {
    const change = { before: known, after: seated, message: entryMessageOf(entryState, seated) };
    const members = membersOf({ ...change, seats: seatMember(request, entry, seated, turn, now) }, context);
    return write(members, { kind: "in", registration: seated, terms, entryState });
  }
  const waiting = asEntered(newcomer, "waitlist", known);
  const isAsking = turn !== undefined;
  const change = { before: known, after: waiting, message: entryMessageOf("waitlist", waiting), isAsking };
  return write(membersOf(change, context), {
    kind: "joined",
    registration: waiting,
    before: known,
    termsVersion: event.termsVersion,
    freeSeats: !isFull(entry.seats),
  });
}

/** An unpaid seat of a person who does not have to pay any more. */
export const isHeldForFree = ({ registration, terms }: Entered & { kind: "in" }): boolean =>
  registration.status === "incomplete" && !terms.priced;

/** Keeps the answer to a try to enter. A person who waits may still get a seat or be taken out of the line again. */
const keptEntry = (keep: Keep<Admission>) => ({
  ...keep,
  member: (entered: Entered) => {
    if (entered.kind === "gateMustClose") throw new Error("A gate that must close is not written here.");
    const isFinal = entered.kind === "in" && !isHeldForFree(entered);
    return keep.member({ registration: entered.registration }, isFinal);
  },
});

/**
 * One try to enter, for `execute`.
 * @param firstDepth `certain` when an earlier try of the request has found its facts outdated
 * @param isCrowded many people want seats at once, so the newcomer joins the line although seats are free
 */
export const entryOperation = (
  request: EntryRequest,
  ticketId: string,
  context: RequestContext,
  firstDepth: Depth,
  keep: Keep<Admission> | undefined,
  isCrowded: boolean,
): Operation<Facts, Entered> => ({
  depth: firstDepth,
  keep: keep && keptEntry(keep),
  async read(depth: Depth): Promise<Facts> {
    const isCertain = depth === "certain";
    const facts = await readAdmissionFacts(request.form, isCertain ? "strong" : "eventual");
    const { seats } = facts;
    const line = mayBeNext(seats) ? await readAhead(eventAskedFor(request), seats) : undefined;
    return { ...facts, isCertain, line };
  },
  decide: (facts: Facts, conflicts: number) =>
    decideEntry(request, facts, ticketId, context, isCrowded || seam.isCrowded(conflicts, request.byAdmin)),
});

/** The beginning of the line, until a person is found who can take a seat. */
const readAhead = (event: EventKey, seats: Seats) =>
  readLineStart(event, seats.generation, (places) => nextInLine(places, seats, 1).chosen.length > 0);
