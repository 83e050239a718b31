/**
 * Events of the provider about refunds, disputes and payouts. `charge.refunded` is not among them: it has only the sum of
 * the refunds, and the events of each refund bring its id too. Pure.
 */
import type { Catalogue, FailedPayout } from "#outbox/catalogue.ts";
import { refundIn } from "../provider/provider-refund.ts";
import { disputeIn, type FoundDispute } from "../record/dispute.ts";
import { type StoredPayment, withRefund } from "../record/payment.ts";
import { centsIn, type Fields, fieldsOf, idIn, nameIn } from "../record/provider-fields.ts";

/** A fact about a payment, a dispute that has to be asked about, a payout whose lines have to be read, or one that failed. */
export type MoneyEvent =
  | {
      readonly kind: "payment";
      /** The name of the payment: its transfer at the provider. */
      readonly name: string;
      /** Returns the same object when the fact is known. */
      readonly change: (payment: StoredPayment) => StoredPayment;
    }
  | ({ readonly kind: "dispute" } & FoundDispute)
  | ({ readonly kind: "payout" } & Catalogue["payment.paidOut"])
  | {
      readonly kind: "failed payout";
      readonly payout: FailedPayout /** Epoch milliseconds. */;
      readonly createdAt: number;
    };

function refundEvent(object: Fields): MoneyEvent | undefined {
  const [name, refund] = [idIn(object.payment_intent), refundIn(object)];
  if (name === undefined || !refund) return undefined;
  const { refundId, ...told } = refund;
  const at = (centsIn(object.created) ?? 0) * 1_000;
  return { kind: "payment", name, change: (payment) => withRefund(payment, refundId, told, at) };
}

function disputeEvent(object: Fields): MoneyEvent | undefined {
  const found = disputeIn(object);
  return found && { kind: "dispute", ...found };
}

function payoutEvent({ id, arrival_date }: Fields): MoneyEvent | undefined {
  const [payoutId, seconds] = [nameIn(id), centsIn(arrival_date)];
  if (payoutId === undefined) return undefined;
  return { kind: "payout", payoutId, ...(seconds !== undefined && { paidOutAt: seconds * 1_000 }) };
}

/** https://docs.stripe.com/api/payouts/object */
function failedPayoutEvent({ id, amount, currency, created, failure_code }: Fields): MoneyEvent | undefined {
  const [payoutId, cents, seconds, code] = [nameIn(id), centsIn(amount), centsIn(created), nameIn(currency)];
  if (payoutId === undefined || cents === undefined || seconds === undefined || code === undefined) return undefined;
  const because = nameIn(failure_code) ?? "unknown";
  const payout = { payoutId, amount: cents, currency: code.toUpperCase(), because };
  return { kind: "failed payout", payout, createdAt: seconds * 1_000 };
}

const readers = {
  "refund.created": refundEvent,
  "refund.updated": refundEvent,
  "refund.failed": refundEvent,
  "charge.dispute.created": disputeEvent,
  "charge.dispute.updated": disputeEvent,
  "charge.dispute.closed": disputeEvent,
  "charge.dispute.funds_withdrawn": disputeEvent,
  "charge.dispute.funds_reinstated": disputeEvent,
  // The lines of the payout can be read from now on: https://docs.stripe.com/payouts/reconciliation
  "payout.reconciliation_completed": payoutEvent,
  "payout.failed": failedPayoutEvent,
} as const;

type MoneyEventType = keyof typeof readers;

/** The types of these events. */
export const moneyEventTypes = Object.keys(readers) as readonly MoneyEventType[];

const isMoneyEvent = (type: unknown): type is MoneyEventType =>
  typeof type === "string" && Object.hasOwn(readers, type);

/** What a signed event says about money; undefined for other events. */
export function moneyEventOf(event: unknown): MoneyEvent | undefined {
  const { type, data } = fieldsOf(event);
  return isMoneyEvent(type) ? readers[type](fieldsOf(fieldsOf(data).object)) : undefined;
}
