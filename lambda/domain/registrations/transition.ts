/** A registration after a move, and what is told of it. Pure. */

import type { RequestContext } from "#kit/context.ts";
import type { OutboxMessage } from "#outbox/catalogue.ts";
import { channelsOf } from "#outbox/notice-kinds.ts";
import { type EntryState, entryStates, type Move, statusOf } from "./moves.ts";
import { factOf, holdsSeat, type RegistrationRecord } from "./registration.ts";

/** When and by which request a move is made. */
export type ChangeContext = Pick<RequestContext, "now" | "requestKey">;

const isConfirmed = (status: RegistrationRecord["status"]): status is NonNullable<RegistrationRecord["cameFrom"]> =>
  status === "registered" || status === "accepted" || status === "acceptedComplete";

/**
 * The registration after a move.
 * @param holdExpiresAt epoch milliseconds, for moves to an unpaid seat
 */
export function afterMove(
  before: RegistrationRecord,
  { to, tells }: Pick<Move, "to" | "tells">,
  { now, requestKey }: ChangeContext,
  more: Pick<RegistrationRecord, "holdExpiresAt" | "endedBecause" | "paidBy" | "paid"> = {},
): RegistrationRecord {
  const { holdExpiresAt, checkoutLink, heldWithoutCheckout, moneyUnderWay, ...held } = before;
  const { applicant, cameFrom, checkedInAt, endedBecause, ...kept } = held;
  const version = before.version + 1;
  return {
    ...kept,
    ...(to === "applicant" && { applicant: true }),
    ...(to === "checkedIn" && isConfirmed(before.status) && { cameFrom: before.status, checkedInAt: now }),
    ...more,
    status: statusOf(to),
    version,
    // What nobody reads in a mail must not supersede one that is on its way.
    noticeVersion: tells !== undefined && channelsOf[tells].mail ? version : before.noticeVersion,
    changedBy: requestKey,
    updatedAt: now,
  };
}

/** A write that is no move: nobody is told of it. */
export const rewritten = ({ now, requestKey }: ChangeContext, { version }: RegistrationRecord) => ({
  version: version + 1,
  changedBy: requestKey,
  updatedAt: now,
});

/**
 * An unpaid registration whose checkout is open: its page is known, and the seat is held at least as long as it may be
 * paid for there.
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

/** The same after its checkout has ended without a payment, while the seat is still held. */
export function withoutCheckout(before: RegistrationRecord, context: ChangeContext): RegistrationRecord {
  const { checkoutLink, moneyUnderWay, ...kept } = before;
  return {
    ...kept,
    ...(moneyUnderWay && { holdExpiresAt: moneyUnderWay.heldUntil }),
    ...rewritten(context, before),
  };
}

/**
 * An unpaid registration whose money is on its way: the seat is held until it must have come.
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

/** The news of a move. */
export const messageOf = (
  { emits, tells }: Pick<Move, "emits" | "tells">,
  after: RegistrationRecord,
): OutboxMessage => ({
  type: emits,
  data: { ...factOf(after), ...(tells !== undefined && { notice: tells }) },
});

/** A registration as it begins, over whatever ended one was there. */
export function asEntered(
  newcomer: Omit<RegistrationRecord, "status" | "version" | "noticeVersion">,
  entryState: EntryState,
  known: RegistrationRecord | undefined,
  holdExpiresAt?: number,
): RegistrationRecord {
  const version = (known?.version ?? 0) + 1;
  return {
    ...newcomer,
    status: statusOf(entryState),
    ...(entryState === "applicant" && { applicant: true }),
    ...(holdExpiresAt !== undefined && { holdExpiresAt }),
    // The schedule of an event that was created again counts from 0: its calendar entry is another one.
    calendarUid: known?.incarnation === newcomer.incarnation ? known.calendarUid : newcomer.calendarUid,
    version,
    noticeVersion: version,
  };
}

export const entryMessageOf = (entryState: EntryState, registration: RegistrationRecord): OutboxMessage =>
  messageOf(entryStates[entryState], registration);

/** The money goes back also where nobody has written down how much it was: the payment tells. */
const unknownMoney = { amount: 0, currency: "" };

/** A paid seat that is given up, or replaced by one of an event that was made again: the money goes back. */
export const refundOf = (before: RegistrationRecord, after: RegistrationRecord): OutboxMessage | undefined =>
  before.paidBy !== undefined && holdsSeat(before) && (!holdsSeat(after) || after.paidBy !== before.paidBy)
    ? {
        type: "payment.refundRequired",
        data: {
          ...unknownMoney,
          ...before.paid,
          purpose: "event",
          email: before.email,
          eventID: before.eventID,
          year: before.year,
          paymentId: before.paidBy,
          reason: "registration ended",
        },
      }
    : undefined;
