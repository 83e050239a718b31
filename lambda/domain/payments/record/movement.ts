/**
 * The club's journal: each movement of its money once, by its own date. It stands in three accounts: at the provider, in the
 * cash box, and at the bank. Pure.
 */

import { type Entry, entriesOf, type HowByHand } from "./by-hand.ts";
import { isSettled, type Payment, paymentName, type StoredPayment } from "./payment.ts";

export const accounts = ["provider", "cash", "bank"] as const;
export type Account = (typeof accounts)[number];

/** A movement as stored. Whose it is, its payment says. */
export interface Movement {
  /** The provider's id of the transaction, or that of an entry by hand. */
  readonly id: string;
  /** Epoch milliseconds: its own date. */
  readonly at: number;
  /** In the provider's word (https://docs.stripe.com/reports/balance-transaction-types), or in that of the entry. */
  readonly type: string;
  readonly account: Account;
  /** In cents, less than 0 when money left. */
  readonly amount: number;
  /** In cents. */
  readonly fee: number;
  /** ISO 4217, upper case. */
  readonly currency: string;
  /** The name of the payment. Absent: it is about none, such as a payout. */
  readonly payment?: string;
  /** The provider's id of what has moved: a charge, a refund, a dispute, a payout. */
  readonly source?: string;
  /** The id of the entry that it takes back. */
  readonly reverses?: string;
}

const accountOf: Readonly<Record<HowByHand, Account>> = { cash: "cash", transfer: "bank" };

type ByHand = Omit<Movement, "account" | "fee" | "currency" | "payment"> & { readonly how: HowByHand | undefined };

const taken = ([id, { amount, how, at, dated = at }]: [string, Entry]): ByHand[] =>
  amount === 0 ? [] : [{ id, at: dated, type: how ?? "cash", how, amount }];

/** What was taken and given back by hand, and the reversals, which have the date of their own. */
export function movementsByHand(payment: StoredPayment | undefined): Movement[] {
  if (!isSettled(payment)) return [];
  const { money, byHand, refunds = {}, reversals = {} } = payment;
  const given = Object.entries(refunds).flatMap(
    ([id, { isByHand, amount, how = byHand?.how, at, dated = at }]): ByHand[] =>
      isByHand ? [{ id, at: dated, type: "given back", how, amount: -amount }] : [],
  );
  const entries = [...Object.entries(entriesOf(payment)).flatMap(taken), ...given];
  const back = Object.entries(reversals).flatMap(([id, { of, at }]): ByHand[] =>
    entries
      .filter((entry) => entry.id === of)
      .map(({ how, amount }) => ({ id, at, type: "reversal", how, amount: -amount, reverses: of })),
  );
  return [...entries, ...back].map(({ how = "cash", ...movement }) => ({
    ...movement,
    ...{ account: accountOf[how], fee: 0, currency: money.currency, payment: nameOf(payment) },
  }));
}

const nameOf = ({ paymentId, money }: Payment): string => paymentName({ paymentId, ...money });

/** What a treasurer calls it. */
export const kinds = [
  ...["payment", "refund", "refund failed", "fee", "dispute", "dispute reversed", "payout", "payout failed"],
  ...["cash", "transfer", "given back", "reversal", "other"],
] as const;
export type Kind = (typeof kinds)[number];

/** By the provider's word. Those of entries by hand are kinds themselves. */
const kindsOfProvider: Readonly<Record<string, Kind>> = {
  ...{ charge: "payment", payment: "payment" },
  ...{
    refund: "refund",
    payment_refund: "refund",
    refund_failure: "refund failed",
    payment_failure_refund: "refund failed",
  },
  ...{ payout: "payout", payout_failure: "payout failed", payout_cancel: "payout failed" },
  ...{ stripe_fee: "fee", tax_fee: "fee" },
};

function kindOf({ type, amount, account, source = "" }: Movement): Kind {
  if (account !== "provider") return type as Kind;
  if (type === "adjustment" && /^(?:du|dp)_/.test(source)) return amount < 0 ? "dispute" : "dispute reversed";
  return kindsOfProvider[type] ?? "other";
}

/** A change of one account. */
export interface Leg extends Omit<Movement, "type" | "fee"> {
  readonly kind: Kind;
}

/** The changes that a movement makes: its fee is one of its own, and a payout leaves the provider for the bank. */
export function legsOf(movement: Movement): Leg[] {
  const { type: _, fee, ...rest } = movement;
  const kind = kindOf(movement);
  const isPayout = kind === "payout" || kind === "payout failed";
  return [
    { ...rest, kind },
    ...(fee === 0 ? [] : [{ ...rest, kind: "fee", amount: -fee } as const]),
    ...(isPayout ? [{ ...rest, kind, account: "bank", amount: -rest.amount } as const] : []),
  ];
}
