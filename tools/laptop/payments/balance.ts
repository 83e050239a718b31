/**
 * The provider's balance: a transaction for each movement of money, and payouts to the bank.
 * https://docs.stripe.com/api/balance_transactions/object and https://docs.stripe.com/api/payouts/object. Pure.
 */
import type Stripe from "stripe";
import { newId } from "./keys.ts";

/** What a transaction is for, as reports sort it. */
export type Category =
  | "charge"
  | "refund"
  | "refund_failure"
  | "dispute"
  | "dispute_prevented"
  | "dispute_reversal"
  | "payout"
  | "payout_failure";

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
  /** The transactions that it pays out. The provider tells them of automatic payouts only. */
  readonly transactions: readonly string[];
  readonly isManual?: boolean;
  /** The bank has refused it, and this line has brought the amount back. */
  readonly failure?: string;
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
    reporting_category: category === "dispute_prevented" ? "dispute" : category,
    source,
    status: "available",
    type: category.startsWith("dispute") ? "adjustment" : (category as Exclude<Category, `dispute${string}`>),
  } satisfies Stripe.BalanceTransaction;
}

/** A payout as the provider's client gets it: it has arrived or failed. The transactions of an automatic one can be listed. */
export const payoutObject = ({ id, amount, currency, created, transaction, isManual = false, failure }: Payout) =>
  ({
    id,
    object: "payout",
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: created,
    automatic: !isManual,
    balance_transaction: transaction,
    created,
    currency,
    description: "STRIPE PAYOUT",
    destination: null,
    failure_balance_transaction: failure ?? null,
    failure_code: failure === undefined ? null : "account_closed",
    failure_message: null,
    livemode: false,
    metadata: {},
    method: "standard",
    original_payout: null,
    payout_method: null,
    reconciliation_status: isManual ? "not_applicable" : "completed",
    reversed_by: null,
    source_type: "card",
    statement_descriptor: null,
    status: failure === undefined ? "paid" : "failed",
    trace_id: null,
    type: "bank_account",
  }) satisfies Stripe.Payout;
