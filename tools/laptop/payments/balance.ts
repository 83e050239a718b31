/**
 * The provider's balance: a transaction for each movement of money, and payouts to the bank.
 * https://docs.stripe.com/api/balance_transactions/object and https://docs.stripe.com/api/payouts/object. Pure.
 */
import type Stripe from "stripe";
import { newId } from "./keys.ts";

/** What a transaction is for, as reports sort it. */
export type Category = "charge" | "refund" | "refund_failure" | "dispute" | "dispute_reversal" | "payout";

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
}

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
    type: category.startsWith("dispute") ? "adjustment" : (category as Exclude<Category, `dispute${string}`>),
  } satisfies Stripe.BalanceTransaction;
}

/** An automatic payout that has arrived, as the provider's client gets it: its transactions can be listed. */
export const payoutObject = ({ id, amount, currency, created, transaction }: Payout) =>
  ({
    id,
    object: "payout",
    amount,
    arrival_date: created,
    automatic: true,
    balance_transaction: transaction,
    created,
    currency,
    description: "STRIPE PAYOUT",
    livemode: false,
    method: "standard",
    reconciliation_status: "completed",
    source_type: "card",
    status: "paid",
    type: "bank_account",
  }) satisfies Partial<Stripe.Payout>;
