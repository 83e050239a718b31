/** The payment of a session in the provider's answers: https://docs.stripe.com/api/charges/object. Pure. */
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
    balance_transaction: charge.transaction,
    captured: true,
    created: charge.created,
    currency,
    disputed: isDisputed,
    livemode: false,
    metadata: session.intentMetadata ?? {},
    paid: true,
    payment_intent: session.paymentIntent,
    refunded: refunded === total,
    status: "succeeded",
  } satisfies Partial<Stripe.Charge>;
}
