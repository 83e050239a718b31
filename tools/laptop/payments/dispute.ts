/** A dispute, and its form in the provider's answers: https://docs.stripe.com/api/disputes/object. Pure. */
import type Stripe from "stripe";
import { type Transaction, transactionObject } from "./balance.ts";

/** https://docs.stripe.com/disputes/how-disputes-work */
export const disputeStatuses = [
  ...(["warning_needs_response", "warning_under_review", "warning_closed"] as const),
  ...(["needs_response", "under_review", "appeal_needs_response", "appeal_under_review"] as const),
  ...(["won", "lost", "prevented"] as const),
] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];

/** The statuses in which a bank begins. */
export const firstStatuses = [
  "needs_response",
  "warning_needs_response",
  "prevented",
] as const satisfies DisputeStatus[];

/** What a bank does next. A dispute that was won is taken back by an appeal, and a closed inquiry may become a dispute. */
export const nextStatuses: Readonly<Record<DisputeStatus, readonly DisputeStatus[]>> = {
  warning_needs_response: ["warning_under_review", "warning_closed", "needs_response"],
  warning_under_review: ["warning_closed", "needs_response"],
  warning_closed: ["needs_response"],
  needs_response: ["under_review", "won", "lost"],
  under_review: ["won", "lost"],
  won: ["appeal_needs_response"],
  appeal_needs_response: ["appeal_under_review", "won", "lost"],
  appeal_under_review: ["won", "lost"],
  lost: [],
  prevented: [],
};

/** Whether the club's money is with the bank, or the person. */
export const isTaken = (status: DisputeStatus): boolean => status !== "won" && !status.startsWith("warning_");

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

/** What its lines have taken and not brought back. */
export const takenBy = ({ transactions }: Dispute): number =>
  Math.max(0, -transactions.reduce((all, { amount }) => all + amount, 0));

/** Whether its charge can be refunded no more, or not now. */
export const forbidsRefunds = (dispute: Dispute): boolean =>
  dispute.status !== "won" && dispute.status !== "warning_closed" && takenBy(dispute) > 0;

/** The laptop takes no evidence. */
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
} satisfies Stripe.Dispute.Evidence;

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
      due_by: dispute.created + 14 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "not_submitted",
    },
    intended_submission_method: "manual",
    is_charge_refundable: !forbidsRefunds(dispute),
    livemode: false,
    metadata: {},
    network_reason_code: "10.4",
    payment_intent: dispute.paymentIntent,
    payment_method_details: {
      card: {
        brand: "visa",
        case_type: dispute.status.startsWith("warning_") ? "inquiry" : "chargeback",
        network: "visa",
        network_reason_code: "10.4",
      },
      type: "card",
    },
    reason: "fraudulent",
    status: dispute.status,
  }) satisfies Stripe.Dispute;
