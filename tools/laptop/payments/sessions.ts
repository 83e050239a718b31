/** The provider's sessions: they are created, paid or expire, and each change is told to the webhook. */
import type { Clock } from "../service-kit/clock.ts";
import { newTransaction, type Transaction } from "./balance.ts";
import type { Changes, Occasion } from "./changes.ts";
import type { EventOf } from "./event.ts";
import type { Form } from "./form.ts";
import { newId } from "./keys.ts";
import type { Ledger } from "./ledger.ts";
import { type MoveName, moved } from "./moves.ts";
import { newSession } from "./new-session.ts";
import { missing } from "./problem.ts";
import { type Session, sessionObject, totalOf } from "./session.ts";

/** The parts that sessions need. */
export interface SessionsOptions {
  readonly ledger: Ledger;
  readonly changes: Changes;
  readonly clock: Clock;
  /** Address of a session's page. */
  readonly pageOf: (sessionId: string) => string;
}

/** Sessions and their changes; errors are the provider's. */
export class Sessions {
  readonly #options: SessionsOptions;
  #cancelExpiry = (): void => undefined;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** @throws PaymentProblem for parameters that the provider refuses */
  create(form: Form, occasion: Occasion): Session {
    const { changes } = this.#options;
    const session = newSession(form, { id: newId("cs_test"), created: changes.now() });
    changes.write({ sessions: [session] }, { occasion, body: this.object(session) });
    this.expireOverdue();
    return session;
  }

  /** @throws PaymentProblem 404 when there is no session of this id */
  find(id: string): Session {
    this.expireOverdue();
    const session = this.#options.ledger.get("sessions", id);
    if (session) return session;
    throw missing("checkout session", id, "session");
  }

  /** The session that is paid by this payment intent. */
  ofIntent(paymentIntent: string): Session | undefined {
    return this.all().find((session) => session.paymentIntent === paymentIntent);
  }

  /** Oldest first. */
  all(): Session[] {
    this.expireOverdue();
    return this.#options.ledger.all("sessions");
  }

  object(session: Session) {
    return sessionObject(session, this.#options.pageOf(session.id));
  }

  /**
   * @param payerEmail the email that the payer enters; the session's own email wins
   * @throws SessionClosed when the session's state does not allow the move; PaymentProblem 404 when there is no session
   */
  move(id: string, name: MoveName, { payerEmail, ...occasion }: Occasion & { readonly payerEmail?: string } = {}) {
    const before = this.find(id);
    const payer = before.customerEmail ?? payerEmail ?? "payer@local.example";
    const { session, event } = moved(before, name, { payerEmail: payer, paymentIntent: newId("pi") });
    if (session.state !== "paid") return this.#write(session, event, { occasion });
    const created = this.#options.changes.now();
    const charge = newId("ch");
    const { currency } = session;
    const transaction = newTransaction("charge", {
      amount: totalOf(session.lineItems),
      currency,
      created,
      source: charge,
    });
    const paid = { ...session, charge: { id: charge, created, transaction: transaction.id } };
    return this.#write(paid, event, { occasion, transactions: [transaction] });
  }

  /** Expires overdue sessions, and sets a timer for the next one. */
  expireOverdue(): void {
    const { ledger, clock, changes } = this.#options;
    this.#cancelExpiry();
    const open = ledger.all("sessions").filter(({ state }) => state === "open");
    for (const session of open.filter(({ expiresAt }) => expiresAt <= changes.now())) {
      const change = moved(session, "expire", {});
      this.#write(change.session, change.event, {});
    }
    const next = Math.min(...open.map(({ expiresAt }) => expiresAt * 1000).filter((at) => at > clock.now()));
    if (next === Number.POSITIVE_INFINITY) return;
    this.#cancelExpiry = clock.after(next - clock.now(), () => this.expireOverdue());
  }

  close(): void {
    this.#cancelExpiry();
  }

  /** Stores a session's new state, with what belongs to it. */
  #write(
    session: Session,
    type: EventOf<"checkout.session">,
    { occasion, transactions }: { readonly occasion?: Occasion; readonly transactions?: readonly Transaction[] },
  ): Session {
    const object = this.object(session);
    this.#options.changes.write(
      { sessions: [session], ...(transactions && { transactions }) },
      { told: [{ type, object, sessionId: session.id }], ...(occasion && { occasion }), body: object },
    );
    return session;
  }
}
