/**
 * Registers a newcomer: with a seat or an application if it is this person's turn, else with a place in line
 * (`docs/design.md`, "The capacity protocol").
 */

import { allocate, type Line } from "#domain/capacity/allocate.ts";
import { type ClaimName, changeSeats, queueCrowd } from "#domain/capacity/demands.ts";
import { readLineFor } from "#domain/capacity/line.ts";
import { ChoiceFull } from "#domain/capacity/refusals.ts";
import { type EventKey, isFull, poolOf, type Seats } from "#domain/capacity/seats.ts";
import { codeIdOf, useOf } from "#domain/codes/code.ts";
import { CodeNotValid } from "#domain/codes/refusals.ts";
import { poolFor } from "#domain/events/seat-settings.ts";
import { readEventOrMemory } from "#domain/events/store.ts";
import { spendOnCode } from "#domain/people/budget.ts";
import { onceMore } from "#domain/people/once-more.ts";
import { isMemberAt } from "#domain/people/users/user.ts";
import { Contended } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { seam } from "#kit/seam.ts";
import { answer, type Decision, execute, type Keep, readAgain, write } from "#kit/table/execute.ts";
import { Backoff, retried } from "#kit/table/retry.ts";
import type { TransactItem } from "#kit/table/table.ts";
import { type Admission, type EntryRequest, eventAskedFor, readAdmissionFacts, readAskedCode } from "../admission.ts";
import { type AskedCode, type Entry, entryFor } from "../form/eligibility.ts";
import { holdDurations } from "../holds/durations.ts";
import { holdUntil } from "../holds/holds.ts";
import { isLinked, linkNotValid } from "../links/link.ts";
import { newTicketId } from "../links/ticket-code.ts";
import { ticketKey } from "../links/ticket-key.ts";
import { claimsOf, joinRules } from "../record/acts.ts";
import { type EntryState, findMove, type Terms } from "../record/moves.ts";
import type { NewRegistration } from "../record/new-registration.ts";
import type { PlusOne } from "../record/plus-ones.ts";
import {
  countsAsMember,
  hasEnded,
  holderOf,
  isLive,
  placeOf,
  type RegistrationRecord,
} from "../record/registration.ts";
import { asEntered, entryMessageOf } from "../record/transition.ts";
import { AlreadyRegistered, assertSeen } from "../refusals.ts";
import { removalOf, removeRegistration } from "../remove-registration.ts";
import { membersOf, moved } from "../store/change.ts";
import { waitsBehindOthers } from "../store/no-shows.ts";
import { afterJoining, type Joined } from "./after-joining.ts";

/** The person's registration for an event that was deleted, which has to end as its deletion says. */
interface Left {
  readonly ofDeleted: RegistrationRecord;
}

/** The result of one decision. */
interface Entered {
  readonly registration: RegistrationRecord;
  /** The person waits, on these grounds. */
  readonly joined?: Joined;
}

interface Facts extends Omit<Awaited<ReturnType<typeof readAdmissionFacts>>, "seats"> {
  /** As people of the newcomer's pool find them. */
  readonly seats: Seats | undefined;
  /** The beginning of the line, read only if the newcomer may be next. */
  readonly line?: Line | undefined;
  readonly code?: AskedCode | undefined;
  /** Many people request seats concurrently. */
  readonly isCrowded: boolean;
  /** If the newcomer has to wait: it is behind others. */
  readonly behindOthers: boolean;
}

const isPartner = (form: NewRegistration): boolean => form.isPartner ?? false;

/** Whether the newcomer waits behind others. Read only where the person may have to wait, and once for all tries. */
type Standing = (facts: Pick<Facts, "event" | "seats">) => Promise<boolean>;

function standingOf({ form, origin }: EntryRequest, { now }: RequestContext): Standing {
  let known: boolean | undefined;
  return async ({ event, seats }) => {
    const mayWait = seats !== undefined && (seats.gate === "queued" || isFull(seats));
    if (!event?.noShowsWait || !mayWait || joinRules(origin).noShows === "ignored") return false;
    known ??= await waitsBehindOthers(event, form.email, now);
    return known;
  };
}

async function readFacts(
  request: EntryRequest,
  standing: Standing,
  conflicts: number,
  context: RequestContext,
): Promise<Facts> {
  const event = eventAskedFor(request);
  const isCrowded = seam.isCrowded(conflicts, joinRules(request.origin).times === "ignored");
  const facts = await readAdmissionFacts(request.form, "strong");
  const seats = facts.event && facts.seats && poolOf(facts.seats, poolFor(facts.event, isPartner(request.form)));
  // In a crowd, the gate is queued before a person waits, so that later requests cannot overtake.
  if (isCrowded && seats?.gate === "direct") {
    await retried(() => queueCrowd(event, seats.pool), context);
    return readFacts(request, standing, conflicts, context);
  }
  const [line, code, behindOthers] = await Promise.all([
    seats && readLineFor(event, seats, { kind: "newcomer" }, context.now),
    readAskedCode(request, facts.event),
    standing({ event: facts.event, seats }),
  ]);
  return { ...facts, seats, line, code, isCrowded, behindOthers };
}

