/**
 * The payment of a session in the provider's answers: https://docs.stripe.com/api/charges/object and
 * https://docs.stripe.com/api/payment_intents/object. Pure.
 */
import type Stripe from "stripe";
import { type Refund, refundedOf } from "./refund.ts";
import { type PaidSession, type Session, totalOf } from "./session.ts";

/** What happened to a charge after the payment. */
export interface Aftermath {
  readonly refunds: readonly Refund[];
  readonly isDisputed: boolean;
}

/** What has not been refunded, or is not about to be. */
export const leftOf = (session: Session, refunds: readonly Refund[]): number =>
  totalOf(session.lineItems) - refundedOf(refunds);

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
    billing_details: {
      address: null,
      email: session.payerEmail ?? session.customerEmail,
      name: null,
      phone: null,
      tax_id: null,
    },
    calculated_statement_descriptor: null,
    captured: true,
    created: charge.created,
    currency,
    customer: null,
    description: null,
    disputed: isDisputed,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: session.intentMetadata ?? {},
    on_behalf_of: null,
    outcome: null,
    paid: true,
    payment_intent: session.paymentIntent,
    payment_method: null,
    payment_method_details: null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: refunded === total,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: "succeeded",
    transfer_data: null,
    transfer_group: null,
  } satisfies Stripe.Charge;
}

const intentStatus = {
  open: "requires_payment_method",
  paid: "succeeded",
  underway: "processing",
  failed: "requires_payment_method",
  expired: "canceled",
} as const;

/** @param session one whose payer has paid, or tried to */
export function intentObject(session: Session & { readonly paymentIntent: string }) {
  const total = totalOf(session.lineItems);
  return {
    id: session.paymentIntent,
    object: "payment_intent",
    allowed_payment_method_types: null,
    amount: total,
    amount_capturable: 0,
    amount_received: session.state === "paid" ? total : 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic_async",
    client_secret: null,
    confirmation_method: "automatic",
    created: session.created,
    currency: session.currency,
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: session.charge?.id ?? null,
    livemode: false,
    managed_payments: null,
    metadata: session.intentMetadata ?? {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: intentStatus[session.state],
    transfer_group: null,
  } satisfies Stripe.PaymentIntent;
}
