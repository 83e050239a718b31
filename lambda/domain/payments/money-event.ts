/**
 * Events of the provider about refunds, disputes and payouts. `charge.refunded` is not among them: it has only the sum of
 * the refunds, and the events of each refund bring its id too. Pure.
 */
import type { Stripe } from "stripe";
import { type Dispute, type StoredPayment, withDispute, withRefund } from "./payment.ts";
import { type RefundObject, refundIn } from "./provider-refund.ts";

/** A fact about a payment, or a payout whose lines have to be read. */
export type MoneyEvent =
  | {
      readonly kind: "payment";
      /** The name of the payment: its transfer at the provider. */
      readonly name: string;
      /** Returns the same object when the fact is known. */
      readonly change: (payment: StoredPayment) => StoredPayment;
    }
  | { readonly kind: "payout"; readonly payoutId: string };

type Intent = string | { readonly id: string } | null;

const nameOf = (intent: Intent | undefined): string | undefined => (typeof intent === "object" ? intent?.id : intent);

/** The parts of an object that an event is about. */
type About<O> = O & { readonly payment_intent?: Intent; readonly created?: number };

function refundEvent(refund: About<RefundObject>): MoneyEvent | undefined {
  const name = nameOf(refund.payment_intent);
  const { refundId, ...told } = refundIn(refund);
  const at = (refund.created ?? 0) * 1_000;
  return name === undefined
    ? undefined
    : { kind: "payment", name, change: (payment) => withRefund(payment, refundId, told, at) };
}

/** An inquiry that was closed without a dispute, and one that was prevented, end as won: the money stays. */
const disputeStates: Readonly<Record<string, Dispute["state"]>> = {
  won: "won",
  warning_closed: "won",
  prevented: "won",
  lost: "lost",
};

function disputeEvent({ id, amount, status, payment_intent }: About<Pick<Stripe.Dispute, "id" | "amount" | "status">>) {
  const name = nameOf(payment_intent);
  const state = disputeStates[status] ?? "open";
  return name === undefined
    ? undefined
    : ({
        kind: "payment",
        name,
        change: (payment) => withDispute(payment, id, { amount, state }),
      } satisfies MoneyEvent);
}

const payoutEvent = ({ id }: Pick<Stripe.Payout, "id">): MoneyEvent => ({ kind: "payout", payoutId: id });

const readers = {
  "refund.created": refundEvent,
  "refund.updated": refundEvent,
  "refund.failed": refundEvent,
  "charge.dispute.created": disputeEvent,
  "charge.dispute.updated": disputeEvent,
  "charge.dispute.closed": disputeEvent,
  // The lines of the payout can be read from now on: https://docs.stripe.com/payouts/reconciliation
  "payout.reconciliation_completed": payoutEvent,
} as const;

type MoneyEventType = keyof typeof readers;

/** The types of these events. */
export const moneyEventTypes = Object.keys(readers) as readonly MoneyEventType[];

/** What a signed event says about money; undefined for other events. */
export function moneyEventOf(event: unknown): MoneyEvent | undefined {
  const { type, data } = event as { readonly type: string; readonly data: { readonly object: never } };
  return Object.hasOwn(readers, type) ? readers[type as MoneyEventType](data.object) : undefined;
}
