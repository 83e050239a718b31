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
import { joinLine, leaveLine, positionInLine } from "../line/store.ts";
import { type Origin, outboxRow } from "../outbox/store.ts";
import { isFull, roomFor, type Seats } from "../seats/seats.ts";
import { closeGate, readSeats, takeSeat, takeSeatByAdmin } from "../seats/store.ts";
import { closedSentence, isClosed } from "./eligibility.ts";
import { promoteOrLeaveToOthers } from "./promote.ts";
import {
  deletionOf,
  factOf,
  holderOf,
  isLive,
  placeOf,
  type RegistrationRecord,
  registrationAnswer,
} from "./registration.ts";
import { buryRegistration, putRegistration, readRegistration } from "./store.ts";

/** Somebody who wants to come: everything of the registration but its status and version. */
export interface SeatRequest {
  readonly newcomer: Omit<RegistrationRecord, "status" | "version">;
  /** The event configuration that the terms were decided under. */
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

const as = (
  { newcomer }: SeatRequest,
  status: "registered" | "waitlist",
  known: RegistrationRecord | undefined,
): RegistrationRecord => ({ ...newcomer, status, version: (known?.version ?? 0) + 1 });

/** Whether it is this very request's own registration, made before its answer got lost. */
const isOwn = (existing: RegistrationRecord, { newcomer }: SeatRequest): boolean =>
  isLive(existing, newcomer.incarnation) && existing.waitKey === newcomer.waitKey;

/** @throws Duplicate another registration stands in the way */
function assertFirst(existing: RegistrationRecord, { newcomer }: SeatRequest): void {
  if (!isLive(existing, newcomer.incarnation)) return;
  throw new Duplicate("There is a registration for this person and event already.", {
    registration: registrationAnswer(existing),
  });
}

async function seat(request: SeatRequest, known: RegistrationRecord | undefined, origin: Origin): Promise<Attempt> {
  const event = keyOf(request);
  const registration = as(request, "registered", known);
  const decided = { incarnation: request.newcomer.incarnation, cfg: request.cfg };
  const holder = holderOf(registration);
  const outcome = await commit({
    seats: request.byAdmin ? takeSeatByAdmin(event, decided, holder) : takeSeat(event, decided, holder, origin.now),
    registration: putRegistration(registration, known),
    news: outboxRow({ type: "registration.registered", data: factOf(registration) }, origin),
  });
  if (outcome.committed) return { registration };
  const { refused } = outcome;
  if (refused.registration) return { learned: { registration: refused.registration as unknown as RegistrationRecord } };
  const seats = refused.seats as unknown as Seats | undefined;
  if (seats) assertChoicesFree(request, seats);
  return { learned: { seats } };
}

/** @throws ChoiceFull while there are seats, but not in the chosen workshop */
function assertChoicesFree({ newcomer, cfg }: SeatRequest, seats: Seats): void {
  if (seats.cfg !== cfg || seats.gate === "W" || isFull(seats) || roomFor(newcomer.choices, seats)) return;
  const full = Object.entries(newcomer.choices).find(([question, choice]) => !roomFor({ [question]: choice }, seats));
  throw new ChoiceFull(full?.[1] ?? "");
}

async function wait(request: SeatRequest, known: RegistrationRecord | undefined, origin: Origin): Promise<Attempt> {
  const event = keyOf(request);
  const registration = as(request, "waitlist", known);
  const outcome = await commit({
    registration: putRegistration(registration, known),
    place: joinLine(event, placeOf(registration)),
    news: outboxRow({ type: "registration.waitlisted", data: factOf(registration) }, origin),
  });
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
  if (isFull(seats)) return { registration, waitlistPosition };
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
  const event = { id: registration.eventID, year: registration.year };
  const { committed } = await untilSettled(() =>
    commit({
      registration: buryRegistration(registration, { now: origin.now, arrival: registration.waitKey }),
      place: leaveLine(event, registration),
      news: outboxRow(deletionOf(registration), origin),
    }),
  );
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
    if (registration) assertFirst(registration, request);
    if (seen.gate === "O" && isFull(seen)) {
      await closeGate(event);
      return again;
    }
    const attempt = await (seen.gate === "O" ? seat : wait)(request, registration, origin).catch((error) => {
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
