/** Refunds: callers request them, and developers decide what becomes of them. */
import type Stripe from "stripe";
import type { Changes, Occasion } from "./changes.ts";
import { type Aftermath, chargeObject, leftOf } from "./charge.ts";
import { forbidsRefunds } from "./dispute.ts";
import type { Told } from "./event.ts";
import type { Form } from "./form.ts";
import { newId } from "./keys.ts";
import type { Ledger } from "./ledger.ts";
import { Parameters } from "./parameters.ts";
import type { Payouts } from "./payouts.ts";
import { missing, PaymentProblem } from "./problem.ts";
import { debited, failed, type Refund, refundObject, refundReasons, succeeded } from "./refund.ts";
import { isPaid, type PaidSession, type Session, totalOf } from "./session.ts";
import type { Sessions } from "./sessions.ts";
import type { Switchboard } from "./switches.ts";

/** The parts that refunds need. */
export interface RefundsOptions {
  readonly ledger: Ledger;
  readonly changes: Changes;
  readonly sessions: Sessions;
  readonly switchboard: Switchboard;
  readonly payouts: Payouts;
}

/** What a caller or a developer wants back. Without an amount, it is what is left of the charge. */
type Wish = Pick<Refund, "reason" | "metadata"> & { readonly amount: number | undefined };

/** `$12.50` */
function shortMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat("en-US", { style: "currency", currency, currencyDisplay: "narrowSymbol" });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** The session of a successful charge. @throws PaymentProblem when the payment intent has none */
function withCharge(session: Session): PaidSession {
  if (isPaid(session)) return session;
  const message = `This PaymentIntent (${session.paymentIntent}) does not have a successful charge to refund.`;
  throw new PaymentProblem(400, message);
}

export class Refunds {
  readonly #options: RefundsOptions;

  constructor(options: RefundsOptions) {
    this.#options = options;
  }

  /** @throws PaymentProblem for a refund that the provider refuses */
  create(form: Form, occasion: Occasion): object {
    const { sessions } = this.#options;
    const parameters = new Parameters<Stripe.RefundCreateParams>(form);
    const intent = parameters.requiredText("payment_intent");
    const amount = parameters.integer("amount", { least: 1, most: Number.MAX_SAFE_INTEGER });
    const reason = parameters.choice("reason", refundReasons) ?? null;
    const metadata = parameters.metadata("metadata");
    parameters.ignore("expand");
    parameters.end();
    const session = sessions.ofIntent(intent);
    if (!session) throw missing("payment_intent", intent, "payment_intent");
    return refundObject(this.#begin(withCharge(session), { amount, reason, metadata }, occasion));
  }

  /** A refund that a person makes in the provider's dashboard. @throws PaymentProblem as `create` */
  createInDashboard(sessionId: string, amount?: number): Refund {
    const session = withCharge(this.#options.sessions.find(sessionId));
    return this.#begin(session, { amount, reason: "requested_by_customer", metadata: {} }, {});
  }

  /** @throws PaymentProblem 404 when there is no refund of this id */
  find(id: string): Refund {
    const refund = this.#options.ledger.get("refunds", id);
    if (refund) return refund;
    throw missing("refund", id, "refund");
  }

  /** Oldest first. */
  all(): Refund[] {
    return this.#options.ledger.all("refunds");
  }

  /** Oldest first. */
  ofSession(id: string): Refund[] {
    return this.all().filter(({ sessionId }) => sessionId === id);
  }

  /**
   * Decides about a pending refund, or lets one fail that succeeded.
   * @throws PaymentProblem when the refund's state does not allow the move, or there is no refund
   */
  move(id: string, name: "succeed" | "fail"): Refund {
    const { changes } = this.#options;
    const before = this.find(id);
    const { refund, transactions } = name === "succeed" ? succeeded(before) : failed(before, changes.now());
    changes.write({ refunds: [refund], transactions }, { told: refundEvents(refund) });
    return refund;
  }

  #aftermath(session: Session): Aftermath {
    const disputes = this.#options.ledger.all("disputes");
    return {
      refunds: this.ofSession(session.id),
      isDisputed: disputes.some(({ sessionId }) => sessionId === session.id),
    };
  }

  /** @returns the amount that will be refunded @throws PaymentProblem */
  #allowed(session: PaidSession, { amount }: Wish): number {
    const { id } = session.charge;
    const disputes = this.#options.ledger.all("disputes").filter(({ sessionId }) => sessionId === session.id);
    if (disputes.some(forbidsRefunds)) {
      const message = `Charge ${id} has been charged back; cannot issue a refund.`;
      throw new PaymentProblem(400, message, { code: "charge_disputed" });
    }
    const left = leftOf(session, this.ofSession(session.id));
    if (left === 0) {
      throw new PaymentProblem(400, `Charge ${id} has already been refunded.`, { code: "charge_already_refunded" });
    }
    if (amount === undefined || amount <= left) return amount ?? left;
    const all = totalOf(session.lineItems);
    const limit = left === all ? "charge amount" : "unrefunded amount on charge";
    const [asked, most] = [shortMoney(amount, session.currency), shortMoney(left, session.currency)];
    throw new PaymentProblem(400, `Refund amount (${asked}) is greater than ${limit} (${most})`, { param: "amount" });
  }

  /** https://support.stripe.com/questions/pending-refunds-due-to-insufficient-funds-or-stripe-balance */
  #fate(amount: number): Pick<Refund, "status" | "pendingReason"> {
    const { switchboard, payouts } = this.#options;
    const { refundsWait, neverNegative } = switchboard.now;
    if (refundsWait) return { status: "pending" };
    const isPoor = neverNegative && payouts.balance() < amount;
    return isPoor ? { status: "pending", pendingReason: "insufficient_funds" } : { status: "succeeded" };
  }

  #begin(session: PaidSession, wish: Wish, occasion: Occasion): Refund {
    const { changes } = this.#options;
    const now = changes.now();
    const amount = this.#allowed(session, wish);
    const wanted = {
      id: newId("re"),
      sessionId: session.id,
      paymentIntent: session.paymentIntent,
      charge: session.charge.id,
      amount,
      currency: session.currency,
      created: now,
      ...this.#fate(amount),
      reason: wish.reason,
      metadata: wish.metadata,
    };
    const { refund, transactions } = debited(wanted, now);
    const { refunds, isDisputed } = this.#aftermath(session);
    const charge = chargeObject(session, { refunds: [...refunds, refund], isDisputed });
    const body = refundObject(refund);
    const told: Told[] = [
      { type: "refund.created", object: body, sessionId: session.id },
      { type: "charge.refunded", object: charge, sessionId: session.id },
    ];
    changes.write({ refunds: [refund], transactions }, { told, occasion, body });
    return refund;
  }
}

/** The events of a refund that was pending or has succeeded. */
export function refundEvents(refund: Refund): Told[] {
  const { sessionId } = refund;
  const object = refundObject(refund);
  const updated: Told = { type: "refund.updated", object, sessionId };
  return refund.status === "failed" ? [updated, { type: "refund.failed", object, sessionId }] : [updated];
}
