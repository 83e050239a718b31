/**
 * Disputes, in the provider's words (https://docs.stripe.com/disputes/how-disputes-work). What they have taken is what their
 * lines in the balance say. Their statuses have no order: a dispute that was won may be taken back. Pure.
 */

import { isDeepStrictEqual } from "node:util";
import type Stripe from "stripe";
import { centsIn, type Fields, fieldsOf, idIn, nameIn } from "./provider-fields.ts";

/** A payment that the person's bank has taken back, or asks about. */
export interface Dispute {
  /** In cents. */
  readonly amount: number;
  /** In the provider's word. */
  readonly status: string;
  /** What each of its lines in the balance has moved, in cents, by the line's id: less than 0, it was taken. */
  readonly moved: Readonly<Record<string, number>>;
  /** The provider lets the rest of the charge be refunded. */
  readonly isRefundable: boolean;
  /** Until when the club may answer, or refund an inquiry. Epoch milliseconds. */
  readonly dueBy?: number;
}

/** As it was stored before it had the provider's words. */
export interface FormerDispute {
  readonly amount: number;
  readonly state: "inquiry" | "open" | "lost" | "prevented" | "won";
  /** In cents. Older records lack it. */
  readonly taken?: number;
  readonly lines?: number;
  readonly dueBy?: number;
}

export type StoredDispute = Dispute | FormerDispute;

/** What a status means. */
interface Meaning {
  /** What its lines have taken: may come back, is gone for good, or has reached the person. */
  readonly money: "frozen" | "lost" | "paid back";
  /** Who acts next. */
  readonly acts: "club" | "bank" | "nobody";
  /** What a person has to do, where the club acts. */
  readonly todo?: string;
}

/** The statuses that the SDK knows by name. */
type KnownStatus = Stripe.Dispute.Status extends infer S
  ? S extends string
    ? string & {} extends S
      ? never
      : S
    : never
  : never;

// biome-ignore format: one row a status
export const disputeMeanings = {
  warning_needs_response: { money: "frozen",    acts: "club",   todo: "A bank asks about it: refund it, or answer at the provider" },
  warning_under_review:   { money: "frozen",    acts: "bank" },
  warning_closed:         { money: "frozen",    acts: "nobody" },
  needs_response:         { money: "frozen",    acts: "club",   todo: "Disputed: answer at the provider" },
  under_review:           { money: "frozen",    acts: "bank" },
  appeal_needs_response:  { money: "frozen",    acts: "club",   todo: "Disputed again after it was won: answer at the provider" },
  appeal_under_review:    { money: "frozen",    acts: "bank" },
  won:                    { money: "frozen",    acts: "nobody" },
  lost:                   { money: "lost",      acts: "nobody" },
  prevented:              { money: "paid back", acts: "nobody" },
} as const satisfies Readonly<Record<KnownStatus, Meaning>>;

const unknownStatus: Meaning = {
  ...{ money: "frozen", acts: "club", todo: "A dispute of an unknown status: look at the provider" },
};

const formerStatuses = {
  ...{ inquiry: "warning_needs_response", open: "needs_response", lost: "lost", prevented: "prevented", won: "won" },
} as const satisfies Readonly<Record<FormerDispute["state"], KnownStatus>>;

const isKnownStatus = (status: string): status is KnownStatus => Object.hasOwn(disputeMeanings, status);

/** What a status means; of one that is not known, that the treasurer has to look. */
export const meaningOf = (status: string): Meaning => (isKnownStatus(status) ? disputeMeanings[status] : unknownStatus);

/** The provider's word, also for a record with the words of before. */
export const statusOf = (dispute: StoredDispute): string =>
  "status" in dispute ? dispute.status : formerStatuses[dispute.state];

/** What its lines have taken and not brought back, in cents. */
export function takenBy(dispute: StoredDispute): number {
  if ("moved" in dispute) return Math.max(0, -Object.values(dispute.moved).reduce((all, moved) => all + moved, 0));
  const { amount, state, taken = state === "open" || state === "lost" ? amount : 0 } = dispute;
  return taken;
}

/** Whether nothing else of the payment can be refunded. */
export function forbidsRefunds(dispute: StoredDispute): boolean {
  if (meaningOf(statusOf(dispute)).acts === "nobody") return false;
  return "isRefundable" in dispute ? !dispute.isRefundable : takenBy(dispute) > 0;
}

/** What the provider says of a dispute, and whose it is. */
export interface FoundDispute {
  readonly id: string;
  /** The transfer of the disputed payment. */
  readonly paymentIntent: string;
  readonly dispute: Dispute;
}

/** What a dispute object says: https://docs.stripe.com/api/disputes/object. Undefined if it is none. */
export function disputeIn(object: unknown): FoundDispute | undefined {
  const fields = fieldsOf(object);
  const [id, paymentIntent, amount] = [nameIn(fields.id), idIn(fields.payment_intent), centsIn(fields.amount)];
  if (id === undefined || paymentIntent === undefined || amount === undefined) return undefined;
  const lines = Array.isArray(fields.balance_transactions) ? fields.balance_transactions.map(fieldsOf) : [];
  // The provider settles the line in another currency, and moves all of the disputed amount.
  const movedBy = (line: Fields): number =>
    line.currency === fields.currency ? (centsIn(line.amount) ?? 0) : Math.sign(centsIn(line.amount) ?? 0) * amount;
  const moved = Object.fromEntries(lines.flatMap((line) => (nameIn(line.id) ? [[line.id, movedBy(line)]] : [])));
  const due = centsIn(fieldsOf(fields.evidence_details).due_by);
  const dispute: Dispute = {
    amount,
    status: nameIn(fields.status) ?? "unknown",
    moved,
    isRefundable: fields.is_charge_refundable === true,
    ...(due !== undefined && { dueBy: due * 1_000 }),
  };
  return { id, paymentIntent, dispute };
}

/** The dispute with what the provider says of it now; the same object when nothing is new. Each line counts once. */
export function updatedDispute(known: StoredDispute | undefined, told: Dispute): StoredDispute {
  const moved = { ...(known && "moved" in known && known.moved), ...told.moved };
  const next = { ...told, moved };
  return known && isDeepStrictEqual(known, next) ? known : next;
}
