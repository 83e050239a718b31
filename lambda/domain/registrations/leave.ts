/**
 * Leaving an event, by whichever move: seat or place, registration and message in one transaction, and in the same one
 * the first in line who can take over the seat. What else the request changes goes along.
 */

import type { EventRecord } from "#domain/events/event.ts";
import { readEvent } from "#domain/events/store.ts";
import type { RequestContext } from "#kit/context.ts";
import { IllegalTransition, NotFound } from "#kit/errors.ts";
import { answer, type Decision, type Depth, execute, followUp, lookCloser, write } from "#kit/execute.ts";
import type { TransactItem } from "#kit/table.ts";
import type { OutboxMessage } from "#outbox/catalogue.ts";
import { membersOf } from "./change.ts";
import { readHead } from "./line/store.ts";
import { type Actor, findMove, type Move, mayDelete, stateOf } from "./moves.ts";
import { asSeated, forFree, promote, seatingMembers, seatingsFor, selectFromLine } from "./promote.ts";
import { countersOf, deletionOf, holderOf, holdsSeat, type RegistrationRecord, tombstoneOf } from "./registration.ts";
import { type FullChoice, mayInherit, type Place, type Seats, withoutHolder } from "./seats/seats.ts";
import { readSeats, recount, releaseOwnSeat, releaseSeat, swapSeat } from "./seats/store.ts";
import { type RegistrationKey, readRegistration, type Seating } from "./store.ts";
import { afterMove, messageOf } from "./transition.ts";

/** The fields of a registration that a request may change along with another move. */
export type ChangedFields = Partial<
  Pick<RegistrationRecord, "basicInformation" | "fname" | "dynamicResponses" | "choices" | "points">
>;

/** Which registration ends, and how. */
export interface Departure extends RegistrationKey {
  readonly to: "cancelled" | "rejected" | "deleted";
  readonly by: Actor;
  /** Why it is cancelled. `asked` when absent. A hold that is over ends only what is still unpaid by then. */
  readonly because?: NonNullable<RegistrationRecord["endedBecause"]>;
  /** Which unpaid registrations' holds are over; those that have ended by now when absent. */
  readonly isHoldOver?: (registration: RegistrationRecord) => boolean;
  /** Tell nobody. */
  readonly quietly?: boolean;
  /** Only the one that has this place in line, not a later one of the same person. */
  readonly ofPlace?: string;
  /** Only one that belongs to this creation of the event. */
  readonly ofIncarnation?: string;
  /** Delete it whatever state it is in: the event is gone. */
  readonly whateverState?: boolean;
  /** What else changes in the same transaction. @throws Refusal */
  readonly changes?: (registration: RegistrationRecord, event: EventRecord | undefined, seats: Seats) => ChangedFields;
}

/** What the registration ends as, and the message of it. */
interface Ending {
  readonly after: RegistrationRecord;
  readonly message: OutboxMessage;
}

/** Who takes over the seat, how, and whom they were preferred to. */
interface Succession {
  readonly heir: Place;
  readonly seating: Seating;
  readonly passedOver: readonly FullChoice[];
  /** The counters that the choice rests on. */
  readonly counted: Seats["taken"];
  /** The event configuration that the heir was chosen under, unless they are next under any. */
  readonly cfg?: number;
}

/** What leaving is decided on. */
type Facts =
  /** One round trip that does not look at the seats: their transaction demands all that must hold. */
  | { readonly kind: "quick"; readonly leaver: RegistrationRecord | undefined; readonly head: Place | undefined }
  | {
      readonly kind: "certain";
      readonly leaver: RegistrationRecord | undefined;
      readonly seats: Seats | undefined;
      readonly succession?: Succession | undefined;
      /** Where the departure changes answers too. */
      readonly event?: EventRecord | undefined;
    };

/** How leaving went. */
export interface Departed {
  /** As it is now. */
  readonly registration?: RegistrationRecord | undefined;
  /** False: it had ended before. */
  readonly changed: boolean;
}

/** A departure, and whether a seat or a choice is free because of it. */
interface Done extends Departed {
  readonly frees: boolean;
}

const hasEndedBy =
  (now: number) =>
  ({ holdExpiresAt }: RegistrationRecord): boolean =>
    holdExpiresAt !== undefined && holdExpiresAt <= now;

