/**
 * Admits a newcomer: to a seat if one is free and no person ahead can take it, else to a place in line. Joining the
 * line touches no shared item, so after joining the operation reads the seats once more (`docs/design.md`, "The
 * capacity protocol").
 */

import type { EventKey } from "#domain/events/event.ts";
import type { RequestContext } from "#kit/context.ts";
import { count } from "#kit/count.ts";
import { ChoiceFull, Contended, EventClosed, IllegalTransition, NotAllowed, NotFound } from "#kit/errors.ts";
import {
  afterCommit,
  answer,
  type Decision,
  type Depth,
  execute,
  followUp,
  type Keep,
  lookCloser,
  write,
} from "#kit/execute.ts";
import type { MetricName } from "#kit/metrics.ts";
import { Patience, retried } from "#kit/retry.ts";
import { seam } from "#kit/seam.ts";
import { getItems, type TransactItem } from "#kit/table.ts";
import { amend } from "../amend.ts";
import { membersOf } from "../change.ts";
import { closedSentence, type Entry, entryFor, isClosed, termsOf } from "../eligibility.ts";
import { holdDurations } from "../holds/durations.ts";
import { holdUntil } from "../holds/holds.ts";
import type { PlaceInLine } from "../line/place-in-line.ts";
import { type LineStart, readHead, readLineStart, readPlaceInLine } from "../line/store.ts";
import type { EntryState, Terms } from "../moves.ts";
import type { NewRegistration } from "../new-registration.ts";
import { promote } from "../promote.ts";
import { deletionOf, holderOf, isLive, type RegistrationRecord, tombstoneOf } from "../registration.ts";
import { gates, isFull, mayPromote, nextInLine, type Seats } from "../seats/seats.ts";
import {
  applyForSeat,
  applyForSeatByAdmin,
  closeGate,
  seatsKey,
  type Turn,
  takeSeat,
  takeSeatByAdmin,
} from "../seats/store.ts";
import { readRegistration, registrationKey } from "../store.ts";
import { registrationIn } from "../stored-form.ts";
import { newTicketId } from "../tickets/code.ts";
import { asEntered, entryMessageOf } from "../transition.ts";
import { readAdmissionFacts } from "./admission-facts.ts";
import { AlreadyRegistered } from "./already-registered.ts";
import { turnOf } from "./turn.ts";

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
type Entered =
  /** The person has a seat, an application, or an unpaid seat from before; only the last one has no `entryState`. */
  | {
      readonly kind: "in";
      readonly registration: RegistrationRecord;
      readonly terms: Terms;
      readonly entryState?: EntryState;
    }
  /** The person waits. `cfg` is the terms version of the decision, and `freeSeats` says whether seats were free. */
  | {
      readonly kind: "joined";
      readonly registration: RegistrationRecord;
      readonly cfg: number;
      readonly freeSeats: boolean;
    }
  /** The person has to wait and the gate is direct. The gate must be queued before a person may wait. */
  | { readonly kind: "gateMustClose"; readonly isCrowded: boolean };

/**
 * Milliseconds between two looks of a person in line while the person at the head is giving seats. One promotion takes
 * three calls to the table.
 */
const betweenLooks = { least: 150, most: 300 };

interface Facts extends Awaited<ReturnType<typeof readAdmissionFacts>> {
  readonly isCertain: boolean;
  /** The beginning of the line. It is read only if the newcomer may be next. */
  readonly line?: LineStart | undefined;
}

const eventAskedFor = ({ form }: EntryRequest): EventKey => ({ id: form.eventID, year: form.year });

const mayBeNext = (seats: Seats | undefined): seats is Seats =>
  seats !== undefined && seats.gate === gates.queued && !isFull(seats) && seats.mode !== "application";

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
    waitKey: queueKey,
    incarnation: event.incarnation,
    applicationBased: terms.application,
    ticketId,
    calendarUid: newId(),
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
  const letIn = known && facts.event && isLive(known, facts.event.incarnation) ? known : undefined;
  const entry = entryFor(request.form, { event: facts.event, seats, isMember, byAdmin: request.byAdmin, letIn, now });
  const { event, terms } = entry;
  if (letIn) {
    if (!isCertain) return lookCloser;
    // A person with an unpaid seat gets the registration with its checkout link again.
    if (letIn.status === "incomplete") return answer({ kind: "in", registration: letIn, terms });
    throw new AlreadyRegistered(letIn);
  }
  if (!isCertain && restsOnMore(entry)) return lookCloser;
  const mustWait = !terms.application && (isCrowded || isFull(entry.seats));
  if (mustWait && entry.seats.gate === gates.direct) return answer({ kind: "gateMustClose", isCrowded });
  const newcomer = newcomerOf(request, entry, user?.fname ?? "", ticketId, context);
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
    cfg: event.cfg,
    freeSeats: !isFull(entry.seats),
  });
}

