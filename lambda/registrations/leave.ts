/** Leaving an event, by whichever move: seat or place, registration and news in one transaction (`design.md`, section 6, CANCEL). */
import { IllegalTransition, NotFound } from "#kit/errors.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { commit, type TransactItem } from "#kit/table.ts";
import { readHead } from "../line/store.ts";
import type { Happening } from "../outbox/catalogue.ts";
import type { Origin } from "../outbox/store.ts";
import { type FullChoice, mayInherit, type Place, withoutHolder } from "../seats/seats.ts";
import { readSeats, recount, releaseOwnSeat, releaseSeat, swapSeat } from "../seats/store.ts";
import { membersOf } from "./change.ts";
import { type Actor, findMove, type Move, mayDelete, stateOf } from "./moves.ts";
import { asSeated, forFree, promoteOrLeaveToOthers, seatingMembers, seatingsFor, selectFromLine } from "./promote.ts";
import { countersOf, deletionOf, holderOf, holdsSeat, type RegistrationRecord, tombstoneOf } from "./registration.ts";
import { type RegistrationKey, readRegistration, type Seating } from "./store.ts";
import { afterMove, newsOf } from "./transition.ts";

/** Who leaves, how, and the arrival of the request that says so. */
export interface Departure extends RegistrationKey {
  readonly to: "cancelled" | "rejected" | "deleted";
  readonly by: Actor;
  readonly arrival: string;
  /** Why it is cancelled. `asked` when absent. A hold that is over ends only what is still unpaid by then. */
  readonly because?: NonNullable<RegistrationRecord["endedBecause"]>;
  /** Which unpaid registrations' holds are over; those that have ended by now when absent. */
  readonly isHoldOver?: (registration: RegistrationRecord) => boolean;
  /** Tell nobody. */
  readonly quietly?: boolean;
  /** Only the one that answers this arrival, not a later one of the same person. */
  readonly ofArrival?: string;
  /** Only one that belongs to this creation of the event. */
  readonly ofIncarnation?: string;
  /** Delete it whatever state it is in: the event is gone. */
  readonly whateverState?: boolean;
}

/** What somebody leaves as, and the news of it. */
interface Ending {
  readonly after: RegistrationRecord;
  readonly news: Happening;
}

/** The registration that ends, who takes over its seat, and whom they were preferred to. */
interface Plan {
  readonly leaver: RegistrationRecord;
  /** The seats count this registration: it belongs to the event as it exists. */
  readonly counted: boolean;
  readonly heir?: Place;
  readonly seating?: Seating;
  readonly passedOver: readonly FullChoice[];
  /** The event configuration that the heir was chosen under, unless they are next under any. */
  readonly cfg?: number;
}

/** Replaced in tests only, to show that the step is needed. */
export interface Steps {
  readonly promote: typeof promoteOrLeaveToOthers;
}

/** Nothing to plan: this very request, or another one, has ended the registration already. */
interface Gone {
  readonly gone: "by this request" | "before" | "never there";
  readonly registration?: RegistrationRecord | undefined;
}

const hasEndedBy =
  (now: number) =>
  ({ holdExpiresAt }: RegistrationRecord): boolean =>
    holdExpiresAt !== undefined && holdExpiresAt <= now;

function goneSince(
  registration: RegistrationRecord | undefined,
  now: number,
  { to, arrival, because, ofArrival, ofIncarnation, isHoldOver = hasEndedBy(now) }: Departure,
): Gone["gone"] | undefined {
  if (!registration) return "never there";
  if (registration.incarnation !== (ofIncarnation ?? registration.incarnation)) return "before";
  if (registration.waitKey !== (ofArrival ?? registration.waitKey)) return "before";
  if (registration.changedBy === arrival && registration.status === to) return "by this request";
  if (registration.status === "deleted") return to === "deleted" ? "never there" : "before";
  if (registration.status === to) return "before";
  if (because === "hold over" && !isHoldOver(registration)) return "before";
  return undefined;
}

const sentence = (from: string, to: string): string => `A registration that is ${from} cannot become ${to}.`;

/** @throws IllegalTransition */
function endingOf(leaver: RegistrationRecord, departure: Departure, now: number): Ending {
  const { to, by, arrival, because = "asked", quietly = false, whateverState = false } = departure;
  const state = stateOf(leaver);
  if (state === "deleted") throw new NotFound("Registration");
  if (to === "deleted") {
    if (!whateverState && !mayDelete(state, by)) throw new IllegalTransition(sentence(state, to));
    const after = tombstoneOf(leaver, { now, arrival });
    return { after, news: deletionOf(leaver, after, quietly) };
  }
  // How the event takes people makes no difference to leaving it.
  const move = findMove(state, to, { priced: false, application: false }, by);
  if (!move) throw new IllegalTransition(sentence(state, to));
  const told: Move = quietly ? { ...move, tells: undefined } : move;
  const after = afterMove(leaver, told, { now, arrival }, to === "cancelled" ? { endedBecause: because } : {});
  return { after, news: newsOf(told, after) };
}

const hasChoices = ({ choices }: { readonly choices: object }): boolean => Object.keys(choices).length > 0;

/**
 * The plan from one round trip that does not look at the seats: their transaction demands all that must hold.
 * @returns undefined when the seats have to be looked at
 */
