/**
 * Ends a registration, or moves it to the end of the line: the person gives up the seat. One transaction changes the
 * registration and the seat or place in line, writes the message, gives the seat to the first person in line who can take
 * it, and makes the request's other changes (`docs/design.md`, "The capacity protocol").
 */
import { allocate, type Claim, isEnough, type Turn } from "#domain/capacity/allocate.ts";
import { changeSeats } from "#domain/capacity/demands.ts";
import { readLineFor, readLineStart } from "#domain/capacity/line.ts";
import { type Place, poolOf, readSeats, type Seats } from "#domain/capacity/seats.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { readEvent } from "#domain/events/store.ts";
import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, followUp, type Keep, readAgain, write } from "#kit/table/execute.ts";
import type { Transaction } from "#kit/table/table.ts";
import type { OutboxMessage } from "#outbox/catalogue.ts";
import { named, promote, seatedHolder, seatingMembers, seatingsFor, waitedFor } from "./promote.ts";
import { type LeaveOrigin, leaveRules } from "./record/acts.ts";
import { findMove, type Move, mayDelete, refusalOf } from "./record/moves.ts";
import { broughtBy, notArrived } from "./record/plus-ones.ts";
import {
  countersOf,
  deletionOf,
  holderOf,
  holdsSeat,
  type RegistrationRecord,
  registeredAtOf,
  tombstoneOf,
} from "./record/registration.ts";
import { type RegistrationStatus, stateOf } from "./record/statuses.ts";
import { type AfterMove, afterMove, messageOf } from "./record/transition.ts";
import { assertSeen, IllegalTransition, started } from "./refusals.ts";
import { membersOf } from "./store/change.ts";
import { type RegistrationKey, readWithSeats, type Seating } from "./store/store.ts";

/** The fields of a registration that a request may change together with a move. */
export type ChangedFields = Partial<
  Pick<
    RegistrationRecord,
    | "basicInformation"
    | "fname"
    | "dynamicResponses"
    | "choices"
    | "points"
    | "coming"
    | "plusOnes"
    | "paidBy"
    | "paid"
    | "paidAt"
    | "seatPrices"
    | "refunded"
    | "owes"
  >
>;

/** The registration that ends, and how it ends. */
export interface Departure extends RegistrationKey {
  /** `waitlist`: the person goes to the end of the line, and only if the seat goes to another person. */
  readonly to: "cancelled" | "rejected" | "deleted" | "waitlist";
  /** Who ends it, and by which way: the rules follow from it. */
  readonly origin: LeaveOrigin;
  /** The status that the person saw. Absent: any. */
  readonly seenStatus?: RegistrationStatus | undefined;
  /** Whether the stored registration is still the one to end. By default any is. */
  readonly isMeant?: (registration: RegistrationRecord) => boolean;
  /** What the deletion of the event says. */
  readonly deletion?: {
    /** The event has begun: no notice is sent. */
    readonly quietly: boolean;
    /** The admin who deleted the event wants no refunds. */
    readonly withoutRefund: boolean;
  };
  /** Reads for the request's changes of other records in the same transaction. */
  readonly beside?: () => Promise<Transaction>;
  /** Computes the request's other changes, for the same transaction. @throws Refusal */
  readonly changes?: (registration: RegistrationRecord, event: EventRecord | undefined, seats: Seats) => ChangedFields;
}

interface Facts {
  readonly leaver: RegistrationRecord | undefined;
  readonly seats: Seats | undefined;
  /** The first person in line who can take the seat. */
  readonly heir?: Heir | undefined;
  /** Read only if the departure has `changes`. */
  readonly event?: EventRecord | undefined;
  readonly beside?: Transaction | undefined;
}

interface Heir {
  readonly place: Place;
  readonly seating: Seating;
  readonly turn: Turn;
}

export interface Departed {
  /** The current registration. */
  readonly registration?: RegistrationRecord | undefined;
  /** False when the registration had ended before, or is not meant. */
  readonly changed: boolean;
}

