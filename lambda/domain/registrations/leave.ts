/**
 * Ends a registration: the person leaves the event. One transaction changes the registration and the seat or the place
 * in line, and writes the message. The same transaction gives the seat to the first person in line who can take it, and
 * makes the other changes of the request (`docs/design.md`, "The capacity protocol").
 */

import type { EventRecord } from "#domain/events/event.ts";
import { readEvent } from "#domain/events/store.ts";
import type { RequestContext } from "#kit/context.ts";
import { IllegalTransition, NotFound } from "#kit/errors.ts";
import { answer, type Decision, type Depth, execute, followUp, lookCloser, write } from "#kit/execute.ts";
import type { TransactItem } from "#kit/table.ts";
import type { OutboxMessage } from "#outbox/catalogue.ts";
import { membersOf } from "./change.ts";
import { readHead } from "#domain/capacity/line.ts";
import { type Actor, findMove, type Move, mayDelete, stateOf } from "./moves.ts";
import { asSeated, forFree, promote, seatingMembers, seatingsFor, selectFromLine } from "./promote.ts";
import { countersOf, deletionOf, holderOf, holdsSeat, type RegistrationRecord, tombstoneOf } from "./registration.ts";
import { type FullChoice, mayInherit, type Place, type Seats, withoutHolder } from "#domain/capacity/seats.ts";
import { readSeats, recount, releaseOwnSeat, releaseSeat, swapSeat } from "#domain/capacity/demands.ts";
import { type RegistrationKey, readRegistration, type Seating } from "./store.ts";
import { afterMove, messageOf } from "./transition.ts";

/** The fields of a registration that a request may change along with another move. */
export type ChangedFields = Partial<
  Pick<RegistrationRecord, "basicInformation" | "fname" | "dynamicResponses" | "choices" | "points">
>;

/** The registration that ends, and how it ends. */
export interface Departure extends RegistrationKey {
  readonly to: "cancelled" | "rejected" | "deleted";
  readonly by: Actor;
  /**
   * The reason of a cancellation; absent means `asked`. With `hold over` only a registration that is still unpaid ends.
   */
  readonly because?: NonNullable<RegistrationRecord["endedBecause"]>;
  /** Says whether the hold of an unpaid registration is over. Absent: `holdExpiresAt` decides. */
  readonly isHoldOver?: (registration: RegistrationRecord) => boolean;
  /** The message carries no notice, so no person is told. */
  readonly quietly?: boolean;
  /** The admin who deleted the event wants no refunds. */
  readonly withoutRefund?: boolean;
  /** Ends only the registration with this queueKey, not a later one of the same person. */
  readonly ofPlace?: string;
  /** Ends only a registration for this generation of the event. */
  readonly ofGeneration?: string;
  /** Deletes the registration in any state, because the event is gone. */
  readonly whateverState?: boolean;
  /** The caller promotes by itself, once after several departures, or the event is gone. */
  readonly withoutPromotion?: boolean;
  /** Makes the other changes of the request, for the same transaction. @throws Refusal */
  readonly changes?: (registration: RegistrationRecord, event: EventRecord | undefined, seats: Seats) => ChangedFields;
}

/** The registration after its end, and the message of the change. */
interface Ending {
  readonly after: RegistrationRecord;
  readonly message: OutboxMessage;
}

/** The heir of the seat, how the heir is seated, and the full choices of the people who were passed over. */
interface Succession {
  readonly heir: Place;
  readonly seating: Seating;
  readonly passedOver: readonly FullChoice[];
  /** The choice counters on which the heir was chosen. */
  readonly counted: Seats["choiceHolders"];
  /** The terms version under which the heir was chosen. Absent: the heir is next under all terms of a free event. */
  readonly termsVersion?: number;
}

type Facts =
  /** The first try does not read the seats. The transaction demands all that must be true of them. */
  | { readonly kind: "quick"; readonly leaver: RegistrationRecord | undefined; readonly head: Place | undefined }
  | {
      readonly kind: "certain";
      readonly leaver: RegistrationRecord | undefined;
      readonly seats: Seats | undefined;
      readonly succession?: Succession | undefined;
      /** The event is read only if the departure makes other changes too. */
      readonly event?: EventRecord | undefined;
    };

export interface Departed {
  /** The registration as it is now. */
  readonly registration?: RegistrationRecord | undefined;
  /** False when the registration had ended before, or is another one. */
  readonly changed: boolean;
}

/** The result, and whether a seat or a choice is free now. */
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

/** Whether there is nothing to end: the registration has ended before, or it is not the one that the caller means. */
function isOverBefore(
  registration: RegistrationRecord,
  now: number,
  { to, because, ofPlace, ofGeneration, isHoldOver = hasEndedBy(now) }: Departure,
): boolean {
  if (registration.generation !== (ofGeneration ?? registration.generation)) return true;
  if (registration.queueKey !== (ofPlace ?? registration.queueKey)) return true;
  if (registration.status === "deleted" || registration.status === to) return true;
  return because === "hold over" && !isHoldOver(registration);
}

const sentence = (from: string, to: string): string => `A registration that is ${from} cannot become ${to}.`;

