/** Whether a required refund is sent at once, or a person decides (`docs/contract.md`, "Refunds"). Pure. */
import type { ByHand, RefundFact } from "#outbox/catalogue.ts";
import {
  afterGivingUp,
  type GivenUp,
  isLocked,
  isSettled,
  type Payment,
  type StoredPayment,
  sumsOf,
} from "../record/payment.ts";

/** How a stage refunds: by itself, or a person for each. */
export type RefundMode = "automatic" | "by hand";

/** A person gets two refunds for one event by cancelling; from the third on, the treasurer decides. */
const refundsWithoutReview = 2;

export interface RefundQuestion {
  readonly fact: Pick<RefundFact, "cancelledByPerson">;
  /** Absent: all seats that were paid. */
  readonly givenUp?: GivenUp;
  readonly payment: StoredPayment | undefined;
  readonly mode: RefundMode;
  /** The person cancelled after the event's `refundUntil`. */
  readonly isLate: boolean;
  /** Other payments of the person for this event that were refunded, or are to be. */
  readonly earlier: number;
}

/** `amount`: in cents. */
export type RefundPlan =
  | { readonly kind: "send"; readonly amount: number }
  | { readonly kind: "by hand"; readonly because: ByHand }
  | { readonly kind: "nothing" };

/** Whether a payment counts as refunded for the rule of the third refund. A deposit of a person who came does not. */
export const wasRefunded = (payment: Payment): boolean => {
  const { wentBack, open } = sumsOf(payment);
  return payment.deposit !== "due" && (wentBack > 0 || open > 0);
};

export function refundPlanFor({ fact, givenUp, payment, mode, isLate, earlier }: RefundQuestion): RefundPlan {
  if (!isSettled(payment)) return { kind: "by hand", because: "unknown" };
  const { amount, wanted } = afterGivingUp(payment, givenUp);
  if (isLocked(payment) && wanted > 0) return { kind: "by hand", because: "frozen" };
  if (amount === 0) return { kind: "nothing" };
  if (fact.cancelledByPerson && isLate) return { kind: "by hand", because: "late" };
  if (fact.cancelledByPerson && earlier >= refundsWithoutReview) return { kind: "by hand", because: "third" };
  // Without the transfer's id, the provider cannot be asked.
  const isSendable = mode === "automatic" && payment.money.paymentIntent !== undefined;
  return isSendable ? { kind: "send", amount } : { kind: "by hand", because: "stage" };
}

/** Whether the treasurer decides if the payment is refunded; for other reasons it has to be. */
export const isReview = (because: ByHand): because is "late" | "third" => because === "late" || because === "third";
