/** Computes the registration after a move, and the message of the move. Pure. */

import type { RequestContext } from "#kit/request/context.ts";
import type { OutboxMessage, RefundFact } from "#outbox/catalogue.ts";
import { channelsOf } from "#outbox/notice-kinds.ts";
import type { Origin } from "./acts.ts";
import { type ConfirmedState, type EntryState, entryStates, type Move } from "./moves.ts";
import { arrivedOf, broughtBy, notArrived, priceOfSeats } from "./plus-ones.ts";
import { factOf, holdsSeat, isPaidByHand, paymentsHeld, type RegistrationRecord } from "./registration.ts";
import { statusOf } from "./statuses.ts";

/** The time of a move. */
export type ChangeContext = Pick<RequestContext, "now">;

/** The fields that a move may set. `holdExpiresAt`: epoch milliseconds, for an unpaid seat. */
export type AfterMove = Partial<
  Pick<
    RegistrationRecord,
    | "holdExpiresAt"
    | "left"
    | "paidBy"
    | "paid"
    | "paidAt"
    | "deposit"
    | "seatPrices"
    | "refunded"
    | "owes"
    | "queueKey"
    | "registeredAt"
    | "checkedInAt"
    | "checkedInBy"
  >
>;

/**
 * The fields of a person who comes: a deposit that is paid has to go back, once. The mark survives when the check-in is undone,
 * and is what `refundOf` sees, so no check-in can set it without a refund. Money that has gone back already stays there.
 */
const arrivalOf = ({ deposit, refunded, paidBy = "" }: RegistrationRecord): AfterMove => {
  if (deposit !== "held" || refunded) return {};
  // Nothing is left to pay of what goes back.
  return { deposit: isPaidByHand({ paidBy }) ? "dueByHand" : "due", owes: undefined };
};

/** The registration after a move. @param more fields that the move sets */
export function afterMove(
  before: RegistrationRecord,
  { to, tells }: Pick<Move, "to" | "tells">,
  { now }: ChangeContext,
  more: AfterMove = {},
): RegistrationRecord {
  const { holdExpiresAt, checkoutLink, heldWithoutCheckout, moneyUnderWay, ...held } = before;
  const { applicant, cameFrom, checkedInAt, checkedInBy, left, leftAt, offer, ...kept } = held;
  const version = before.version + 1;
  const endsSeat = !holdsSeat({ status: statusOf(to), applicant: to === "applicant" });
  return {
    ...kept,
    // Who comes back later with them has a new evening before them.
    ...(endsSeat && kept.plusOnes && { plusOnes: notArrived(kept.plusOnes) }),
    ...(to === "applicant" && { applicant: true }),
    ...(to === "checkedIn" && {
      ...arrivalOf(before),
      ...{ cameFrom: before.status as ConfirmedState, checkedInAt: now },
    }),
    ...more,
    ...(more.left && { leftAt: now }),
    status: statusOf(to),
    version,
    // A change without a mail must not supersede an unsent mail.
    noticeVersion: tells !== undefined && channelsOf[tells].mail ? version : before.noticeVersion,
    updatedAt: now,
  };
}

/** The fields that change with a write that is not a move. It has no notice. */
export const rewritten = ({ now }: ChangeContext, { version }: RegistrationRecord) => ({
  version: version + 1,
  updatedAt: now,
});

/**
 * An unpaid registration with an open checkout. It has the link of the page, and the hold lasts at least until
 * `heldUntil`.
 * @param heldUntil epoch milliseconds
 */
export function withCheckout(
  before: RegistrationRecord,
  { url, heldUntil }: { readonly url: string; readonly heldUntil: number },
  context: ChangeContext,
): RegistrationRecord {
  const { holdExpiresAt = heldUntil, heldWithoutCheckout = holdExpiresAt } = before;
  return {
    ...before,
    checkoutLink: url,
    heldWithoutCheckout,
    holdExpiresAt: Math.max(holdExpiresAt, heldUntil),
    ...rewritten(context, before),
  };
}

/** An unpaid registration whose checkout has ended without a payment, while the seat is still held. */
export function withoutCheckout(before: RegistrationRecord, context: ChangeContext): RegistrationRecord {
  const { checkoutLink, moneyUnderWay, ...kept } = before;
  return {
    ...kept,
    ...(moneyUnderWay && { holdExpiresAt: moneyUnderWay.heldUntil }),
    ...rewritten(context, before),
  };
}

/**
 * An unpaid registration whose money is under way. The hold lasts at least until `heldUntil`.
 * @param heldUntil epoch milliseconds
 */
export function withMoneyUnderWay(
  before: RegistrationRecord,
  { checkoutId, heldUntil }: { readonly checkoutId: string; readonly heldUntil: number },
  context: ChangeContext,
): RegistrationRecord {
  const { holdExpiresAt = heldUntil } = before;
  return {
    ...before,
    holdExpiresAt: Math.max(holdExpiresAt, heldUntil),
    moneyUnderWay: { checkoutId, heldUntil: holdExpiresAt },
    ...rewritten(context, before),
  };
}