/** @throws NotFound the registration is deleted  @throws IllegalTransition it cannot end this way */
function endingOf(leaver: RegistrationRecord, departure: Departure, context: RequestContext): Ending {
  const { to, by, because = "asked", quietly = false, whateverState = false } = departure;
  const state = stateOf(leaver);
  if (state === "deleted") throw new NotFound("Registration");
  if (to === "deleted") {
    if (!whateverState && !mayDelete(state, by)) throw new IllegalTransition(sentence(state, to));
    const after = tombstoneOf(leaver, context, quietly);
    return { after, message: deletionOf(leaver, after, quietly) };
  }
  // No move to `cancelled` or `rejected` depends on the terms, so any terms will do.
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

/**
 * Reads registration and seats. If their generations differ, the seats may have been read too early, so they are read
 * again after the registration.
 */
async function readSeatsOf(departure: Departure) {
  const [leaver, seats] = await Promise.all([
    readRegistration(departure, "strong"),
    readSeats(departure.event, "strong"),
  ]);
  const isOther = leaver !== undefined && seats?.generation !== leaver.generation;
  return { leaver, seats: isOther ? await readSeats(departure.event, "strong") : seats };
}

async function readCarefully(departure: Departure, context: RequestContext): Promise<Facts> {
  const [{ leaver, seats }, event] = await Promise.all([
    readSeatsOf(departure),
    departure.changes && readEvent(departure.event),
  ]);
  const isCounted = leaver !== undefined && seats?.generation === leaver.generation;
  if (!isCounted || !holdsSeat(leaver) || !mayInherit(seats, context.now)) {
    return { kind: "certain", leaver, seats, event };
  }
  const { chosen, passedOver } = await selectFromLine(departure.event, withoutHolder(seats, leaver.choices), 1);
  const [heir] = chosen;
  const [seating] = await seatingsFor(chosen, seats, context);
  const succession = heir &&
    seating && { heir, seating, passedOver, counted: seats.choiceHolders, termsVersion: seats.termsVersion };
  return { kind: "certain", leaver, seats, succession, event };
}

/** The transaction member of the seats when there is no heir. */
function freed(leaver: RegistrationRecord, after: RegistrationRecord, { event, by }: Departure, now: number) {
  const holder = holderOf(leaver);
  if (!holdsSeat(leaver)) return recount(event, leaver.generation, holder, holderOf(after));
  return by === "self"
    ? releaseOwnSeat(event, leaver.generation, holder, now)
    : releaseSeat(event, leaver.generation, holder);
}

/** Makes the transaction that ends a registration. The seats are a member only if they count the registration. */
function ended(
  departure: Departure,
  leaver: RegistrationRecord,
  { after, message }: Ending,
  succession: Succession | undefined,
  context: RequestContext,
): Decision<Done> {
  const { event, withoutRefund } = departure;
  const change = { before: leaver, after, message, withoutRefund };
  const done = { registration: after, changed: true };
  if (Object.keys(countersOf(leaver)).length === 0) return write(membersOf(change, context), { ...done, frees: false });
  if (!succession || !holdsSeat(leaver)) {
    const seats = freed(leaver, after, departure, context.now);
    return write(membersOf({ ...change, seats }, context), { ...done, frees: holdsSeat(leaver) });
  }
  const { heir, seating, termsVersion } = succession;
  const decided = { generation: leaver.generation, ...(termsVersion !== undefined && { termsVersion }) };
  const heirHolder = holderOf(asSeated(heir, seating));
  const seats: TransactItem<Seats> = swapSeat(event, decided, holderOf(leaver), heirHolder, succession, context.now);
  const members = { ...membersOf({ ...change, seats }, context), ...seatingMembers(event, heir, seating, context) };
  // A swap frees no seat. But another person may wait for the workshop choice of the leaver.
  return write(members, { ...done, frees: hasChoices(leaver) });
}

function decideQuickly(
  departure: Departure,
  { leaver, head }: Extract<Facts, { kind: "quick" }>,
  context: RequestContext,
): Decision<Done> {
  assertThere(leaver, departure);
  if (isOverBefore(leaver, 0, departure)) return lookCloser;
  // The person may leave only until the event starts. Without a seat no member of the transaction checks that, so read
  // the seats.
  if (!holdsSeat(leaver) && departure.by === "self") return lookCloser;
  const ending = endingOf(leaver, departure, context);
  if (!head) return ended(departure, leaver, ending, undefined, context);
  // The leaver may have left and registered again since this cheap read, and may be at the head of the line.
  const isHeir = head.generation === leaver.generation && head.email !== leaver.email;
  // A free event may have become members-only. A non-member in line keeps the entry price, so this person may have to
  // pay.
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
  if (seats?.generation !== leaver.generation) {
    const { after, message } = endingOf(leaver, departure, context);
    const { withoutRefund } = departure;
    return write(membersOf({ before: leaver, after, message, withoutRefund }, context), {
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
 * Ends a registration. If a person in line can take the seat, the first one gets it in the same transaction.
 * @throws NotFound there is no such registration
 * @throws IllegalTransition the registration cannot end this way
 * @throws Contended nothing was written
 * @throws UnknownOutcome it is not known whether the change was written
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
  if (frees && !departure.withoutPromotion) await followUp("promote", context, () => promote(departure.event, context));
  return departed;
}