/** The result, and whether a seat or a choice became free. */
interface Done extends Departed {
  readonly frees: boolean;
}

/** Whether the hold of an unpaid registration is over. @param now epoch milliseconds */
export const isHoldOver =
  (now: number) =>
  ({ holdExpiresAt }: RegistrationRecord): boolean =>
    holdExpiresAt !== undefined && holdExpiresAt <= now;

const paidSeat = "This seat is paid. Cancel the registration instead, which requests the refund.";
const noHeir = "Nobody else in line can take this seat now. Cancel the registration instead, which frees the seat.";

/** The fields of a person who goes to the end of the line. */
const atTheEnd = (leaver: RegistrationRecord, { queueKey }: RequestContext): AfterMove => ({
  queueKey,
  registeredAt: registeredAtOf(leaver),
});

/** The registration after its end, and the message. @throws NotFound IllegalTransition it cannot end this way */
function endingOf(
  leaver: RegistrationRecord,
  { to, origin, deletion }: Departure,
  context: RequestContext,
): { readonly after: RegistrationRecord; readonly message: OutboxMessage } {
  const { rights, notice } = leaveRules(origin);
  const quietly = notice === "unless begun" && deletion?.quietly === true;
  const state = stateOf(leaver);
  if (state === "deleted") throw new NotFound("Registration");
  const by = rights === "all states" ? "admin" : rights;
  if (to === "deleted") {
    if (rights !== "all states" && !mayDelete(state, by)) throw new IllegalTransition(refusalOf(state, to, by));
    const after = tombstoneOf(leaver, context, { quietly, left: leaver.left ?? origin });
    return { after, message: deletionOf(leaver, after, origin, quietly) };
  }
  // Moves to `cancelled` or `rejected` do not depend on the terms.
  const move = findMove(state, to, { priced: false, application: false }, by);
  if (!move) throw new IllegalTransition(refusalOf(state, to, by));
  const told: Move = quietly ? { ...move, tells: undefined } : move;
  const after = afterMove(leaver, told, context, to === "waitlist" ? atTheEnd(leaver, context) : { left: origin });
  return { after, message: messageOf(told, after, origin) };
}

/** Determines the heir of the seat. @param start the beginning of the attendees' line, read together with the seats */
async function readHeir(
  { event }: Departure,
  leaver: RegistrationRecord,
  seats: Seats,
  start: Awaited<ReturnType<typeof readLineStart>>,
  context: RequestContext,
): Promise<Heir | undefined> {
  const claim: Claim = { kind: "heir", leaver: leaver.choices, frees: 1 + broughtBy(leaver) };
  const places = start.places.filter(({ generation }) => generation === seats.generation);
  const isRead = seats.pool === undefined && (start.isWhole || isEnough(seats, claim, places, context.now));
  const line = isRead ? { ...start, places } : await readLineFor(event, seats, claim, context.now);
  const allocation = allocate(seats, line, claim, context.now);
  if (allocation.kind !== "seated") return undefined;
  const [place] = allocation.people;
  const [seating] = await seatingsFor(allocation.people, seats, context);
  return place && seating && { place, seating, turn: allocation.turn };
}

async function readFacts(departure: Departure, context: RequestContext): Promise<Facts> {
  const [{ registration: leaver, seats: read }, start, event, beside] = await Promise.all([
    readWithSeats(departure),
    readLineStart(departure.event),
    departure.changes && readEvent(departure.event),
    departure.beside?.(),
  ]);
  // The seats may have been read before the event was created again.
  const isOther = leaver !== undefined && read?.generation !== leaver.generation;
  const stored = isOther ? await readSeats(departure.event, "strong") : read;
  const seats = stored && poolOf(stored, leaver?.pool);
  const hasLine = leaver?.pool !== "allotment";
  if (!leaver || seats?.generation !== leaver.generation || !holdsSeat(leaver) || !hasLine)
    return { leaver, seats, event, beside };
  return { leaver, seats, event, beside, heir: await readHeir(departure, leaver, seats, start, context) };
}

