/**
 * Delivers signed events to the webhook. A delivery is repeated until the webhook answers with success. A developer can
 * hold deliveries back and duplicate them.
 */
import Stripe from "stripe";
import { Activity, closingTime } from "../service-kit/activity.ts";
import type { Clock } from "../service-kit/clock.ts";
import { Pauses } from "../service-kit/pauses.ts";
import type { PaymentEvent } from "./event.ts";
import { newId } from "./keys.ts";
import type { Delivery, Ledger } from "./ledger.ts";
import type { Switchboard } from "./switches.ts";

/** The parts that deliveries need. */
export interface DeliveriesOptions {
  readonly ledger: Ledger;
  readonly switchboard: Switchboard;
  readonly webhookSecret: string;
  readonly clock: Clock;
  /** Counts the work of all services together. */
  readonly activity?: Activity | undefined;
  /** Milliseconds before the first retry; doubled each time. */
  readonly retryDelay: number;
}

/** The pause is doubled no more often than this. */
const maxDoublings = 7;
/** Timeout of a webhook request, in milliseconds. */
const webhookTimeout = 30_000;

/** All deliveries of a provider; each runs on its own. */
export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #activity: Activity;
  readonly #running = new Set<string>();
  readonly #closing = new AbortController();
  readonly #pauses: Pauses;
  #webhook: string | undefined;
  #closed = false;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#activity = new Activity(options.activity);
    this.#pauses = new Pauses(options.clock, this.#activity);
  }

  /** Makes the deliveries of a new event, to be stored together with the event. */
  of(event: PaymentEvent, copies = 1 + this.#options.switchboard.now.duplicates): Delivery[] {
    return Array.from({ length: copies }, () => ({
      id: newId("whd"),
      eventId: event.id,
      state: "waiting",
      attempts: 0,
    }));
  }

  /** Begins stored deliveries, all at the same time. */
  begin(deliveries: readonly Delivery[] = this.#waiting()): void {
    for (const { id } of deliveries) {
      if (this.#running.has(id)) continue;
      this.#running.add(id);
      void this.#activity.during(() => this.#pursue(id));
    }
  }

  /** Sets the webhook's address. Before this call no event is delivered. */
  deliverTo(webhook: string): void {
    this.#webhook = webhook;
    this.begin();
  }

  hold(): void {
    this.#options.switchboard.set({ holding: true });
  }

  /** Resolves when nothing is under way, or after `atMost` milliseconds. */
  answered(atMost: number): Promise<void> {
    return this.#activity.settledWithin(atMost);
  }

  /**
   * Delivers held-back events one after the other; later events are delivered at once again. Resolves when each has
   * been tried once.
   */
  async release(): Promise<void> {
    this.#options.switchboard.set({ holding: false });
    const ids = this.#waiting()
      .map(({ id }) => id)
      .filter((id) => !this.#running.has(id));
    for (const id of ids) this.#running.add(id);
    await this.#activity.during(async () => {
      for (const id of ids) {
        if (!this.#isResting() && !(await this.#attempt(id))) void this.#activity.during(() => this.#pursue(id, 1));
        else this.#running.delete(id);
      }
    });
  }

  /** Later events are delivered this many extra times. */
  duplicate(times: number): void {
    this.#options.switchboard.set({ duplicates: times });
  }

  /** Resolves when every event is delivered or held back, or waits for its next attempt. */
  settled(): Promise<void> {
    return this.#activity.settled();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#pauses.close();
    await this.#activity.settledWithin(closingTime);
    this.#closing.abort();
  }

  #waiting(): Delivery[] {
    return this.#options.ledger.all("deliveries").filter(({ state }) => state === "waiting");
  }

  #isResting(): boolean {
    return this.#closed || this.#options.switchboard.now.holding || this.#webhook === undefined;
  }

  /** @param tried attempts since the event was last released */
  async #pursue(id: string, tried = 0): Promise<void> {
    for (let attempt = tried; ; attempt += 1) {
      if (attempt > 0) await this.#pauses.pause(this.#options.retryDelay * 2 ** Math.min(attempt - 1, maxDoublings));
      if (this.#isResting() || (await this.#attempt(id))) break;
    }
    this.#running.delete(id);
  }

  /** @returns whether the event is delivered */
  async #attempt(id: string): Promise<boolean> {
    const { ledger } = this.#options;
    const before = ledger.get("deliveries", id);
    const event = before && ledger.get("events", before.eventId);
    if (!before || !event) return true;
    const outcome = await this.#post(event);
    const state = /^2\d\d$/.test(outcome) ? "delivered" : "waiting";
    ledger.write({ deliveries: [{ ...before, state, attempts: before.attempts + 1, outcome }] });
    return state === "delivered";
  }

  /** @returns the answer's status, or the reason when there is no answer */
  async #post({ body }: PaymentEvent): Promise<string> {
    const { webhookSecret, clock } = this.#options;
    const timestamp = Math.floor(clock.now() / 1000);
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: webhookSecret, timestamp });
    try {
      const response = await fetch(String(this.#webhook), {
        method: "POST",
        headers: { "content-type": "application/json; charset=utf-8", "stripe-signature": signature },
        body,
        redirect: "manual",
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(webhookTimeout)]),
      });
      await response.body?.cancel();
      return `${response.status}`;
    } catch (problem) {
      const { message, cause } = problem as Error;
      return cause instanceof Error && cause.message !== "" ? cause.message : message;
    }
  }
}