/** The message of a move. @param origin of the act that made it; absent: it follows from another change */
export const messageOf = (
  { emits, tells }: Pick<Move, "emits" | "tells">,
  after: RegistrationRecord,
  origin?: Origin,
): OutboxMessage => ({
  type: emits,
  data: { ...factOf(after), ...(origin && { origin }), ...(tells !== undefined && { notice: tells }) },
});

/**
 * A new registration, which replaces an ended one.
 * @param known the ended registration, also a tombstone
 * @param holdExpiresAt epoch milliseconds, for an unpaid seat
 */
export function asEntered(
  newcomer: Omit<RegistrationRecord, "status" | "version" | "noticeVersion">,
  entryState: EntryState,
  known: RegistrationRecord | undefined,
  holdExpiresAt?: number,
): RegistrationRecord {
  const version = (known?.version ?? 0) + 1;
  const isSameEvent = known?.generation === newcomer.generation;
  const held = known ? paymentsHeld(known) : [];
  return {
    ...newcomer,
    status: statusOf(entryState),
    ...(entryState === "applicant" && { applicant: true }),
    ...(holdExpiresAt !== undefined && { holdExpiresAt }),
    // The schedule version restarts at 0 in a new generation, which therefore needs its own calendar entry.
    calendarUid: isSameEvent ? known.calendarUid : newcomer.calendarUid,
    ...(isSameEvent && known.status !== "deleted" && { createdAt: known.createdAt }),
    ...(isSameEvent && known.gave && { gave: known.gave }),
    ...(held.length > 0 && { held }),
    version,
    noticeVersion: version,
  };
}

export const entryMessageOf = (entryState: EntryState, registration: RegistrationRecord): OutboxMessage =>
  messageOf(entryStates[entryState], registration, registration.joined);

/** For a registration without a stored amount. The payment shows the amount. */
const unknownMoney = { amount: 0, currency: "" };

/** Whether a deposit has had to go back: its person was checked in, even if that was undone. */
export const hasEarnedDeposit = ({ deposit = "agreed" }: Pick<RegistrationRecord, "deposit">): boolean =>
  deposit !== "agreed" && deposit !== "held";

/**
 * Whether money is refunded when the seat ends: it is paid, and not checked in. A checked-in seat ends only with its event,
 * which the person has attended. A deposit goes back once.
 */
export const isRefundable = (registration: RegistrationRecord): boolean =>
  registration.paidBy !== undefined &&
  holdsSeat(registration) &&
  registration.status !== "checkedIn" &&
  !hasEarnedDeposit(registration);

/** Why a change of a paid seat leads to a refund. Undefined: it does not. */
function reasonOf(before: RegistrationRecord, after: RegistrationRecord): RefundFact["reason"] | undefined {
  if (!hasEarnedDeposit(before) && hasEarnedDeposit(after)) return "checked in";
  const isFewer = broughtBy(after) < broughtBy(before) && holdsSeat(after) && after.queueKey === before.queueKey;
  if (isFewer) return before.seatPrices && "fewer come";
  const ends = !holdsSeat(after) || after.paidBy !== before.paidBy;
  return ends && isRefundable(before) ? "registration ended" : undefined;
}

/** What stays of what was paid for several seats, in cents. Nothing is refunded for who has come. */
function keptOf(before: RegistrationRecord, after: RegistrationRecord, reason: RefundFact["reason"]): number {
  const { seatPrices } = before;
  if (!seatPrices || reason === "checked in") return 0;
  return reason === "fewer come"
    ? priceOfSeats(seatPrices, broughtBy(after))
    : arrivedOf(before).length * seatPrices.plusOne;
}

/**
 * The refund for a paid seat that ends, is replaced by a registration for a new generation of the event, or was taken for a
 * deposit; and for the seats of those who come along no more.
 * @param isByRule the person ended it, so the rules for cancelling count; not for who comes
 */
export function refundOf(
  before: RegistrationRecord,
  after: RegistrationRecord,
  isByRule: boolean,
): OutboxMessage | undefined {
  const reason = reasonOf(before, after);
  const { email, eventID, year, paidBy: paymentId, paid, seatPrices } = before;
  if (reason === undefined || paymentId === undefined) return undefined;
  const keeps = keptOf(before, after, reason);
  const fewer = reason === "fewer come" ? broughtBy(before) - broughtBy(after) : 0;
  return {
    type: "payment.refundRequired",
    data: {
      ...{ ...unknownMoney, ...paid, purpose: "event", email, eventID, year, paymentId, reason },
      ...(seatPrices && fewer > 0 && { amount: fewer * seatPrices.plusOne }),
      ...(keeps > 0 && { keeps }),
      ...(isByRule && reason !== "checked in" && { cancelledByPerson: true }),
    },
  };
}