/**
 * Asserts that there is a registration.
 * @throws NotFound
 */
function assertThere(
  registration: RegistrationRecord | undefined,
  { to }: Departure,
): asserts registration is RegistrationRecord {
  if (!registration || (registration.status === "deleted" && to === "deleted")) throw new NotFound("Registration");
}

/** Whether there is nothing to end: it has ended before, or is not the one that is meant. */
function isOverBefore(
  registration: RegistrationRecord,
  now: number,
  { to, because, ofPlace, ofIncarnation, isHoldOver = hasEndedBy(now) }: Departure,
): boolean {
  if (registration.incarnation !== (ofIncarnation ?? registration.incarnation)) return true;
  if (registration.waitKey !== (ofPlace ?? registration.waitKey)) return true;
  if (registration.status === "deleted" || registration.status === to) return true;
  return because === "hold over" && !isHoldOver(registration);
}

const sentence = (from: string, to: string): string => `A registration that is ${from} cannot become ${to}.`;

/** @throws IllegalTransition */
function endingOf(leaver: RegistrationRecord, departure: Departure, context: RequestContext): Ending {
  const { to, by, because = "asked", quietly = false, whateverState = false } = departure;
  const state = stateOf(leaver);
  if (state === "deleted") throw new NotFound("Registration");
  if (to === "deleted") {
    if (!whateverState && !mayDelete(state, by)) throw new IllegalTransition(sentence(state, to));
    const after = tombstoneOf(leaver, context);
    return { after, message: deletionOf(leaver, after, quietly) };
  }
  // How the event takes people makes no difference to leaving it.
  const move = findMove(state, to, { priced: false, application: false }, by);
  if (!move) throw new IllegalTransition(sentence(state, to));
  const told: Move = quietly ? { ...move, tells: undefined } : move;
  const after = afterMove(leaver, told, context, to === "cancelled" ? { endedBecause: because } : {});
  return { after, message: messageOf(told, after) };
}

const hasChoices = ({ choices }: { readonly choices: object }): boolean => Object.keys(choices).length > 0;

async function readQuickly(departure: Departure): Promise<Facts> {
  const [leaver, head] = await Promise.all([readRegistration(departure, "eventual"), readHead(departure.event)]);
  return { kind: "quick", leaver, head };
}

/** Seats of another incarnation than the registration's count only if they were read after the registration. */
async function readSeatsOf(departure: Departure) {
  const [leaver, seats] = await Promise.all([
    readRegistration(departure, "strong"),
    readSeats(departure.event, "strong"),
  ]);
  const isOther = leaver !== undefined && seats?.incarnation !== leaver.incarnation;
  return { leaver, seats: isOther ? await readSeats(departure.event, "strong") : seats };
}

async function readCarefully(departure: Departure, context: RequestContext): Promise<Facts> {
  const [{ leaver, seats }, event] = await Promise.all([
    readSeatsOf(departure),
    departure.changes && readEvent(departure.event),
  ]);
  const isCounted = leaver !== undefined && seats?.incarnation === leaver.incarnation;
  if (!isCounted || !holdsSeat(leaver) || !mayInherit(seats, context.now)) {
    return { kind: "certain", leaver, seats, event };
  }
  const { chosen, passedOver } = await selectFromLine(departure.event, withoutHolder(seats, leaver.choices), 1);
  const [heir] = chosen;
  const [seating] = await seatingsFor(chosen, seats, context);
  const succession = heir && seating && { heir, seating, passedOver, counted: seats.taken, cfg: seats.cfg };
  return { kind: "certain", leaver, seats, succession, event };
}

/** The seats' part of leaving without an heir. */
function freed(leaver: RegistrationRecord, after: RegistrationRecord, { event, by }: Departure, now: number) {
  const holder = holderOf(leaver);
  if (!holdsSeat(leaver)) return recount(event, leaver.incarnation, holder, holderOf(after));
  return by === "self"
    ? releaseOwnSeat(event, leaver.incarnation, holder, now)
    : releaseSeat(event, leaver.incarnation, holder);
}

