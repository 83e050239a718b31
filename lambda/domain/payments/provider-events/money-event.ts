/**
 * Events of the provider about refunds, disputes and payouts. `charge.refunded` is not among them: it has only the sum of
 * the refunds, and the events of each refund bring its id too. Pure.
 */
import type { Catalogue } from "#outbox/catalogue.ts";
import { type Dispute, type StoredPayment, withDispute, withRefund } from "../payment.ts";
import { centsIn, type Fields, fieldsOf, idIn, nameIn } from "../provider/provider-fields.ts";
import { refundIn } from "../provider/provider-refund.ts";

/** A fact about a payment, or a payout whose lines have to be read. */
export type MoneyEvent =
  | {
      readonly kind: "payment";
      /** The name of the payment: its transfer at the provider. */
      readonly name: string;
      /** Returns the same object when the fact is known. */
      readonly change: (payment: StoredPayment) => StoredPayment;
    }
  | ({ readonly kind: "payout" } & Catalogue["payment.paidOut"]);

function refundEvent(object: Fields): MoneyEvent | undefined {
  const [name, refund] = [idIn(object.payment_intent), refundIn(object)];
  if (name === undefined || !refund) return undefined;
  const { refundId, ...told } = refund;
  const at = (centsIn(object.created) ?? 0) * 1_000;
  return { kind: "payment", name, change: (payment) => withRefund(payment, refundId, told, at) };
}

/** Other statuses are open. An inquiry that was closed without a dispute ends as won: the money stays. */
const disputeStates = new Map<unknown, Dispute["state"]>([
  ["warning_needs_response", "inquiry"],
  ["warning_under_review", "inquiry"],
  ["warning_closed", "won"],
  ["won", "won"],
  ["prevented", "prevented"],
  ["lost", "lost"],
]);

/** What a dispute has taken, by its lines in the balance. https://docs.stripe.com/api/disputes/object */
function takenIn({ balance_transactions: lines }: Fields): Pick<Dispute, "taken" | "lines"> {
  if (!Array.isArray(lines)) return {};
  const moved = lines.reduce<number>((all, line) => all + (centsIn(fieldsOf(line).amount) ?? 0), 0);
  return { taken: Math.max(0, -moved), lines: lines.length };
}

function disputeEvent(object: Fields): MoneyEvent | undefined {
  const [name, id, amount] = [idIn(object.payment_intent), nameIn(object.id), centsIn(object.amount)];
  if (name === undefined || id === undefined || amount === undefined) return undefined;
  const due = centsIn(fieldsOf(object.evidence_details).due_by);
  const told: Dispute = {
    amount,
    state: disputeStates.get(object.status) ?? "open",
    ...takenIn(object),
    ...(due !== undefined && { dueBy: due * 1_000 }),
  };
  return { kind: "payment", name, change: (payment) => withDispute(payment, id, told) };
}

function payoutEvent({ id, arrival_date }: Fields): MoneyEvent | undefined {
  const [payoutId, seconds] = [nameIn(id), centsIn(arrival_date)];
  if (payoutId === undefined) return undefined;
  return { kind: "payout", payoutId, ...(seconds !== undefined && { paidOutAt: seconds * 1_000 }) };
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
