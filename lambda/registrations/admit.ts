/**
 * Admission: a seat while there is one and nobody has had to wait, else a place in line (`design.md`, section 6,
 * REGISTER). Everything that a refused transaction tells is used; nothing is decided on what it may have outdated.
 */
import { UnknownOutcome } from "#kit/conflict.ts";
import { ChoiceFull, Contended, Duplicate, EventClosed, NotFound } from "#kit/errors.ts";
import { log } from "#kit/log.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { commit } from "#kit/table.ts";
import type { EventKey } from "../events/event.ts";
import { holdDurations } from "../holds/durations.ts";
import { holdUntil } from "../holds/holds.ts";
import { positionInLine } from "../line/store.ts";
import type { Origin } from "../outbox/store.ts";
import { isFull, roomFor, type Seats } from "../seats/seats.ts";
import { applyForSeat, applyForSeatByAdmin, closeGate, readSeats, takeSeat, takeSeatByAdmin } from "../seats/store.ts";
import { membersOf } from "./change.ts";
import { closedSentence, isClosed } from "./eligibility.ts";
import type { Arrival, Terms } from "./moves.ts";
import { promoteOrLeaveToOthers } from "./promote.ts";
import {
  deletionOf,
  holderOf,
  isLive,
  type RegistrationRecord,
  registrationAnswer,
  tombstoneOf,
} from "./registration.ts";
import { readRegistration } from "./store.ts";
import { arrivalNewsOf, asArrived } from "./transition.ts";

/** Somebody who wants to come. */
export interface SeatRequest {
  /** Everything of the registration but what the admission decides. */
  readonly newcomer: Parameters<typeof asArrived>[0];
  /** The terms, and the event configuration that they were decided under. */
  readonly terms: Terms;
  readonly cfg: number;
  readonly byAdmin: boolean;
}

export interface Admission {
  readonly registration: RegistrationRecord;
  /** From 1, while the person waits. */
  readonly waitlistPosition?: number;
}

/** What is known of the seats and of the person's own registration; both may be outdated. */
export interface Known {
  readonly seats: Seats;
  readonly registration?: RegistrationRecord;
}

/** The event was changed since the terms were decided: they have to be decided again. */
export const outdated = Symbol("outdated");

/** Replaced in tests only, to show that the step is needed. */
export interface Steps {
  readonly promote: typeof promoteOrLeaveToOthers;
}

type Attempt = Admission | { readonly joined: RegistrationRecord } | { readonly learned: Partial<Known> };

const keyOf = ({ newcomer }: SeatRequest): EventKey => ({ id: newcomer.eventID, year: newcomer.year });

/** What a newcomer becomes while there are seats. */
const arrivalFor = ({ application, priced }: Terms): Arrival => {
  if (application) return "applicant";
  return priced ? "incomplete" : "registered";
};

/** Whether it is this very request's own registration, made before its answer got lost. */
const isOwn = (existing: RegistrationRecord, { newcomer }: SeatRequest): boolean =>
  isLive(existing, newcomer.incarnation) && existing.waitKey === newcomer.waitKey;

/** Somebody who has a seat and has not paid for it is told again how to. */
const isHeld = (existing: RegistrationRecord, { newcomer }: SeatRequest): boolean =>
  isLive(existing, newcomer.incarnation) && existing.status === "incomplete";

/** @throws Duplicate another registration stands in the way */
function assertFirst(existing: RegistrationRecord, { newcomer }: SeatRequest): void {
  if (!isLive(existing, newcomer.incarnation)) return;
  throw new Duplicate("There is a registration for this person and event already.", {
    registration: registrationAnswer(existing),
  });
}

/** The seats' part of an arrival. An application takes no seat. */
function seatMember(request: SeatRequest, registration: RegistrationRecord, now: number) {
  const { byAdmin, cfg, terms } = request;
  const event = keyOf(request);
  const decided = { incarnation: registration.incarnation, cfg };
  const holder = holderOf(registration);
  if (terms.application) {
    return byAdmin ? applyForSeatByAdmin(event, decided, holder) : applyForSeat(event, decided, holder, now);
  }
  return byAdmin ? takeSeatByAdmin(event, decided, holder) : takeSeat(event, decided, holder, now);
}

async function seat(
  request: SeatRequest,
  known: RegistrationRecord | undefined,
  { startsAt }: Seats,
  origin: Origin,
): Promise<Attempt> {
  const arrival = arrivalFor(request.terms);
  const hold = arrival === "incomplete" ? holdUntil(origin.now, holdDurations.newRegistration, startsAt) : undefined;
  const registration = asArrived(request.newcomer, arrival, known, hold);
  const seats = seatMember(request, registration, origin.now);
  const news = arrivalNewsOf(arrival, registration);
  const outcome = await commit(membersOf({ before: known, after: registration, news, seats, startsAt }, origin));
  if (outcome.committed) return { registration };
  const { refused } = outcome;
  if (refused.registration) return { learned: { registration: refused.registration as unknown as RegistrationRecord } };
  const learned = refused.seats as unknown as Seats | undefined;
  if (learned) assertChoicesFree(request, learned);
  return { learned: { seats: learned } };
}