function decide(departure: Departure, facts: Facts, context: RequestContext): Decision<Done> {
  const { event, to, origin, isMeant = () => true, deletion } = departure;
  const { until, refund, audit } = leaveRules(origin);
  const { leaver, seats, heir } = facts;
  if (!leaver || (leaver.status === "deleted" && to === "deleted")) throw new NotFound("Registration");
  if (leaver.status === "deleted" || leaver.status === to || !isMeant(leaver)) {
    return answer({ registration: leaver, changed: false, frees: false });
  }
  assertSeen(departure.seenStatus, leaver);
  const isCounted = seats?.generation === leaver.generation;
  if (isCounted && until === "start" && leaver.status !== "cancelled" && seats.startsAt <= context.now) {
    throw new IllegalTransition(started);
  }
  // Place and seat of one person contradict each other.
  if (heir?.place.email === leaver.email) return readAgain;
  const ending = endingOf(leaver, departure, context);
  if (to === "waitlist" && leaver.paidBy !== undefined) throw new IllegalTransition(paidSeat);
  if (to === "waitlist" && !heir) throw new IllegalTransition(noHeir);
  const changes = isCounted ? departure.changes?.(leaver, facts.event, seats) : undefined;
  const plusOnes = changes?.plusOnes && { plusOnes: notArrived(changes.plusOnes) };
  const after = { ...ending.after, ...changes, ...plusOnes };
  const isRefunded = refund !== "ordered" && !(refund === "as chosen" && deletion?.withoutRefund);
  const change = { before: leaver, ...ending, after, audit, refund: isRefunded && refund };
  const done = { registration: after, changed: true };
  const [was, is] = [holderOf(leaver), holderOf(after)];
  if (!isCounted || Object.keys(countersOf(leaver)).length === 0) {
    // Those behind a group may have waited for it to get its seats.
    const frees = isCounted && leaver.status === "waitlist" && broughtBy(leaver) > 0;
    return write({ ...facts.beside, ...membersOf(change, context) }, { ...done, frees });
  }
  if (!holdsSeat(leaver)) {
    const member = changeSeats(event, "recountAlways", { decided: leaver, leaving: [was], joining: [is] });
    return write({ ...facts.beside, ...membersOf({ ...change, seats: member }, context) }, { ...done, frees: false });
  }
  if (!heir) {
    const claim = until === "start" ? "releaseOwn" : "release";
    const member = changeSeats(event, claim, { decided: leaver, leaving: [was], now: context.now });
    return write({ ...facts.beside, ...membersOf({ ...change, seats: member }, context) }, { ...done, frees: true });
  }
  const { place, seating, turn } = heir;
  const joining = [seatedHolder(place, seating)];
  const passedOn = { decided: seats, leaving: [was], joining, turn, ...waitedFor([place], context) };
  const member = changeSeats(event, "heir", passedOn);
  const members = {
    ...facts.beside,
    ...membersOf({ ...change, seats: member }, context),
    ...named("heir", seatingMembers(event, place, seating, context)),
  };
  // The seat is never free in between, but another person may wait for the leaver's workshop, or for the seats of those whom
  // the leaver brought.
  const frees = Object.keys(leaver.choices).length > 0 || broughtBy(leaver) > 0;
  return write(members, { ...done, frees });
}

/**
 * Ends a registration. If a person in line can take the seat, the first one gets it in the same transaction.
 * @throws NotFound the registration does not exist
 * @throws IllegalTransition the registration cannot end this way
 * @throws Contended nothing was written
 * @throws UnknownOutcome it is not known whether the change was written
 */
export async function leave(departure: Departure, context: RequestContext, keep?: Keep<Departed>): Promise<Departed> {
  const { frees, ...departed } = await execute<Facts, Done, never>(
    {
      keep,
      read: () => readFacts(departure, context),
      decide: (facts) => decide(departure, facts, context),
    },
    context,
  );
  const promotes = frees && leaveRules(departure.origin).seat === "passed on";
  if (promotes) await followUp("promote", context, () => promote(departure.event, context));
  return departed;
}