/** The entry state of a newcomer while seats are free. */
const entryStateFor = ({ application, priced }: Terms): EntryState => {
  if (application) return "applicant";
  return priced ? "incomplete" : "registered";
};

/** The tickets of a registration, the same in all tries. */
interface Tickets {
  readonly ticketId: string;
  readonly plusOnes?: readonly PlusOne[] | undefined;
}

const newTickets = ({ plusOnes = [] }: NewRegistration): Tickets => ({
  ticketId: newTicketId(),
  ...(plusOnes.length > 0 && { plusOnes: plusOnes.map(({ fname }) => ({ ticketId: newTicketId(), fname })) }),
});

/** The registration without the fields that the decision sets. */
function newcomerOf(
  request: EntryRequest,
  { event, seats, answers, terms, entryPrice, agreedPrice, code }: Entry,
  userName: string,
  tickets: Tickets,
  { again, amended, behindOthers }: Pick<RegistrationRecord, "again" | "amended" | "behindOthers">,
  { now, queueKey, newId }: RequestContext,
): Parameters<typeof asEntered>[0] {
  const { form, origin, points = 0 } = request;
  const { basicInformation = {} } = form;
  const { pool } = seats;
  return {
    email: form.email,
    eventID: event.id,
    year: event.year,
    fname: form.fname ?? basicInformation.fname ?? userName,
    studentId: form.studentId,
    basicInformation,
    dynamicResponses: answers.responses,
    choices: answers.choices,
    isPartner: isPartner(form),
    ...(pool && { pool }),
    ...(behindOthers && { behindOthers }),
    joined: origin,
    points,
    ...(entryPrice !== undefined && { entryPrice }),
    ...(agreedPrice !== undefined && { agreedPrice }),
    ...(event.refundAtCheckIn && { deposit: "agreed" as const }),
    ...(code && { code: useOf(code) }),
    queueKey,
    generation: event.generation,
    applicationBased: terms.application,
    ...tickets,
    calendarUid: newId(),
    ...(again && { again }),
    ...(amended && { amended }),
    createdAt: now,
    updatedAt: now,
  };
}

const claimNameOf = ({ origin }: EntryRequest, { application }: Terms): ClaimName =>
  claimsOf(origin)[application ? "application" : "seat"];

/**
 * Queues a direct gate for a person who has to wait, so that later requests cannot overtake, and promotions look at the
 * partners' line.
 */
const queueing = (event: EventKey, seats: Seats, { application }: Terms) =>
  (application && !seats.pool) || seats.gate === "queued" ? undefined : changeSeats(event, "wait", { decided: seats });

const heldWithout = "A seat is held for you already, without this code. Cancel it, and register again with the code.";

/**
 * The person has an active registration. An unpaid seat is returned with its checkout link, and confirmed if the person
 * no longer has to pay.
 * @throws AlreadyRegistered CodeNotValid
 */
function decideAgain(
  existing: RegistrationRecord,
  { event, seats, terms }: Entry,
  { form: { code }, origin }: EntryRequest,
  context: RequestContext,
): Decision<Entered> {
  if (existing.status !== "incomplete") throw new AlreadyRegistered(existing);
  if (code !== undefined && existing.code?.id !== codeIdOf(event.generation, code)) throw new CodeNotValid(heldWithout);
  const move = findMove("incomplete", "registered", terms, "self");
  if (!move) return answer({ registration: existing });
  const { audit } = joinRules(origin);
  const { after, members } = moved(existing, move, "recountUnderTerms", seats, context, { origin, audit });
  return write(members, { registration: after });
}

/**
 * The bearer of a link means the registration of the link. This request itself may have replaced it already.
 * @throws Unauthenticated  @throws StatusChanged
 */
function assertLinked({ linked }: EntryRequest, { registration: known, event }: Facts, { queueKey }: RequestContext) {
  if (!linked || known?.queueKey === queueKey) return;
  if (!known || !isLinked(linked, known, event)) throw linkNotValid();
  assertSeen(linked.seenStatus, known);
}

/**
 * Decides one try: a seat or an application, or a place in line. In a crowd, newcomers join the line even while seats are
 * free.
 * @throws Refusal
 */
