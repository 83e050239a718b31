/** The payment of a session in the provider's answers: https://docs.stripe.com/api/charges/object. Pure. */
import type Stripe from "stripe";
import { type Refund, refundedOf } from "./refund.ts";
import { emailOf, type PaidSession, type Session, totalOf } from "./session.ts";

/** What happened to a charge after the payment. */
export interface Aftermath {
  readonly refunds: readonly Refund[];
  readonly isDisputed: boolean;
}

/** What has not been refunded, or is not about to be. */
export const leftOf = (session: Session, refunds: readonly Refund[]): number =>
  totalOf(session.lineItems) - refundedOf(refunds);

/** The card network's consent. */
const outcome = {
  advice_code: null,
  network_advice_code: null,
  network_decline_code: null,
  network_status: "approved_by_network",
  reason: null,
  risk_level: "normal",
  seller_message: "Payment complete.",
  type: "authorized",
} satisfies Stripe.Charge.Outcome;

export function chargeObject(session: PaidSession, { refunds, isDisputed }: Aftermath) {
  const { charge, lineItems, currency } = session;
  const total = totalOf(lineItems);
  const refunded = refundedOf(refunds);
  return {
    id: charge.id,
    object: "charge",
    amount: total,
    amount_captured: total,
    amount_refunded: refunded,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: charge.transaction,
    billing_details: { address: null, email: emailOf(session), name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: null,
    captured: true,
    created: charge.created,
    currency,
    customer: null,
    description: session.description ?? null,
    disputed: isDisputed,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: session.intentMetadata ?? {},
    on_behalf_of: null,
    outcome,
    paid: true,
    payment_intent: session.paymentIntent,
    payment_method: null,
    payment_method_details: { type: "card" },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: refunded === total,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: session.statementSuffix ?? null,
    status: "succeeded",
    transfer_data: null,
    transfer_group: null,
  } satisfies Stripe.Charge;
}
