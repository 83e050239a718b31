/** The provider's sessions: they are created, paid or expire, and each change is sent to the webhook. */
import Stripe from "stripe";
import type { Clock } from "../service-kit/clock.ts";
import type { Deliveries } from "./deliveries.ts";
import type { Form } from "./form.ts";
import { newId } from "./keys.ts";
import type { Answer, Delivery, Ledger, PaymentEvent } from "./ledger.ts";
import { type EventType, type MoveName, moved } from "./moves.ts";
import { newSession } from "./new-session.ts";
import { PaymentProblem } from "./problem.ts";
import { type Session, sessionObject } from "./session.ts";

/** The parts that the provider needs. */
export interface ProviderOptions {
  readonly ledger: Ledger;
  readonly deliveries: Deliveries;
  readonly clock: Clock;
  /** Address of a session's page. */
  readonly pageOf: (sessionId: string) => string;
}

/** The request that causes a change; all fields are absent for a button on a page. */
export interface Occasion {
  readonly requestId?: string;
  readonly idempotencyKey?: string;
  /** The answer to store for a repeated request. */
  readonly remember?: (session: Session) => Answer;
}

/** Sessions and their changes; errors are the provider's. */
export class Provider {
  readonly #options: ProviderOptions;
  #cancelExpiry = (): void => undefined;

  constructor(options: ProviderOptions) {
    this.#options = options;
  }

  /** @throws PaymentProblem for parameters that the provider refuses */
  create(form: Form, { remember }: Occasion): Session {
    const session = newSession(form, { id: newId("cs_test"), created: this.#seconds() });
    this.#options.ledger.write({ session, ...(remember && { answer: remember(session) }) });
    this.expireOverdue();
    return session;
  }

  /** @throws PaymentProblem 404 when there is no session of this id */
  session(id: string): Session {
    this.expireOverdue();
    const session = this.#options.ledger.session(id);
    if (session) return session;
    throw new PaymentProblem(404, `No such checkout session: '${id}'`, { code: "resource_missing", param: "session" });
  }

  /** Oldest first. */
  sessions(): Session[] {
    this.expireOverdue();
    return this.#options.ledger.sessions();
  }

  object(session: Session) {
    return sessionObject(session, this.#options.pageOf(session.id));
  }

  /**
   * @param payerEmail the email that the payer enters; the session's own email wins
   * @throws SessionClosed when the session's state does not allow the move; PaymentProblem 404 when there is no session
   */
  move(id: string, name: MoveName, { payerEmail, ...occasion }: Occasion & { readonly payerEmail?: string } = {}) {
    const before = this.session(id);
    const payer = before.customerEmail ?? payerEmail ?? "payer@local.example";
    const change = moved(before, name, { payerEmail: payer, paymentIntent: newId("pi") });
    return this.#tell(change.session, change.event, occasion);
  }

  /** Delivers an event once more. @throws PaymentProblem 404 when there is no event of this id */
  sendAgain(eventId: string): void {
    const { ledger, deliveries } = this.#options;
    const event = ledger.event(eventId);
    if (!event) throw new PaymentProblem(404, `No such event: '${eventId}'`, { code: "resource_missing", param: "id" });
    this.#deliver(deliveries.of(event, 1));
  }

  /** Expires overdue sessions, and sets a timer for the next one. */
  expireOverdue(): void {
    const { ledger, clock } = this.#options;
    this.#cancelExpiry();
    const open = ledger.sessions().filter(({ state }) => state === "open");
    for (const session of open.filter(({ expiresAt }) => expiresAt <= this.#seconds())) {
      const change = moved(session, "expire", {});
      this.#tell(change.session, change.event, {});
    }
    const next = Math.min(...open.map(({ expiresAt }) => expiresAt * 1000).filter((at) => at > clock.now()));
    if (next === Number.POSITIVE_INFINITY) return;
    this.#cancelExpiry = clock.after(next - clock.now(), () => this.expireOverdue());
  }

  close(): void {
    this.#cancelExpiry();
  }

  /** Stores a session's new state together with its event, and delivers the event. */
  #tell(session: Session, type: EventType, { remember, ...occasion }: Occasion): Session {
    const { ledger, deliveries } = this.#options;
    const event = this.#event(session, type, occasion);
    const made = deliveries.of(event);
    ledger.write({ session, event, deliveries: made, ...(remember && { answer: remember(session) }) });
    deliveries.begin(made);
    return session;
  }

  #deliver(made: readonly Delivery[]): void {
    this.#options.ledger.write({ deliveries: made });
    this.#options.deliveries.begin(made);
  }

  #event(session: Session, type: EventType, { requestId = null, idempotencyKey = null }: Partial<Nullable<Occasion>>) {
    const id = newId("evt");
    const created = this.#seconds();
    const event = {
      id,
      object: "event",
      api_version: Stripe.API_VERSION,
      created,
      data: { object: this.object(session) },
      livemode: false,
      pending_webhooks: 1,
      request: { id: requestId, idempotency_key: idempotencyKey },
      type,
    };
    return { id, type, sessionId: session.id, created, body: JSON.stringify(event, null, 2) } satisfies PaymentEvent;
  }

  #seconds(): number {
    return Math.floor(this.#options.clock.now() / 1000);
  }
}

type Nullable<T> = { readonly [Name in keyof T]: T[Name] | null };