function decide(
  request: EntryRequest,
  facts: Facts,
  tickets: Tickets,
  context: RequestContext,
): Decision<Entered | Left> {
  const { now } = context;
  const { user, registration: known, isCrowded } = facts;
  const { form, origin, guests } = request;
  const { budget, audit } = joinRules(origin);
  const existing = known && facts.event && isLive(known, facts.event.generation) ? known : undefined;
  const isMember = existing ? countsAsMember(user, existing) : isMemberAt(user, now);
  assertLinked(request, facts, context);
  const hasAccount = request.linked?.hasAccount ?? user !== undefined;
  const entry = entryFor(form, { ...facts, isMember, hasAccount, origin, guests, existing, now });
  const { event, seats, terms, code } = entry;
  // The event changed between the reads of event and seats.
  if (event.termsVersion !== seats.termsVersion) return readAgain;
  if (existing) return decideAgain(existing, entry, request, context);
  if (known && !hasEnded(known)) return answer({ ofDeleted: known });

  // A join that this request itself has undone does not count.
  const isRepeated = known !== undefined && known.queueKey !== context.queueKey && budget !== "none";
  const again = isRepeated ? onceMore(budget, known.again, now) : known?.again;
  const of = { again, amended: known?.amended, behindOthers: facts.behindOthers || undefined };
  const newcomer = newcomerOf(request, entry, user?.fname ?? "", tickets, of, context);
  const entryState = entryStateFor(terms);
  const hold = entryState === "incomplete" ? holdUntil(now, holdDurations.newRegistration, seats.startsAt) : undefined;
  const seated = asEntered(newcomer, entryState, known, hold);
  // An application takes no seat, so full choices do not matter.
  const person = placeOf(terms.application ? { ...seated, choices: {} } : seated);
  const allocation = allocate(seats, facts.line, { kind: "newcomer", person }, now);
  if (allocation.kind === "choiceFull") throw new ChoiceFull(allocation.choice);
  const isTurn = allocation.kind === "seated";
  // The allotment has no line in which a crowd could wait.
  if (isTurn && (terms.application || !isCrowded || seats.pool === "allotment")) {
    const change = { decided: seats, joining: [holderOf(seated)], turn: allocation.turn, now };
    const seat = changeSeats(event, claimNameOf(request, terms), change);
    const message = entryMessageOf(entryState, seated);
    const members = membersOf({ before: known, after: seated, message, seats: seat, audit, code }, context);
    return write(members, { registration: seated });
  }
  const waiting = asEntered(newcomer, "waitlist", known);
  const message = entryMessageOf("waitlist", waiting);
  const gate: TransactItem<Seats> | undefined = queueing(event, seats, terms);
  const change = { before: known, after: waiting, message, seats: gate, isAsking: isTurn, audit, code };
  const members = membersOf(change, context);
  const joined: Joined = { before: known, termsVersion: event.termsVersion, freeSeats: !isFull(seats) };
  return write(members, { registration: waiting, joined });
}

/**
 * Registers a newcomer.
 * @throws NotFound NotAllowed AlreadyRegistered StatusChanged ChoiceFull MembersOnly EventClosed NotOpenYet TooOften
 * @throws CodeNotValid CodeRequired ValidationFailed
 * @throws Contended nothing was written
 * @throws UnknownOutcome it is not known whether the registration was written
 */
export async function register(
  request: EntryRequest,
  context: RequestContext,
  keep?: Keep<Admission>,
): Promise<Admission> {
  const { form, origin } = request;
  // Before the code is read, so that no answer about it is free.
  if (form.code !== undefined && joinRules(origin).codes === "obeyed") {
    await spendOnCode({ email: form.email }, await ticketKey(), context);
  }
  const backoff = new Backoff(context);
  const tickets = newTickets(form);
  const standing = standingOf(request, context);
  // A waiting person may still get a seat or leave the line again, so that result is not final.
  const keepEntered = keep && {
    ...keep,
    // What is left of a deleted event is an answer without a transaction.
    member: (entered: Entered | Left) =>
      "ofDeleted" in entered ? {} : keep.member({ registration: entered.registration }, entered.joined === undefined),
  };
  for (;;) {
    const entered = await execute(
      {
        keep: keepEntered,
        read: (_learned, conflicts) => readFacts(request, standing, conflicts, context),
        decide: (facts: Facts) => decide(request, facts, tickets, context),
      },
      context,
    );
    if ("ofDeleted" in entered) {
      const { generation, eventID: id, year } = entered.ofDeleted;
      const memory = await retried(() => readEventOrMemory({ id, year, generation }), context);
      await removeRegistration(entered.ofDeleted, removalOf(memory, context.now), context);
      continue;
    }
    const { registration, joined } = entered;
    const admission = joined ? await afterJoining(request, registration, joined, context, keep) : { registration };
    if (admission) return admission;
    // The terms have changed since the person joined the line.
    if (backoff.isOver) throw new Contended();
  }
}