/** @throws ChoiceFull while there are seats, but not in the chosen workshop */
function assertChoicesFree({ newcomer, cfg, terms }: SeatRequest, seats: Seats): void {
  if (terms.application || seats.cfg !== cfg || seats.gate === "W" || isFull(seats) || roomFor(newcomer.choices, seats))
    return;
  const full = Object.entries(newcomer.choices).find(([question, choice]) => !roomFor({ [question]: choice }, seats));
  throw new ChoiceFull(full?.[1] ?? "");
}

async function wait(
  request: SeatRequest,
  known: RegistrationRecord | undefined,
  { startsAt }: Seats,
  origin: Origin,
): Promise<Attempt> {
  const registration = asArrived(request.newcomer, "waitlist", known);
  const news = arrivalNewsOf("waitlist", registration);
  const outcome = await commit(membersOf({ before: known, after: registration, news, startsAt }, origin));
  if (outcome.committed) return { joined: registration };
  return { learned: { registration: outcome.refused.registration as unknown as RegistrationRecord | undefined } };
}

/**
 * The line was joined without looking at the seats, so that a rush does not queue at them. Now they are looked at: the
 * event may be gone, or a seat may have become free before anybody saw that somebody waits for it.
 */
async function afterJoining(
  request: SeatRequest,
  registration: RegistrationRecord,
  origin: Origin,
  steps: Steps,
): Promise<Admission> {
  const event = keyOf(request);
  const [seats, waitlistPosition] = await Promise.all([
    readSeats(event, "strong"),
    positionInLine(event, registration.waitKey, registration.incarnation),
  ]);
  const isGone = !seats || seats.state === "DELETED" || seats.incarnation !== registration.incarnation;
  if (isGone || (!request.byAdmin && isClosed(seats, origin.now))) {
    const undone = await undoJoining(registration, origin);
    if (isGone) throw new NotFound("Event");
    if (undone) throw new EventClosed(closedSentence);
    return { registration: (await readRegistration({ email: registration.email, event }, "strong")) ?? registration };
  }
  if (isFull(seats) || seats.mode === "application") return { registration, waitlistPosition };
  const promoted = await steps.promote(event, origin);
  if (!promoted.includes(registration.email)) return { registration, waitlistPosition };
  const seated = await readRegistration({ email: registration.email, event }, "strong");
  return { registration: seated ?? registration };
}

/**
 * Takes the newcomer out of the line again.
 * @returns false when somebody has seated them in between
 */
async function undoJoining(registration: RegistrationRecord, origin: Origin): Promise<boolean> {
  const after = tombstoneOf(registration, { now: origin.now, arrival: registration.waitKey });
  const news = deletionOf(registration, after);
  const { committed } = await untilSettled(() => commit(membersOf({ before: registration, after, news }, origin)));
  return committed;
}

/**
 * Admits a newcomer.
 * @param known what was read before; may be outdated
 * @returns `outdated` when the event has changed since the terms were decided
 * @throws Duplicate ChoiceFull NotFound EventClosed
 * @throws Contended nothing was written
 */
export async function admit(
  request: SeatRequest,
  known: Known,
  origin: Origin,
  steps: Steps = { promote: promoteOrLeaveToOthers },
): Promise<Admission | typeof outdated> {
  const event = keyOf(request);
  let { registration } = known;
  let seats: Seats | undefined = known.seats;
  let isUnsure = false;
  const step = async () => {
    // Before anything is refused: an attempt whose answer got lost may have been carried out.
    if (isUnsure) registration = await readRegistration({ email: request.newcomer.email, event }, "strong");
    isUnsure = false;
    if (registration && isOwn(registration, request)) return settled(request, registration, origin, steps);
    const seen = seats ?? (await readSeats(event, "strong"));
    seats = undefined;
    if (!seen || seen.incarnation !== request.newcomer.incarnation || seen.cfg !== request.cfg) return outdated;
    if (seen.state === "DELETED" || (!request.byAdmin && isClosed(seen, origin.now))) return outdated;
    if (registration && isHeld(registration, request)) return { registration };
    if (registration) assertFirst(registration, request);
    const isApplication = request.terms.application;
    if (!isApplication && seen.gate === "O" && isFull(seen)) {
      await closeGate(event);
      return again;
    }
    const mustWait = isApplication ? isFull(seen) : seen.gate === "W";
    const attempt = await (mustWait ? wait : seat)(request, registration, seen, origin).catch((error) => {
      isUnsure = error instanceof UnknownOutcome;
      throw error;
    });
    if ("registration" in attempt) return attempt;
    if ("joined" in attempt) {
      registration = attempt.joined;
      return afterJoining(request, registration, origin, steps);
    }
    registration = attempt.learned.registration ?? registration;
    seats = attempt.learned.seats;
    return again;
  };
  try {
    return await untilSettled(step);
  } catch (error) {
    if (!(error instanceof Contended && registration && isOwn(registration, request))) throw error;
    log.warn("promotion left to others", { event: event.id, year: event.year });
    return { registration };
  }
}

/** What is left to do for somebody who is in already. */
const settled = async (
  request: SeatRequest,
  registration: RegistrationRecord,
  origin: Origin,
  steps: Steps,
): Promise<Admission> =>
  registration.status === "waitlist" ? afterJoining(request, registration, origin, steps) : { registration };
