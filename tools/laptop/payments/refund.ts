/** A refund, its states, and its form in the provider's answers: https://docs.stripe.com/api/refunds/object. Pure. */
import type Stripe from "stripe";
import { newTransaction, type Transaction } from "./balance.ts";
import { PaymentProblem } from "./problem.ts";

export const refundReasons = ["duplicate", "fraudulent", "requested_by_customer"] as const;

/**
 * Why a refund failed. The second is that of a dispute which was opened while the refund was pending, and the third that of
 * one which waited for the balance.
 */
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
  readonly status: "pending" | "succeeded" | "failed";
  /** A pending one without this is being processed. */
  readonly pendingReason?: "insufficient_funds";
  readonly failureReason?: FailureReason;
  readonly reason: (typeof refundReasons)[number] | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** Its line in the balance. */
  readonly transaction: string;
  /** The line that brings the amount back after a failure. */
  readonly failureTransaction?: string;
}

/** A change of a refund, with its line in the balance. */
export interface RefundChange {
  readonly refund: Refund;
  readonly transactions: readonly Transaction[];
}

/** A refund whose amount is taken from the balance. */
export function debited(refund: Omit<Refund, "transaction">, now: number): RefundChange {
  const { id: source, amount, currency } = refund;
  const description = "REFUND FOR CHARGE";
  const transaction = newTransaction("refund", { amount: -amount, currency, created: now, source, description });
  return { refund: { ...refund, transaction: transaction.id }, transactions: [transaction] };
}

/** @throws PaymentProblem when the refund is not pending */
export function succeeded(before: Refund): RefundChange {
  if (before.status !== "pending") throw new PaymentProblem(400, `This refund has a status of ${before.status}.`);
  const { pendingReason: _, ...settled } = before;
  return { refund: { ...settled, status: "succeeded" }, transactions: [] };
}

/**
 * A refund can fail while it is pending, and days after it succeeded. Its amount comes back.
 * @throws PaymentProblem when the refund has failed before
 */
export function failed(
  before: Refund,
  now: number,
  failureReason: FailureReason = before.pendingReason ?? "expired_or_canceled_card",
): RefundChange {
  if (before.status === "failed") throw new PaymentProblem(400, "This refund has a status of failed.");
  const { id: source, amount, currency } = before;
  const description = "REFUND FAILURE";
  const transaction = newTransaction("refund_failure", { amount, currency, created: now, source, description });
  return {
    refund: { ...before, status: "failed", failureReason, failureTransaction: transaction.id },
    transactions: [transaction],
  };
}

/** The sum of all refunds that have not failed. */
export const refundedOf = (refunds: readonly Refund[]): number =>
  refunds.reduce((sum, refund) => (refund.status === "failed" ? sum : sum + refund.amount), 0);

export const refundObject = (refund: Refund) =>
  ({
    id: refund.id,
    object: "refund",
    amount: refund.amount,
    balance_transaction: refund.transaction,
    charge: refund.charge,
    created: refund.created,
    currency: refund.currency,
    customer: null,
    customer_account: null,
    destination_details: {
      card: { reference_status: "pending", reference_type: "acquirer_reference_number", type: "refund" },
      type: "card",
    },
    ...(refund.failureTransaction !== undefined && { failure_balance_transaction: refund.failureTransaction }),
    ...(refund.failureReason !== undefined && { failure_reason: refund.failureReason }),
    metadata: refund.metadata,
    payment_intent: refund.paymentIntent,
    payment_method: null,
    ...(refund.status === "pending" && { pending_reason: refund.pendingReason ?? "processing" }),
    reason: refund.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: refund.status,
    transfer_reversal: null,
  }) satisfies Stripe.Refund;