async function quickPlan(departure: Departure): Promise<Plan | undefined> {
  const [leaver, head] = await Promise.all([readRegistration(departure, "eventual"), readHead(departure.event)]);
  if (!leaver || goneSince(leaver, 0, departure)) return undefined;
  // No seats, no transaction that knows when the event starts: whoever leaves the line by themselves must be asked.
  if (!holdsSeat(leaver) && departure.by === "self") return undefined;
  if (!head) return { leaver, counted: true, passedOver: [] };
  // Somebody who left and came again meanwhile may be the head, while their registration still looks like the old one.
  const takesOver = head.incarnation === leaver.incarnation && head.email !== leaver.email && !hasChoices(head);
  return takesOver ? { leaver, counted: true, heir: head, seating: forFree, passedOver: [] } : undefined;
}

async function carefulPlan(departure: Departure, now: number): Promise<Plan | Gone | typeof again> {
  const [leaver, seats] = await Promise.all([
    readRegistration(departure, "strong"),
    readSeats(departure.event, "strong"),
  ]);
  const gone = goneSince(leaver, now, departure);
  if (gone || !leaver) return { gone: gone ?? "never there", registration: leaver };
  if (seats?.incarnation !== leaver.incarnation) {
    // Of another incarnation for good only if that was so after the registration was read.
    const later = await readSeats(departure.event, "strong");
    return later?.incarnation === leaver.incarnation ? again : { leaver, counted: false, passedOver: [] };
  }
  if (departure.by === "self" && leaver.status !== "cancelled" && seats.startsAt <= now) {
    throw new IllegalTransition("The event has started: only an admin can change this now.");
  }
  if (!holdsSeat(leaver) || !mayInherit(seats, now)) return { leaver, counted: true, passedOver: [] };
  const { chosen, passedOver } = await selectFromLine(departure.event, withoutHolder(seats, leaver.choices), 1);
  const [heir] = chosen;
  if (heir?.email === leaver.email) return again;
  const [seating] = await seatingsFor(chosen, seats, now);
  return { leaver, counted: true, heir, seating, passedOver, cfg: seats.cfg };
}

/** The seats' part of leaving without an heir. */
function freed(leaver: RegistrationRecord, after: RegistrationRecord, { event, by }: Departure, now: number) {
  const holder = holderOf(leaver);
  if (!holdsSeat(leaver)) return recount(event, leaver.incarnation, holder, holderOf(after));
  return by === "self"
    ? releaseOwnSeat(event, leaver.incarnation, holder, now)
    : releaseSeat(event, leaver.incarnation, holder);
}

/** The members of the transaction that carries a plan out. */
function transactionOf(plan: Plan, { after, news }: Ending, departure: Departure, origin: Origin) {
  const { leaver, counted, heir, seating, passedOver, cfg } = plan;
  const { event } = departure;
  const change = { before: leaver, after, news };
  if (!counted || Object.keys(countersOf(leaver)).length === 0) return membersOf(change, origin);
  if (!heir || !seating || !holdsSeat(leaver)) {
    return membersOf({ ...change, seats: freed(leaver, after, departure, origin.now) }, origin);
  }
  const heirHolder = holderOf(asSeated(heir, seating));
  const decided = { incarnation: leaver.incarnation, cfg };
  const seats: TransactItem = swapSeat(event, decided, holderOf(leaver), heirHolder, passedOver, origin.now);
  return { ...membersOf({ ...change, seats }, origin), ...seatingMembers(event, heir, seating, origin) };
}

/** How leaving went. */
export interface Departed {
  /** As it is now; undefined when somebody else has changed it since. */
  readonly registration?: RegistrationRecord;
  /** False: it had ended before. */
  readonly changed: boolean;
}

/**
 * Ends a registration. Its seat goes to the first in line who can take it, in the same transaction if there is one.
 * @throws NotFound there is no such registration
 * @throws IllegalTransition it cannot end this way
 * @throws Contended nothing was written
 */
export async function leave(
  departure: Departure,
  origin: Origin,
  steps: Steps = { promote: promoteOrLeaveToOthers },
): Promise<Departed> {
  let isFirst = true;
  const done = await untilSettled(async () => {
    const quick = isFirst ? await quickPlan(departure) : undefined;
    isFirst = false;
    const plan = quick ?? (await carefulPlan(departure, origin.now));
    if (plan === again) return again;
    if ("gone" in plan) return plan;
    // What was read eventually may be outdated: nobody is refused on it.
    const ending = quick
      ? legalEnding(plan.leaver, departure, origin.now)
      : endingOf(plan.leaver, departure, origin.now);
    if (!ending) return again;
    const { committed } = await commit(transactionOf(plan, ending, departure, origin));
    return committed ? { plan, after: ending.after } : again;
  });
  if ("gone" in done) {
    if (done.gone === "never there") throw new NotFound("Registration");
    // What became of the seat is not known any more.
    if (done.gone === "by this request") await steps.promote(departure.event, origin);
    return { registration: done.registration, changed: done.gone === "by this request" };
  }
  if (needsPromotion(done.plan)) await steps.promote(departure.event, origin);
  return { registration: done.after, changed: true };
}

function legalEnding(leaver: RegistrationRecord, departure: Departure, now: number): Ending | undefined {
  try {
    return endingOf(leaver, departure, now);
  } catch (error) {
    if (error instanceof IllegalTransition) return undefined;
    throw error;
  }
}

/**
 * A released seat may be wanted by somebody who joined the line meanwhile. A swap frees none, but the choice of the
 * one who left may be what somebody further back waits for. After an unknown outcome nobody knows which it was.
 */
const needsPromotion = (plan: Plan): boolean => holdsSeat(plan.leaver) && (!plan.heir || hasChoices(plan.leaver));
