/** The events that the provider tells the webhook: https://docs.stripe.com/api/events/types */
import Stripe from "stripe";
import { newId } from "./keys.ts";

/** The types that are told. */
export type EventType = Extract<
  Stripe.Event["type"],
  | `checkout.session.${"completed" | "async_payment_succeeded" | "async_payment_failed" | "expired"}`
  | `refund.${string}`
  | `charge.dispute.${string}`
  | "charge.refunded"
  | `payout.${string}`
>;

/** The types of one object. */
export type EventOf<Prefix extends "checkout.session" | "charge.dispute" | "refund" | "payout"> = Extract<
  EventType,
  `${Prefix}.${string}`
>;

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
export type Told = {
  readonly [Type in EventType]: {
    readonly type: Type;
    readonly object: Extract<Stripe.Event, { readonly type: Type }>["data"]["object"];
    readonly sessionId?: string | undefined;
  };
}[EventType];

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
    object: "event" as const,
    api_version: Stripe.API_VERSION,
    created,
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: cause.requestId ?? null, idempotency_key: cause.idempotencyKey ?? null },
    type,
  } satisfies Stripe.EventBase;
  return { id, type, sessionId, created, body: JSON.stringify(event, null, 2) };
}
