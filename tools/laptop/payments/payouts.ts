/** Payouts: the balance is sent to the club's bank account. */
import {
  netOf,
  newTransaction,
  type Payout,
  type PayoutStatus,
  payoutObject,
  statusOf,
  type Transaction,
} from "./balance.ts";
import type { Changes } from "./changes.ts";
import type { EventOf, Told } from "./event.ts";
import { newId } from "./keys.ts";
import type { Ledger } from "./ledger.ts";
import { missing, PaymentProblem } from "./problem.ts";

/** The parts that payouts need. */
export interface PayoutsOptions {
  readonly ledger: Ledger;
  readonly changes: Changes;
}

const sumOf = (transactions: readonly Transaction[]): number =>
  transactions.reduce((sum, transaction) => sum + netOf(transaction), 0);

/** Seconds. */
const expectedAfter = 2 * 86_400;

export const nextPayoutStatuses: Readonly<Record<PayoutStatus, readonly Exclude<PayoutStatus, "pending">[]>> = {
  pending: ["in_transit", "failed"],
  in_transit: ["paid", "failed"],
  paid: ["failed"],
  failed: [],
};

const events = (payout: Payout, ...types: readonly EventOf<"payout">[]): Told[] =>
  types.map((type) => ({ type, object: payoutObject(payout) }));

export class Payouts {
  readonly #options: PayoutsOptions;

  constructor(options: PayoutsOptions) {
    this.#options = options;
  }

  /** @throws PaymentProblem 404 when there is no payout of this id */
  find(id: string): Payout {
    const payout = this.#options.ledger.get("payouts", id);
    if (payout) return payout;
    throw missing("payout", id, "payout");
  }

  /** Oldest first. */
  all(): Payout[] {
    return this.#options.ledger.all("payouts");
  }

  /** @throws PaymentProblem 404 when there is no transaction of this id */
  transaction(id: string): Transaction {
    const transaction = this.#options.ledger.get("transactions", id);
    if (transaction) return transaction;
    throw missing("balance transaction", id, "id");
  }

  /** Oldest first. */
  transactions(): Transaction[] {
    return this.#options.ledger.all("transactions");
  }

  /** The payout's own transaction, and those that it pays out. */
  transactionsOf({ transaction, transactions }: Payout): Transaction[] {
    return [...transactions, transaction].map((id) => this.transaction(id));
  }

  /** What is not paid out yet. */
  balance(): number {
    return sumOf(this.unpaid());
  }

  /**
   * Sends all transactions to the bank that are not paid out yet.
   * @param status `paid`: it has arrived; else the bank expects it in two days
   * @throws PaymentProblem when the balance is not more than nothing
   */
  payOut(status: Exclude<PayoutStatus, "failed"> = "paid"): Payout {
    const unpaid = this.unpaid();
    const [oldest] = unpaid;
    const amount = sumOf(unpaid);
    if (!oldest || amount <= 0) {
      throw new PaymentProblem(400, "You have insufficient funds in your Stripe account.", {
        code: "balance_insufficient",
      });
    }
    const { currency } = oldest;
    const created = this.#options.changes.now();
    const id = newId("po");
    const description = "STRIPE PAYOUT";
    const own = newTransaction("payout", { amount: -amount, currency, created, source: id, description });
    const payout: Payout = {
      ...{ id, amount, currency, created, status, transaction: own.id, transactions: unpaid.map((one) => one.id) },
      arrivesAt: status === "paid" ? created : created + expectedAfter,
    };
    const told = events(
      payout,
      ...(["payout.created", ...(status === "paid" ? (["payout.paid"] as const) : [])] as const),
      "payout.reconciliation_completed",
    );
    this.#options.changes.write({ payouts: [payout], transactions: [own] }, { told });
    return payout;
  }

  /**
   * The bank goes on with a payout. What fails comes back to the balance, also after it was paid: at most five business days
   * later. https://docs.stripe.com/payouts#payout-failures
   * @throws PaymentProblem when there is no payout, or it has come further than that
   */
  move(id: string, status: Exclude<PayoutStatus, "pending">): Payout {
    const before = this.find(id);
    if (!nextPayoutStatuses[statusOf(before)].includes(status)) {
      throw new PaymentProblem(400, `This payout has a status of ${statusOf(before)}.`);
    }
    const { amount, currency } = before;
    const created = this.#options.changes.now();
    const line = { amount, currency, created, source: id, description: "STRIPE PAYOUT FAILURE" };
    const lines = status === "failed" ? [newTransaction("payout_reversal", line)] : [];
    const failure = lines[0] && { failureTransaction: lines[0].id };
    const payout: Payout = { ...before, status, ...failure };
    const type = status === "in_transit" ? "payout.updated" : (`payout.${status}` as const);
    this.#options.changes.write({ payouts: [payout], transactions: lines }, { told: events(payout, type) });
    return payout;
  }

  /** What makes up the balance, oldest first. */
  unpaid(): Transaction[] {
    const paid = new Set(this.all().flatMap(({ transactions }) => transactions));
    return this.transactions().filter(({ id, category }) => category !== "payout" && !paid.has(id));
  }
}
