/** The events that the provider tells the webhook: https://docs.stripe.com/api/events/types */
import Stripe from "stripe";
import { newId } from "./keys.ts";

export type EventType =
  | "checkout.session.completed"
  | "checkout.session.async_payment_succeeded"
  | "checkout.session.async_payment_failed"
  | "checkout.session.expired"
  | "refund.created"
  | "refund.updated"
  | "refund.failed"
  | "charge.refunded"
  | "charge.dispute.created"
  | "charge.dispute.funds_withdrawn"
  | "charge.dispute.funds_reinstated"
  | "charge.dispute.closed"
  | "payout.paid"
  | "payout.reconciliation_completed";

/** An event for the webhook; all attempts send the same body. */
export interface PaymentEvent {
  readonly id: string;
  readonly type: EventType;
  /** Absent for a payout. */
  readonly sessionId?: string | undefined;
  /** Epoch seconds. */
  readonly created: number;
  /** JSON. */
  readonly body: string;
}

/** An event to tell: its type, and the changed object after the change. */
export interface Told {
  readonly type: EventType;
  readonly object: object;
  readonly sessionId?: string | undefined;
}

/** The request that causes an event; both fields are absent for a button on a page. */
export interface Cause {
  readonly requestId?: string;
  readonly idempotencyKey?: string;
}

/** @param created epoch seconds */
export function newEvent({ type, object, sessionId }: Told, created: number, cause: Cause): PaymentEvent {
  const id = newId("evt");
  const event = {
    id,
    object: "event",
    api_version: Stripe.API_VERSION,
    created,
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: cause.requestId ?? null, idempotency_key: cause.idempotencyKey ?? null },
    type,
  };
  return { id, type, sessionId, created, body: JSON.stringify(event, null, 2) };
}
