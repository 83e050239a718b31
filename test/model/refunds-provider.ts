/**
 * A payment provider in memory, with what its documentation says about refunds: it never sends back more than came in,
 * refuses refunds of disputed payments, remembers idempotency keys for a day, and tells of every change in an event. A
 * person can also refund in its dashboard.
 */

import { createOnce } from "#domain/payments/provider/create-once.ts";
import { type FoundRefund, refundIn } from "#domain/payments/provider/provider-refund.ts";
import type { MoneyProvider, PayoutLine, RefundOrder } from "#domain/payments/provider/refund-calls.ts";
import { Unavailable } from "#kit/errors.ts";

/** https://docs.stripe.com/api/idempotent_requests */
const keyRemembered = 24 * 3_600_000;

/**
 * `down`: the call never arrives. `lost`: it is carried out, but its answer never arrives. `broken`: it is answered with 500,
 * which is remembered, without its work or after it.
 */
export type Reply = "fine" | "down" | "lost" | "broken" | "broken after its work";

const internalError = (): Error => Object.assign(new Unavailable(), { statusCode: 500 });

export interface Charge {
  readonly intent: string;
  /** In cents. */
  readonly amount: number;
}

export interface MadeRefund extends Charge {
  readonly id: string;
  /** The service's id; absent for a refund that was made in the dashboard. */
  readonly refundId?: string | undefined;
  readonly createdAt: number;
  status: "pending" | "succeeded" | "failed" | "canceled";
  isDelayed: boolean;
}

interface OpenedDispute extends Charge {
  readonly id: string;
  status: `${"" | "warning_"}${"needs_response" | "under_review"}` | "warning_closed" | "won" | "lost" | "prevented";
  /** The amounts of its lines in the balance, in cents. */
  readonly lines: number[];
}

/** An event in the form in which the provider sends it. */
export interface ProviderEvent {
  readonly type: string;
  readonly data: { readonly object: object };
}

interface Remembered {
  readonly at: number;
  /** Undefined: 500. */
  readonly answer: FoundRefund | string | undefined;
}

/** A line of the books that is in a payout, or waits for one. */
type Line = Omit<PayoutLine, "payout"> & { payout?: string };

const sum = (all: readonly { readonly amount: number }[]): number =>
  all.reduce((total, { amount }) => total + amount, 0);

const isOver = ({ status }: OpenedDispute): boolean => /^(won|lost|prevented|warning_closed)$/.test(status);
const isInquiry = ({ status }: OpenedDispute): boolean => status.startsWith("warning_");
/** What a dispute has taken of the club's balance, in cents. */
export const takenBy = ({ lines }: OpenedDispute): number => Math.max(0, -lines.reduce((all, line) => all + line, 0));
export const hasFailed = ({ status }: MadeRefund): boolean => status === "failed" || status === "canceled";

/** What the provider does by itself, and how it answers. */
interface Whims {
  readonly now: () => number;
  /** Others may come first. */
  readonly pass: () => Promise<void>;
  readonly reply: () => Reply;
  /** From 0 to 99. */
  readonly dice: () => number;
  readonly tell: (event: ProviderEvent) => void;
}

export class SimulatedProvider implements MoneyProvider {
  readonly refunds: MadeRefund[] = [];
  readonly disputes: OpenedDispute[] = [];
  /** Every order of the service. */
  readonly orders: RefundOrder[] = [];
  /** The service's ids of refused orders. */
  readonly refusals = new Set<string>();
  readonly lines: Line[] = [];
  readonly #keys = new Map<string, Remembered>();
  readonly #whims: Whims;
  #ids = 0;
  isDown = false;

  readonly charges: readonly Charge[];

  constructor(charges: readonly Charge[], whims: Whims) {
    this.charges = charges;
    this.#whims = whims;
    for (const { intent, amount } of charges) this.#book(intent, "charge", amount, Math.round(amount * 0.029) + 30);
  }

