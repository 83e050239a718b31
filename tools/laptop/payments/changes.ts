/** Every change goes through here: it is stored together with its events, and the events are delivered. */
import type { Clock } from "../service-kit/clock.ts";
import type { Deliveries } from "./deliveries.ts";
import { type Cause, newEvent, type Told } from "./event.ts";
import type { Answer, Change, Ledger } from "./ledger.ts";
import { missing } from "./problem.ts";

export interface ChangesOptions {
  readonly ledger: Ledger;
  readonly deliveries: Pick<Deliveries, "of" | "begin">;
  readonly clock: Clock;
  /** The types of the events that the webhook is sent. All when undefined. */
  readonly enabledEvents: readonly string[] | undefined;
}

/** The request that causes a change; all fields are absent for a button on a page. */
export interface Occasion extends Cause {
  /** Makes the answer to store for a repeated request. */
  readonly remember?: (body: object) => Answer;
}

/** Events of a change, and the answer to the request that caused it. */
export interface Consequences {
  readonly told?: readonly Told[];
  readonly occasion?: Occasion;
  /** What the request is answered. */
  readonly body?: object;
}

export class Changes {
  readonly #options: ChangesOptions;

  constructor(options: ChangesOptions) {
    this.#options = options;
  }

  /** Epoch seconds. */
  now(): number {
    return Math.floor(this.#options.clock.now() / 1000);
  }

  /** Stores records, their events and the answer in one line, and begins the deliveries. */
  write(change: Change, { told = [], occasion = {}, body }: Consequences): void {
    const { ledger, deliveries, enabledEvents } = this.#options;
    const events = told
      .filter(({ type }) => enabledEvents?.includes(type) ?? true)
      .map((one) => newEvent(one, this.now(), occasion));
    const made = events.flatMap((event) => deliveries.of(event));
    const answers = body && occasion.remember ? [occasion.remember(body)] : [];
    ledger.write({
      ...change,
      ...(events.length > 0 && { events, deliveries: made }),
      ...(answers.length > 0 && { answers }),
    });
    deliveries.begin(made);
  }

  /** Delivers an event once more. @throws PaymentProblem 404 when there is no event of this id */
  sendAgain(eventId: string): void {
    const { ledger, deliveries } = this.#options;
    const event = ledger.get("events", eventId);
    if (!event) throw missing("event", eventId, "id");
    const made = deliveries.of(event, 1);
    ledger.write({ deliveries: made });
    deliveries.begin(made);
  }
}
