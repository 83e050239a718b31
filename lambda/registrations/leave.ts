/** Leaving an event for good: seat or place, registration and news in one transaction (`design.md`, section 6, CANCEL). */
import { NotFound } from "#kit/errors.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { commit, type TransactItem } from "#kit/table.ts";
import { leaveLine, readHead } from "../line/store.ts";
import { type Origin, outboxRow } from "../outbox/store.ts";
import { type FullChoice, mayInherit, type Place, withoutHolder } from "../seats/seats.ts";
import { readSeats, releaseSeat, swapSeat } from "../seats/store.ts";
import { asSeated, promoteOrLeaveToOthers, seatingOf, selectFromLine } from "./promote.ts";
import { countersOf, deletionOf, holderOf, holdsSeat, type RegistrationRecord } from "./registration.ts";
import { buryRegistration, type RegistrationKey, readRegistration } from "./store.ts";

/** Who leaves, and the arrival of the request that says so. */
export interface Departure extends RegistrationKey {
  readonly arrival: string;
}

/** The registration that ends, who takes over its seat, and whom they were preferred to. */
interface Plan {
  readonly leaver: RegistrationRecord;
  /** The seats count this registration: it belongs to the event as it exists. */
  readonly counted: boolean;
  readonly heir?: Place;
  readonly passedOver: readonly FullChoice[];
  /** The event configuration that the heir was chosen under, unless they are next under any. */
  readonly cfg?: number;
}

/** Replaced in tests only, to show that the step is needed. */
export interface Steps {
  readonly promote: typeof promoteOrLeaveToOthers;
}

/** Nothing to plan: this very request, or another one, has ended the registration already. */
type Gone = "by this request" | "before";

const goneSince = (registration: RegistrationRecord | undefined, { arrival }: Departure): Gone | undefined => {
  if (registration && registration.status !== "deleted") return undefined;
  return registration?.endedBy === arrival ? "by this request" : "before";
};

const hasChoices = ({ choices }: { readonly choices: object }): boolean => Object.keys(choices).length > 0;

/**
 * The plan from one round trip that does not look at the seats: their transaction demands all that must hold.
 * @returns undefined when the seats have to be looked at
 */
async function quickPlan(departure: Departure): Promise<Plan | undefined> {
  const [leaver, head] = await Promise.all([readRegistration(departure, "eventual"), readHead(departure.event)]);
  if (!leaver || leaver.status === "deleted") return undefined;
  if (!head) return { leaver, counted: true, passedOver: [] };
  // Somebody who left and came again meanwhile may be the head, while their registration still looks like the old one.
  const takesOver = head.incarnation === leaver.incarnation && head.email !== leaver.email && !hasChoices(head);
  return takesOver ? { leaver, counted: true, heir: head, passedOver: [] } : undefined;
}

async function carefulPlan(departure: Departure, now: number): Promise<Plan | Gone | typeof again> {
  const [leaver, seats] = await Promise.all([
    readRegistration(departure, "strong"),
    readSeats(departure.event, "strong"),
  ]);
  const gone = goneSince(leaver, departure);
  if (gone || !leaver) return gone ?? "before";
  if (seats?.incarnation !== leaver.incarnation) {
    // Of another incarnation for good only if that was so after the registration was read.
    const later = await readSeats(departure.event, "strong");
    return later?.incarnation === leaver.incarnation ? again : { leaver, counted: false, passedOver: [] };
  }
  if (!holdsSeat(leaver) || !mayInherit(seats, now)) return { leaver, counted: true, passedOver: [] };
  const { chosen, passedOver } = await selectFromLine(departure.event, withoutHolder(seats, leaver.choices), 1);
  const [heir] = chosen;
  return heir?.email === leaver.email ? again : { leaver, counted: true, heir, passedOver, cfg: seats.cfg };
}

/** The members of the transaction that carries a plan out. */
function membersOf({ leaver, counted, heir, passedOver, cfg }: Plan, { event, arrival }: Departure, origin: Origin) {
  const members: Record<string, TransactItem> = {
    registration: buryRegistration(leaver, { now: origin.now, arrival }),
    news: outboxRow(deletionOf(leaver), origin),
  };
  if (leaver.status === "waitlist") return { ...members, place: leaveLine(event, leaver) };
  if (!counted || Object.keys(countersOf(leaver)).length === 0) return members;
  if (!heir || !holdsSeat(leaver))
    return { ...members, seats: releaseSeat(event, leaver.incarnation, holderOf(leaver)) };
  const { place, heir: heirRegistration, news: heirNews } = seatingOf(event, heir, origin);
  return {
    ...members,
    seats: swapSeat(
      event,
      { incarnation: leaver.incarnation, cfg },
      holderOf(leaver),
      holderOf(asSeated(heir)),
      passedOver,
      origin.now,
    ),
    place,
    heirRegistration,
    heirNews,
  };
}

/**
 * Deletes a registration. Its seat goes to the first in line who can take it, in the same transaction if there is one.
 * @throws NotFound there is no such registration
 * @throws Contended nothing was written
 */
export async function leave(
  departure: Departure,
  origin: Origin,
  steps: Steps = { promote: promoteOrLeaveToOthers },
): Promise<void> {
  let isFirst = true;
  const carriedOut = await untilSettled(async () => {
    const quick = isFirst ? await quickPlan(departure) : undefined;
    isFirst = false;
    const plan = quick ?? (await carefulPlan(departure, origin.now));
    if (plan === "before") throw new NotFound("Registration");
    if (plan === "by this request" || plan === again) return plan;
    const { committed } = await commit(membersOf(plan, departure, origin));
    return committed ? plan : again;
  });
  if (needsPromotion(carriedOut)) await steps.promote(departure.event, origin);
}

/**
 * A released seat may be wanted by somebody who joined the line meanwhile. A swap frees none, but the choice of the
 * one who left may be what somebody further back waits for. After an unknown outcome nobody knows which it was.
 */
const needsPromotion = (plan: Plan | "by this request"): boolean =>
  plan === "by this request" || (holdsSeat(plan.leaver) && (!plan.heir || hasChoices(plan.leaver)));
