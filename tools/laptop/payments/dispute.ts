/** A dispute, and its form in the provider's answers: https://docs.stripe.com/api/disputes/object. Pure. */
import type Stripe from "stripe";
import { type Transaction, transactionObject } from "./balance.ts";

/** No inquiry and no prevented dispute is played: https://docs.stripe.com/disputes/how-disputes-work */
export type DisputeStatus = "needs_response" | "won" | "lost";

/** A cardholder's claim to the bank that a charge is wrong. */
export interface Dispute {
  readonly id: string;
  readonly sessionId: string;
  readonly paymentIntent: string;
  /** Id of the charge. */
  readonly charge: string;
  readonly amount: number;
  readonly currency: string;
  /** Epoch seconds. */
  readonly created: number;
  readonly status: DisputeStatus;
  /** Its line in the balance, and after it is won the line that brings the amount back. */
  readonly transactions: readonly Transaction[];
}

/** Whether its charge can be refunded no more, or not now. */
export const forbidsRefunds = ({ status }: Dispute): boolean => status !== "won";

export const disputeObject = (dispute: Dispute) =>
  ({
    id: dispute.id,
    object: "dispute",
    amount: dispute.amount,
    balance_transactions: dispute.transactions.map(transactionObject),
    charge: dispute.charge,
    created: dispute.created,
    currency: dispute.currency,
    is_charge_refundable: !forbidsRefunds(dispute),
    livemode: false,
    payment_intent: dispute.paymentIntent,
    reason: "fraudulent",
    status: dispute.status,
  }) satisfies Partial<Stripe.Dispute>;
