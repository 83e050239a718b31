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

const day = 24 * 60 * 60;
/** Days in which the club may answer; the time ends with the last day. */
const answerTime = 8;

const noEvidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

export const disputeObject = (dispute: Dispute) =>
  ({
    id: dispute.id,
    object: "dispute",
    amount: dispute.amount,
    balance_transactions: dispute.transactions.map(transactionObject),
    charge: dispute.charge,
    created: dispute.created,
    currency: dispute.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: Math.ceil((dispute.created + answerTime * day) / day) * day - 1,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "not_submitted",
    },
    intended_submission_method: null,
    is_charge_refundable: !forbidsRefunds(dispute),
    livemode: false,
    metadata: {},
    payment_intent: dispute.paymentIntent,
    payment_method_details: {
      card: { brand: "visa", case_type: "chargeback", network: "visa", network_reason_code: "10.4" },
      type: "card",
    },
    reason: "fraudulent",
    status: dispute.status,
  }) satisfies Stripe.Dispute;
