/** A refund, its states, and its form in the provider's answers: https://docs.stripe.com/api/refunds/object. Pure. */
import type Stripe from "stripe";
import { newTransaction, type Transaction } from "./balance.ts";
import { PaymentProblem } from "./problem.ts";

export const refundReasons = ["duplicate", "fraudulent", "requested_by_customer"] as const;

/** `processing`: it is on its way; `insufficient_funds`: it waits until the balance is filled. */
export type PendingReason = "processing" | "insufficient_funds";

/** Why a refund failed. The second is that of a dispute which was opened while the refund was pending. */
export type FailureReason = "expired_or_canceled_card" | "charge_for_pending_refund_disputed" | "insufficient_funds";

export interface Refund {
  readonly id: string;
  readonly sessionId: string;
  readonly paymentIntent: string;
  /** Id of the charge. */
  readonly charge: string;
  readonly amount: number;
  readonly currency: string;
  /** Epoch seconds. */
  readonly created: number;
  readonly status: "pending" | "succeeded" | "failed" | "canceled";
  /** Only while it is pending. */
  readonly pendingReason?: PendingReason | undefined;
  readonly failureReason?: FailureReason;
  readonly reason: (typeof refundReasons)[number] | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** Its line in the balance; absent as long as the balance does not suffice. */
  readonly transaction?: string;
  /** The line that brings the amount back after a failure. */
  readonly failureTransaction?: string;
}

/** A change of a refund, with its line in the balance. */
export interface RefundChange {
  readonly refund: Refund;
  readonly transactions: readonly Transaction[];
}

/** Takes a refund's amount from the balance. */
export function debited(refund: Refund, now: number): RefundChange {
  const { id: source, amount, currency } = refund;
  const description = "REFUND FOR CHARGE";
  const transaction = newTransaction("refund", { amount: -amount, currency, created: now, source, description });
  return { refund: { ...refund, transaction: transaction.id }, transactions: [transaction] };
}

/** @throws PaymentProblem when the refund is not pending */
export function succeeded(before: Refund, now: number): RefundChange {
  if (before.status !== "pending") throw new PaymentProblem(400, `This refund has a status of ${before.status}.`);
  const change = before.transaction === undefined ? debited(before, now) : { refund: before, transactions: [] };
  return { ...change, refund: { ...change.refund, status: "succeeded", pendingReason: undefined } };
}

/**
 * A refund can fail while it is pending, and days after it succeeded. An amount that had left the balance comes back.
 * @throws PaymentProblem when the refund has failed before
 */
export function failed(before: Refund, now: number, failureReason?: FailureReason): RefundChange {
  if (isGone(before)) throw new PaymentProblem(400, `This refund has a status of ${before.status}.`);
  const usual = before.pendingReason === "insufficient_funds" ? "insufficient_funds" : "expired_or_canceled_card";
  const refund: Refund = {
    ...before,
    status: "failed",
    pendingReason: undefined,
    failureReason: failureReason ?? usual,
  };
  if (before.transaction === undefined) return { refund, transactions: [] };
  const { id: source, amount, currency } = before;
  const description = "REFUND FAILURE";
  const transaction = newTransaction("refund_failure", { amount, currency, created: now, source, description });
  return { refund: { ...refund, failureTransaction: transaction.id }, transactions: [transaction] };
}

/** The club cancels a pending refund. @throws PaymentProblem when it is not pending */
export function cancelled(before: Refund, now: number): RefundChange {
  if (before.status !== "pending") throw new PaymentProblem(400, `This refund has a status of ${before.status}.`);
  const { refund, transactions } = failed(before, now);
  const { failureReason: _, ...gone } = refund;
  return { refund: { ...gone, status: "canceled" }, transactions };
}

const isGone = ({ status }: Pick<Refund, "status">): boolean => status === "failed" || status === "canceled";

/** The sum of all refunds that have neither failed nor were canceled. */
export const refundedOf = (refunds: readonly Refund[]): number =>
  refunds.reduce((sum, refund) => (isGone(refund) ? sum : sum + refund.amount), 0);

export const refundObject = (refund: Refund) =>
  ({
    id: refund.id,
    object: "refund",
    amount: refund.amount,
    balance_transaction: refund.transaction ?? null,
    charge: refund.charge,
    created: refund.created,
    currency: refund.currency,
    destination_details: {
      card: { reference_status: "pending", reference_type: "acquirer_reference_number", type: "refund" },
      type: "card",
    },
    ...(refund.failureTransaction !== undefined && { failure_balance_transaction: refund.failureTransaction }),
    ...(refund.failureReason !== undefined && { failure_reason: refund.failureReason }),
    metadata: refund.metadata,
    payment_intent: refund.paymentIntent,
    ...(refund.pendingReason !== undefined && { pending_reason: refund.pendingReason }),
    reason: refund.reason,
    status: refund.status,
  }) satisfies Partial<Stripe.Refund>;