  #nextId(prefix: string): string {
    this.#ids += 1;
    return `${prefix}_${this.#ids}`;
  }

  #book(paymentIntent: string, type: string, amount: number, fee = 0): void {
    this.lines.push({ id: this.#nextId("txn"), paymentIntent, type, amount, fee, net: amount - fee });
  }

  /** Answers a call of the service. */
  async #answered<T>(work: (reply: Reply) => T): Promise<T> {
    await this.#whims.pass();
    const reply = this.isDown ? "down" : this.#whims.reply();
    if (reply === "down") throw new Unavailable();
    const answer = work(reply);
    await this.#whims.pass();
    if (reply === "lost") throw new Unavailable();
    return answer;
  }

  refundsIn = (intent: string): readonly MadeRefund[] => this.refunds.filter((one) => one.intent === intent);
  disputesOf = (intent: string): readonly OpenedDispute[] => this.disputes.filter((one) => one.intent === intent);

  /** What can still go back of a charge. */
  leftOf(intent: string): number {
    const { amount = 0 } = this.charges.find((one) => one.intent === intent) ?? {};
    return amount - sum(this.refundsIn(intent).filter((one) => !hasFailed(one)));
  }

  #object({ id, amount, status, isDelayed, refundId, intent, createdAt }: MadeRefund) {
    return {
      ...{ id, object: "refund", amount, status, payment_intent: intent, created: Math.floor(createdAt / 1_000) },
      metadata: refundId === undefined ? {} : { refund: refundId },
      ...(status === "failed" && { failure_reason: "lost_or_stolen_card" }),
      ...(status === "pending" && { pending_reason: isDelayed ? "insufficient_funds" : "processing" }),
    };
  }

  #found = (refund: MadeRefund): FoundRefund => refundIn(this.#object(refund)) as FoundRefund;
  #tell = (type: string, object: object): void => this.#whims.tell({ type, data: { object } });

  #make({ intent, amount }: Charge, refundId?: string): MadeRefund | string {
    if (this.disputesOf(intent).some((one) => takenBy(one) > 0)) return "charge_disputed";
    const left = this.leftOf(intent);
    if (left === 0) return "charge_already_refunded";
    if (amount > left) return "amount_too_large";
    const roll = this.#whims.dice();
    const refund: MadeRefund = {
      ...{ id: this.#nextId("re"), intent, amount, refundId, createdAt: this.#whims.now() },
      status: roll < 60 ? "succeeded" : "pending",
      isDelayed: roll >= 80,
    };
    this.refunds.push(refund);
    this.#book(intent, "refund", -amount);
    this.#tell("refund.created", this.#object(refund));
    return refund;
  }

  /** As the service's own adapter does it. @param key the first idempotency key */
  refund = (order: RefundOrder, key = order.refundId): Promise<FoundRefund | string> => {
    if (!order.isOld) return this.create(order, key);
    const find = async () =>
      (await this.refundsOf(order.paymentIntent)).find(({ refundId }) => refundId === order.refundId);
    return createOnce(key, { make: (next) => this.create(order, next), find });
  };

  /** @param key the idempotency key */
  create = (order: RefundOrder, key: string): Promise<FoundRefund | string> =>
    this.#answered((reply) => {
      this.orders.push(order);
      const known = this.#keys.get(key);
      if (known && this.#whims.now() < known.at + keyRemembered) {
        if (known.answer === undefined) throw internalError();
        return known.answer;
      }
      const { paymentIntent: intent, amount, refundId } = order;
      if (reply.startsWith("broken")) {
        if (reply !== "broken") this.#make({ intent, amount }, refundId);
        this.#keys.set(key, { at: this.#whims.now(), answer: undefined });
        throw internalError();
      }
      const made = this.#make({ intent, amount }, refundId);
      const answer = typeof made === "string" ? made : this.#found(made);
      if (typeof made === "string") this.refusals.add(refundId);
      this.#keys.set(key, { at: this.#whims.now(), answer });
      return answer;
    });

  refundsOf = (intent: string): Promise<readonly FoundRefund[]> =>
    this.#answered(() => this.refundsIn(intent).map(this.#found));

  linesOf = (payoutId: string): Promise<readonly PayoutLine[]> =>
    this.#answered(() =>
      this.lines.filter(({ payout }) => payout === payoutId).map((line) => ({ ...line, payout: payoutId })),
    );

  /** A person refunds in the dashboard, if that is possible. */
  refundByHand(charge: Charge): void {
    this.#make(charge);
  }

  /** A refund goes on, or fails although it had succeeded. */
  goOn(refund: MadeRefund, roll = this.#whims.dice()): void {
    if (hasFailed(refund)) return;
    if (refund.status === "pending" && roll < 15) refund.isDelayed = !refund.isDelayed;
    else if (refund.status === "pending" && roll < 70) refund.status = "succeeded";
    else refund.status = roll < 90 ? "failed" : "canceled";
    if (hasFailed(refund)) this.#book(refund.intent, "refund_failure", refund.amount);
    this.#tell(refund.status === "failed" ? "refund.failed" : "refund.updated", this.#object(refund));
  }

  /** Brings a pending refund to its end. */
  finish = (refund: MadeRefund): void => this.goOn(refund, this.#whims.dice() < 70 ? 50 : 80);

  #tellDispute(type: "created" | "updated" | "closed", { id, amount, status, intent, lines }: OpenedDispute): void {
    // Depending on the account's settings, the provider sends the whole object instead of its id.
    const payment_intent = this.#whims.dice() < 50 ? intent : { id: intent };
    const balance_transactions = lines.map((line) => ({ amount: line }));
    this.#tell(`charge.dispute.${type}`, {
      id,
      object: "dispute",
      amount,
      status,
      payment_intent,
      balance_transactions,
    });
  }

  #take(dispute: OpenedDispute): void {
    dispute.lines.push(-dispute.amount);
    this.#book(dispute.intent, "adjustment", -dispute.amount, 1_500);
  }

  /** The person's bank disputes a charge, or goes on with its dispute. */
  dispute({ intent, amount }: Charge): void {
    const roll = this.#whims.dice();
    const latest = this.disputesOf(intent).at(-1);
    if (latest && !isOver(latest)) {
      if (isInquiry(latest)) {
        latest.status = roll < 20 ? "warning_under_review" : roll < 60 ? "needs_response" : "warning_closed";
        if (latest.status === "needs_response") this.#take(latest);
      } else {
        latest.status = roll < 20 ? "under_review" : roll < 50 ? "lost" : "won";
        if (latest.status === "won") {
          latest.lines.push(latest.amount);
          this.#book(intent, "adjustment", latest.amount, -1_500);
        }
      }
      this.#tellDispute(isOver(latest) ? "closed" : "updated", latest);
      return;
    }
    if (latest?.status === "lost" || latest?.status === "prevented" || this.disputesOf(intent).length > 1) return;
    const disputed = roll < 50 ? amount : this.leftOf(intent) || amount;
    const status = roll % 4 === 0 ? "prevented" : roll % 2 === 0 ? "needs_response" : "warning_needs_response";
    const opened: OpenedDispute = { id: this.#nextId("dp"), intent, amount: disputed, status, lines: [] };
    this.disputes.push(opened);
    if (!isInquiry(opened)) this.#take(opened);
    this.#tellDispute("created", opened);
  }

  /** All lines that wait go into a payout. */
  payOut(): void {
    const waiting = this.lines.filter(({ payout }) => payout === undefined);
    if (waiting.length === 0) return;
    const id = this.#nextId("po");
    for (const line of waiting) line.payout = id;
    this.#tell("payout.reconciliation_completed", { id, object: "payout" });
  }
}
