/**
 * The laptop's payment provider in the hands of the dice: they decide how it answers, and what it, the payers' banks and a
 * person at its dashboard do by themselves.
 */
import type { ToldEvent } from "../../tools/laptop/payments/in-memory.ts";
import { type Asked, connectTo, newProvider, nextStatuses, paidSession } from "./payment-provider.ts";

/**
 * `down`: the call never arrives. `lost`: it is carried out, but its answer never arrives. `broken`: it is answered with 500,
 * which is remembered, without its work or after it.
 */
export type Reply = "fine" | "down" | "lost" | "broken" | "broken after its work";

export interface Charge {
  readonly paymentId: string;
  readonly intent: string;
  /** In cents. */
  readonly amount: number;
}

export interface MadeRefund {
  readonly id: string;
  readonly intent: string;
  readonly amount: number;
  /** The service's id; absent for a refund that was made in the dashboard. */
  readonly refundId: string | undefined;
  readonly status: "pending" | "succeeded" | "failed";
}

/** Whether a bank has decided, for now. */
export const isOver = ({ status }: { readonly status: string }): boolean =>
  /^(won|lost|prevented|warning_closed)$/.test(status);
const sumOf = (all: readonly { readonly amount: number }[]): number => all.reduce((sum, { amount }) => sum + amount, 0);

/** What the provider does by itself, and how it answers. */
interface Whims {
  readonly now: () => number;
  /** Others may come first. */
  readonly pass: () => Promise<void>;
  readonly reply: () => Reply;
  /** From 0 to 99. */
  readonly dice: () => number;
  readonly tell: (event: ToldEvent) => void;
  /** Changes an idempotency key. */
  readonly key?: ((key: string) => string) | undefined;
}

export class RefundsProvider {
  readonly charges: Charge[] = [];
  /** Every order of the service that has arrived. */
  readonly orders: { readonly refundId: string; readonly intent: string; readonly amount: number }[] = [];
  /** Id and status of each dispute, whenever it came to this status. */
  readonly moves: string[] = [];
  /** The service's ids of refused orders. */
  readonly refusals = new Set<string>();
  readonly #whims: Whims;
  readonly #at;
  isDown = false;

  constructor(whims: Whims) {
    this.#whims = whims;
    this.#at = newProvider({ ...whims, occupy: whims.pass });
    connectTo((asked) => this.#answer(asked));
  }

  /** Answers a call of the service. */
  async #answer(asked: Asked) {
    const { pass, reply: nextReply, key = (own) => own } = this.#whims;
    await pass();
    const reply = this.isDown ? "down" : nextReply();
    if (reply === "down") return "cut";
    const answer = asked.method === "POST" ? await this.#refund(asked, reply, key) : await this.#at.answer(asked);
    await pass();
    return reply === "lost" ? "cut" : answer;
  }

  async #refund(asked: Asked, reply: Reply, keyOf: (key: string) => string) {
    const form = new URLSearchParams(asked.body);
    const refundId = String(form.get("metadata[refund]"));
    this.orders.push({ refundId, intent: String(form.get("payment_intent")), amount: Number(form.get("amount")) });
    this.#at.breakRequests(reply.startsWith("broken") ? 1 : 0, reply === "broken" ? "before work" : "after work");
    this.#roll();
    const key = keyOf(String(asked.headers["idempotency-key"]));
    const answer = await this.#at.answer({ ...asked, headers: { ...asked.headers, "idempotency-key": key } });
    if (answer !== "cut" && answer.status === 400) this.refusals.add(refundId);
    return answer;
  }

  /** Whether the next refund goes through at once, is processed, or waits for the balance. */
  #roll(): void {
    const roll = this.#whims.dice();
    this.#at.refundsWait(roll >= 60 && roll < 80);
    this.#at.poorBalance(roll >= 80);
  }

  async pay(amount: number): Promise<Charge> {
    const { id, payment_intent } = await paidSession(this.#at, amount);
    const charge = { paymentId: id, intent: String(payment_intent), amount };
    this.charges.push(charge);
    return charge;
  }

  get refunds(): readonly MadeRefund[] {
    return this.#at.refunds().map(({ id, amount, status, metadata: { refund: refundId }, payment_intent: intent }) => ({
      ...{ id, intent, amount, refundId, status },
    }));
  }
  refundsIn = (intent: string): readonly MadeRefund[] => this.refunds.filter((one) => one.intent === intent);

  /** The disputes of a charge, and what each has taken of the club's balance, in cents. */
  disputesOf = (intent: string) =>
    this.#at
      .disputes()
      .filter(({ payment_intent }) => payment_intent === intent)
      .map((one) => ({ ...one, taken: Math.max(0, -sumOf(one.balance_transactions)) }));

  /** The lines of the balance that are about a charge. */
  linesOf(intent: string) {
    const { refunds, charges } = this;
    const lines = this.#at.balanceTransactions();
    const ofCharges = lines.filter(({ type }) => type === "charge");
    const own = [
      ofCharges[charges.findIndex((one) => one.intent === intent)]?.source,
      ...[...refunds.filter((one) => one.intent === intent), ...this.disputesOf(intent)].map(({ id }) => id),
    ];
    return lines.filter(({ source }) => own.includes(source));
  }

  /** What can still go back of a charge. */
  leftOf({ intent, amount }: Charge): number {
    const refunded = sumOf(this.refundsIn(intent).filter(({ status }) => status !== "failed"));
    return Math.max(amount - refunded - this.disputesOf(intent).reduce((all, { taken }) => all + taken, 0), 0);
  }

  /** A person refunds in the dashboard, if that is possible. */
  refundByHand({ paymentId }: Charge, amount: number): void {
    this.#roll();
    try {
      this.#at.refundInDashboard(paymentId, amount);
    } catch (problem) {
      if ((problem as { readonly status?: number }).status !== 400) throw problem;
    }
  }

  /** A refund goes on, or fails although it had succeeded. */
  goOn({ id, status }: MadeRefund, roll = this.#whims.dice()): void {
    if (status !== "failed") this.#at.moveRefund(id, status === "pending" && roll < 70 ? "succeed" : "fail");
  }

  /** The person's bank disputes a charge, or goes on with its dispute: also with one that seemed to be over. */
  dispute(charge: Charge): void {
    const roll = this.#whims.dice();
    const all = this.disputesOf(charge.intent);
    const latest = all.at(-1);
    // What was won may come back later.
    if (latest?.status === "won" && latest.taken > 0) return void this.#at.moveDispute(latest.id, "won");
    const next = latest ? nextStatuses[latest.status] : [];
    const status = next[roll % next.length];
    if (latest && status && (roll < 30 || !isOver(latest))) {
      this.moves.push(`${latest.id} ${status}`);
      return void this.#at.moveDispute(latest.id, status, status === "won" && roll < 50 ? "later" : "at once");
    }
    const left = this.leftOf(charge);
    if (left === 0 || all.length > 1 || (latest && !isOver(latest))) return;
    // A bank may dispute a part.
    const amount = roll < 50 ? left : Math.ceil(left / 2);
    const first = roll % 4 === 0 ? "prevented" : roll % 2 === 0 ? "needs_response" : "warning_needs_response";
    this.moves.push(`${this.#at.dispute(charge.paymentId, { amount, status: first }).id} ${first}`);
  }

  /** All lines that wait go into a payout. Another system's payment makes the balance more than nothing. */
  async payOut(): Promise<void> {
    await paidSession(this.#at, 90_000_000);
    this.#at.payOut();
  }
}
