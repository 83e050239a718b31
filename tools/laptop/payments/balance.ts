/**
 * The provider's balance: a transaction for each movement of money, and payouts to the bank.
 * https://docs.stripe.com/api/balance_transactions/object and https://docs.stripe.com/api/payouts/object. Pure.
 */
import type Stripe from "stripe";
import { newId } from "./keys.ts";

/** What a transaction is for, as reports sort it. */
export type Category =
  | ("charge" | "refund" | "refund_failure" | "dispute" | "dispute_reversal")
  | ("payout" | "payout_reversal");

/** A line of the balance. It never changes. */
export interface Transaction {
  readonly id: string;
  readonly category: Category;
  /** In the smallest unit of the currency; negative when money leaves the balance. */
  readonly amount: number;
  readonly fee: number;
  /** ISO 4217, lower-case. */
  readonly currency: string;
  /** Epoch seconds. */
  readonly created: number;
  /** Id of the charge, refund, dispute or payout. */
  readonly source: string;
  readonly description: string | null;
}

/** `pending` until the bank has it. Also what was `paid` may fail, within days. */
export type PayoutStatus = "pending" | "in_transit" | "paid" | "failed";

/** Transactions that were sent to the bank together. */
export interface Payout {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  /** Epoch seconds. */
  readonly created: number;
  /** The payout's own transaction. */
  readonly transaction: string;
  /** The transactions that it pays out. */
  readonly transactions: readonly string[];
  /** Absent in older records: it is paid. */
  readonly status?: PayoutStatus;
  /** Epoch seconds. At once when absent. */
  readonly arrivesAt?: number;
  /** The line that brings the amount back after a failure. */
  readonly failureTransaction?: string;
}

export const statusOf = ({ status = "paid" }: Payout): PayoutStatus => status;

/** A share of the amount, and a fixed amount for each charge. */
const chargeShare = 0.029;
const fixedFee = 30;
/** The fee of a dispute; it is kept also when the dispute is won. */
const disputeFee = 1_500;

const feeOf = (category: Category, amount: number): number =>
  category === "charge" ? Math.round(amount * chargeShare) + fixedFee : category === "dispute" ? disputeFee : 0;

/** A new line of the balance, with its fee. */
export const newTransaction = (
  category: Category,
  details: Pick<Transaction, "amount" | "currency" | "created" | "source"> & { readonly description?: string },
): Transaction => ({
  id: newId("txn"),
  category,
  fee: feeOf(category, details.amount),
  description: null,
  ...details,
});

/** What the transaction adds to the balance. */
export const netOf = ({ amount, fee }: Transaction): number => amount - fee;

const feeDetails = ({ fee, category, currency }: Transaction) =>
  fee === 0
    ? []
    : [
        {
          amount: fee,
          application: null,
          currency,
          description: category === "dispute" ? "Dispute fee" : "Stripe processing fees",
          type: "stripe_fee",
        },
      ];

const typeOf = {
  charge: "charge",
  refund: "refund",
  refund_failure: "refund_failure",
  dispute: "adjustment",
  dispute_reversal: "adjustment",
  payout: "payout",
  payout_reversal: "payout_failure",
} as const satisfies Readonly<Record<Category, Stripe.BalanceTransaction.Type>>;

/** A transaction as the provider's client gets it. All money is available at once: no day of settlement is played. */
export function transactionObject(transaction: Transaction) {
  const { id, category, amount, fee, currency, created, source, description } = transaction;
  return {
    id,
    object: "balance_transaction",
    amount,
    available_on: created,
    balance_type: "payments",
    created,
    currency,
    description,
    exchange_rate: null,
    fee,
    fee_details: feeDetails(transaction),
    net: netOf(transaction),
    reporting_category: category,
    source,
    status: "available",
    type: typeOf[category],
  } satisfies Stripe.BalanceTransaction;
}

/** An automatic payout as the provider's client gets it: its transactions can be listed. */
export const payoutObject = (payout: Payout) =>
  ({
    id: payout.id,
    object: "payout",
    amount: payout.amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: payout.arrivesAt ?? payout.created,
    automatic: true,
    balance_transaction: payout.transaction,
    created: payout.created,
    currency: payout.currency,
    description: "STRIPE PAYOUT",
    destination: "ba_local",
    failure_balance_transaction: payout.failureTransaction ?? null,
    failure_code: payout.failureTransaction === undefined ? null : "account_closed",
    failure_message: payout.failureTransaction === undefined ? null : "The bank account has been closed.",
    livemode: false,
    metadata: {},
    method: "standard",
    original_payout: null,
    payout_method: null,
    reconciliation_status: "completed",
    reversed_by: null,
    source_type: "card",
    statement_descriptor: null,
    status: statusOf(payout),
    trace_id: { status: "pending", value: null },
    type: "bank_account",
  }) satisfies Stripe.Payout;

const inCurrency = (transactions: readonly Transaction[], currency: string) => {
  const ours = transactions.filter((one) => one.currency === currency);
  const amount = ours.reduce((sum, one) => sum + netOf(one), 0);
  return { amount, currency, source_types: { card: amount } };
};

/**
 * What is in the account: https://docs.stripe.com/api/balance/balance_object. Nothing is pending, as no transaction is.
 * @param transactions what is not paid out
 */
export function balanceObject(transactions: readonly Transaction[]) {
  const currencies = [...new Set(transactions.map(({ currency }) => currency))];
  return {
    object: "balance",
    available: currencies.map((currency) => inCurrency(transactions, currency)),
    livemode: false,
    pending: currencies.map((currency) => inCurrency([], currency)),
  } satisfies Stripe.Balance;
}