/** Ends a registration that the seats count, unless they count nothing of it. */
function ended(
  departure: Departure,
  leaver: RegistrationRecord,
  { after, message }: Ending,
  succession: Succession | undefined,
  context: RequestContext,
): Decision<Done> {
  const { event } = departure;
  const change = { before: leaver, after, message };
  const done = { registration: after, changed: true };
  if (Object.keys(countersOf(leaver)).length === 0) return write(membersOf(change, context), { ...done, frees: false });
  if (!succession || !holdsSeat(leaver)) {
    const seats = freed(leaver, after, departure, context.now);
    return write(membersOf({ ...change, seats }, context), { ...done, frees: holdsSeat(leaver) });
  }
  const { heir, seating, cfg } = succession;
  const decided = { incarnation: leaver.incarnation, ...(cfg !== undefined && { cfg }) };
  const heirHolder = holderOf(asSeated(heir, seating));
  const seats: TransactItem<Seats> = swapSeat(event, decided, holderOf(leaver), heirHolder, succession, context.now);
  const members = { ...membersOf({ ...change, seats }, context), ...seatingMembers(event, heir, seating, context) };
  // A swap frees no seat, but the choice of the person who left may be what another one waits for.
  return write(members, { ...done, frees: hasChoices(leaver) });
}

function decideQuickly(
  departure: Departure,
  { leaver, head }: Extract<Facts, { kind: "quick" }>,
  context: RequestContext,
): Decision<Done> {
  assertThere(leaver, departure);
  if (isOverBefore(leaver, 0, departure)) return lookCloser;
  // No seats, no transaction that knows when the event starts: a person who leaves the line must be asked for it.
  if (!holdsSeat(leaver) && departure.by === "self") return lookCloser;
  const ending = endingOf(leaver, departure, context);
  if (!head) return ended(departure, leaver, ending, undefined, context);
  // A person who left and came again meanwhile may be the head, while their registration still looks like the old one.
  const isHeir = head.incarnation === leaver.incarnation && head.email !== leaver.email;
  // An event that is free for members may still cost a person who was let in when it had a price for others.
  const takesOver = isHeir && !hasChoices(head) && (head.entryPrice ?? 0) === 0;
  if (!takesOver) return lookCloser;
  return ended(departure, leaver, ending, { heir: head, seating: forFree, passedOver: [], counted: {} }, context);
}

function decideCarefully(
  departure: Departure,
  { leaver, seats, succession, event }: Extract<Facts, { kind: "certain" }>,
  context: RequestContext,
): Decision<Done> {
  assertThere(leaver, departure);
  if (isOverBefore(leaver, context.now, departure)) {
    return answer({ registration: leaver, changed: false, frees: false });
  }
  if (seats?.incarnation !== leaver.incarnation) {
    const { after, message } = endingOf(leaver, departure, context);
    return write(membersOf({ before: leaver, after, message }, context), {
      registration: after,
      changed: true,
      frees: false,
    });
  }
  if (departure.by === "self" && leaver.status !== "cancelled" && seats.startsAt <= context.now) {
    throw new IllegalTransition("The event has started: only an admin can change this now.");
  }
  if (succession?.heir.email === leaver.email) return lookCloser;
  const ending = endingOf(leaver, departure, context);
  const changed = departure.changes?.(leaver, event, seats);
  return ended(departure, leaver, { ...ending, after: { ...ending.after, ...changed } }, succession, context);
}

/**
 * Ends a registration. Its seat goes to the first in line who can take it, in the same transaction if there is one.
 * @throws NotFound there is no such registration
 * @throws IllegalTransition it cannot end this way
 * @throws Contended nothing was written
 * @throws UnknownOutcome nobody knows whether it was
 */
export async function leave(departure: Departure, context: RequestContext): Promise<Departed> {
  const { frees, ...departed } = await execute(
    {
      depth: departure.changes ? "certain" : "cheap",
      read: (depth: Depth) => (depth === "cheap" ? readQuickly(departure) : readCarefully(departure, context)),
      decide: (facts: Facts) =>
        facts.kind === "quick" ? decideQuickly(departure, facts, context) : decideCarefully(departure, facts, context),
    },
    context,
  );
  if (frees) await followUp("promote", context, () => promote(departure.event, context));
  return departed;
}
