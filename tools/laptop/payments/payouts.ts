/** Payouts: the balance is sent to the club's bank account. */
import { netOf, newTransaction, type Payout, payoutObject, type Transaction } from "./balance.ts";
import type { Changes } from "./changes.ts";
import type { Told } from "./event.ts";
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
    return sumOf(this.#unpaid());
  }

  /**
   * Sends all transactions to the bank that are not paid out yet.
   * @throws PaymentProblem when the balance is not more than nothing
   */
  payOut(): Payout {
    const unpaid = this.#unpaid();
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
    const transactions = unpaid.map((one) => one.id);
    const payout: Payout = { id, amount, currency, created, transaction: own.id, transactions };
    const object = payoutObject(payout);
    const told: Told[] = [
      { type: "payout.paid", object },
      { type: "payout.reconciliation_completed", object },
    ];
    this.#options.changes.write({ payouts: [payout], transactions: [own] }, { told });
    return payout;
  }

  /** Oldest first. */
  #unpaid(): Transaction[] {
    const paid = new Set(this.all().flatMap(({ transactions }) => transactions));
    return this.transactions().filter(({ id, category }) => category !== "payout" && !paid.has(id));
  }
}