/** An unpaid seat of a person who does not have to pay any more. */
const isHeldForFree = ({ registration, terms }: Entered & { kind: "in" }): boolean =>
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

const entry = (
  request: EntryRequest,
  ticketId: string,
  context: RequestContext,
  firstDepth: Depth,
  keep: Keep<Admission> | undefined,
  isCrowded: boolean,
) => ({
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
  readLineStart(event, seats.incarnation, (places) => nextInLine(places, seats, 1).chosen.length > 0);

/** Reads the seats and the person's registration, strongly consistent, and the head of the line if it is asked for. */
async function lookAround({ email }: RegistrationRecord, event: EventKey, withHead: boolean) {
  const keys = { seats: seatsKey(event), registration: registrationKey({ email, event }) };
  const [items, head] = await Promise.all([
    getItems(Object.values(keys), "strong"),
    withHead ? readHead(event) : undefined,
  ]);
  const find = ({ PK }: { readonly PK: string }) => items.find((item) => item.PK === PK);
  const registration = find(keys.registration);
  return {
    seats: find(keys.seats) as Seats | undefined,
    registration: registration && registrationIn(registration),
    head: head?.waitKey,
  };
}

/** @throws NotFound another request has already deleted the new registration */
function admissionOf(registration: RegistrationRecord | undefined, place: PlaceInLine | undefined): Admission {
  if (!registration || registration.status === "deleted") throw new NotFound("Registration");
  return registration.status === "waitlist" ? { registration, place } : { registration };
}

/**
 * Looks at the seats after the person has joined the line. The event may be gone or closed, its terms may have changed,
 * or a seat may have become free before a promotion could see this person.
 * @param cfg the terms version under which the person joined
 * @returns undefined when the admission has to decide again
 * @throws NotFound the event is deleted
 * @throws EventClosed the event is closed
 */
async function afterJoining(
  request: EntryRequest,
  joined: RegistrationRecord,
  cfg: number,
  freeSeats: boolean,
  context: RequestContext,
  keep: Keep<Admission> | undefined,
): Promise<Admission | undefined> {
  const event = eventAskedFor(request);
  const patience = new Patience(context);
  // The place is read beside the rest, and not again: without it, the answer is only shorter. While seats are free, a
  // person in line mostly gets one of the next, so the place is read only when this person still waits at the end.
  const place = freeSeats ? undefined : readPlaceInLine(event, joined);
  let headBefore: string | undefined;
  for (let hasPromoted = false; ; ) {
    const { seats, registration, head } = await afterCommit(() =>
      retried(() => lookAround(joined, event, freeSeats), context),
    );
    const isOwn = registration?.waitKey === joined.waitKey;
    if (!isOwn || registration.status !== "waitlist") return admissionOf(registration, undefined);
    const isGone = !seats || seats.state === "DELETED";
    // The event is another generation or has other terms.
    const isOther = seats?.incarnation !== joined.incarnation || seats.cfg !== cfg;
    const isOver = isGone || (!isOther && !request.byAdmin && isClosed(seats, context.now));
    if (isOver || isOther) {
      const left = await afterCommit(() => undoJoining(joined, !isOver, context, keep));
      if (left) return admissionOf(left, await place);
      if (isGone) throw new NotFound("Event");
      if (isOver) throw new EventClosed(closedSentence);
      return undefined;
    }
    if (hasPromoted || !mayPromote(seats, context.now)) {
      return place ? admissionOf(registration, await place) : lookedAtLast(joined, event, context);
    }
    // The person at the head promotes. While the head changes, others are at work.
    const isLed = head !== undefined && head !== joined.waitKey && head !== headBefore;
    if (isLed && !patience.isOver) {
      headBefore = head;
      await patience.rest(betweenLooks);
      continue;
    }
    await followUp("promote", context, () => promote(event, context));
    hasPromoted = true;
  }
}

/**
 * The answer to a person who still waits when no seat is left: the registration and the place, read beside each other,
 * because the answer has to be true while its last call is under way.
 */
async function lookedAtLast(joined: RegistrationRecord, event: EventKey, context: RequestContext): Promise<Admission> {
  const [{ registration }, place] = await Promise.all([
    afterCommit(() => retried(() => lookAround(joined, event, false), context)),
    readPlaceInLine(event, joined),
  ]);
  return admissionOf(registration, registration?.waitKey === joined.waitKey ? place : undefined);
}

/**
 * Takes the newcomer out of the line again.
 * @param quietly sends no notice, because the next try admits the person again at once
 * @returns undefined when the join is undone; the registration when another request has changed it in between
 */
const undoJoining = (
  { email, waitKey, eventID, year }: RegistrationRecord,
  quietly: boolean,
  context: RequestContext,
  keep: Keep<Admission> | undefined,
): Promise<RegistrationRecord | undefined> =>
  execute(
    {
      keep: keep && { ...keep, member: keep.takenBack },
      depth: "certain",
      read: () => readRegistration({ email, event: { id: eventID, year } }, "strong"),
      decide: (before): Decision<RegistrationRecord | undefined> => {
        if (before?.status !== "waitlist" || before.waitKey !== waitKey) return answer(before);
        const after = tombstoneOf(before, context);
        return write(membersOf({ before, after, message: deletionOf(before, after, quietly) }, context), undefined);
      },
    },
    context,
  );

/**
 * Confirms an unpaid seat of a person who does not have to pay any more. `amend` decides on a new consistent read,
 * because the facts of the admission are not certain enough to waive a payment.
 */
async function settledIfFree(admission: Admission, request: EntryRequest, context: RequestContext): Promise<Admission> {
  const amendment = { registrationStatus: "registered" };
  try {
    const asked = { email: request.form.email, event: eventAskedFor(request), by: "self", amendment } as const;
    const amended = await amend(asked, context);
    if ("begins" in amended) return { registration: amended.begins };
    return "registration" in amended ? { registration: amended.registration } : admission;
  } catch (error) {
    // The price or the registration has changed since, or the time is over. The seat stays held.
    if (error instanceof NotAllowed || error instanceof IllegalTransition || error instanceof Contended)
      return admission;
    throw error;
  }
}

const metricOfEntry: Readonly<Record<EntryState, MetricName>> = {
  registered: "Registered",
  incomplete: "RegisteredUnpaid",
  waitlist: "Waitlisted",
  applicant: "Applied",
};

/** Other refusals are about the request, not about the event. */
const metricOfRefusal = (error: unknown): MetricName | undefined => {
  if (error instanceof ChoiceFull) return "RefusedFull";
  if (error instanceof EventClosed) return "RefusedClosed";
  return error instanceof AlreadyRegistered ? "RefusedDuplicate" : undefined;
};

/**
 * Admits a newcomer, and counts how the person entered. A person who joined the line and got a seat at once is counted
 * as waiting, and as promoted.
 * @throws NotFound AlreadyRegistered ChoiceFull MembersOnly EventClosed ValidationFailed
 * @throws Contended nothing was written
 * @throws UnknownOutcome it is not known whether the registration was written
 */
export async function admit(
  request: EntryRequest,
  context: RequestContext,
  keep?: Keep<Admission>,
): Promise<Admission> {
  try {
    const { admission, entryState } = await entered(request, context, keep);
    if (entryState) count(metricOfEntry[entryState]);
    return admission;
  } catch (error) {
    const name = metricOfRefusal(error);
    if (name) count(name);
    throw error;
  }
}

/** @returns the admission, and the entry state of a registration that this request has begun */
async function entered(
  request: EntryRequest,
  context: RequestContext,
  keep: Keep<Admission> | undefined,
): Promise<{ readonly admission: Admission; readonly entryState?: EntryState | undefined }> {
  const patience = new Patience(context);
  const ticketId = newTicketId();
  let isCrowded = false;
  for (let depth: Depth = "cheap"; ; depth = "certain") {
    const entered: Entered = await execute(entry(request, ticketId, context, depth, keep, isCrowded), context);
    if (entered.kind === "in") {
      const { registration, entryState } = entered;
      const admission = { registration };
      if (!isHeldForFree(entered)) return { admission, entryState };
      return { admission: await settledIfFree(admission, request, context), entryState };
    }
    if (entered.kind === "joined") {
      const admission = await afterJoining(
        request,
        entered.registration,
        entered.cfg,
        entered.freeSeats,
        context,
        keep,
      );
      if (admission) return { admission, entryState: "waitlist" };
    } else {
      isCrowded = entered.isCrowded;
      await retried(() => closeGate(eventAskedFor(request), entered.isCrowded), context);
    }
    if (patience.isOver) throw new Contended();
  }
}
