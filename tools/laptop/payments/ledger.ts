/** All data of the provider. A kill does not lose them; changes that belong together are one line. */
import { join } from "node:path";
import { Journal } from "../service-kit/journal.ts";
import type { EventType } from "./moves.ts";
import type { Session } from "./session.ts";

/** An event for the webhook; all attempts send the same body. */
export interface PaymentEvent {
  readonly id: string;
  readonly type: EventType;
  readonly sessionId: string;
  /** Epoch seconds. */
  readonly created: number;
  /** JSON. */
  readonly body: string;
}

/** One event on its way to the webhook; a duplicate is a second delivery of the same event. */
export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  /** `givenUp` after three days. */
  readonly state: "waiting" | "delivered" | "givenUp";
  readonly attempts: number;
  /** The outcome of the last attempt: a status, or the reason for its failure. */
  readonly outcome?: string;
}

/** The answer to a request with an idempotency key. */
export interface Answer {
  readonly key: string;
  /** Path and parameters of the request. */
  readonly request: string;
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The session at that time. */
  readonly session: Session;
}

/** Changes that are stored together. */
export interface Change {
  readonly session?: Session;
  readonly event?: PaymentEvent;
  readonly deliveries?: readonly Delivery[];
  readonly answer?: Answer;
}

/** Milliseconds that an idempotency key is remembered. */
const answersLast = 24 * 60 * 60 * 1000;

/** Sessions, events, their deliveries and answers: in memory, and line by line in a journal. */
export class Ledger {
  readonly #sessions = new Map<string, Session>();
  readonly #events = new Map<string, PaymentEvent>();
  readonly #deliveries = new Map<string, Delivery>();
  readonly #answers = new Map<string, Answer>();
  readonly #journal: Journal<Change>;
  readonly #now: () => number;

  /** @param directory absent: nothing is kept */
  constructor(directory: string | undefined, now: () => number) {
    this.#now = now;
    const file = directory && join(directory, "payments.jsonl");
    this.#journal = Journal.open({ file, current: () => this.#current() }, (change: Change) => this.#apply(change));
  }

  write(change: Change): void {
    this.#apply(change);
    this.#journal.append(change);
  }

  session(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  event(id: string): PaymentEvent | undefined {
    return this.#events.get(id);
  }

  delivery(id: string): Delivery | undefined {
    return this.#deliveries.get(id);
  }

  answer(key: string): Answer | undefined {
    const answer = this.#answers.get(key);
    return answer && this.#isRemembered(answer) ? answer : undefined;
  }

  /** Oldest first. */
  sessions(): Session[] {
    return [...this.#sessions.values()];
  }

  /** Oldest first. */
  deliveries(): Delivery[] {
    return [...this.#deliveries.values()];
  }

  close(): void {
    this.#journal.close();
  }

  #apply({ session, event, deliveries = [], answer }: Change): void {
    if (session) this.#sessions.set(session.id, session);
    if (event) this.#events.set(event.id, event);
    for (const delivery of deliveries) this.#deliveries.set(delivery.id, delivery);
    if (answer) this.#answers.set(answer.key, answer);
  }

  #isRemembered({ at }: Answer): boolean {
    return this.#now() < at + answersLast;
  }

  #current(): Change[] {
    const answers = [...this.#answers.values()].filter((answer) => this.#isRemembered(answer));
    return [
      ...this.sessions().map((session) => ({ session })),
      ...[...this.#events.values()].map((event) => ({ event })),
      ...this.deliveries().map((delivery) => ({ deliveries: [delivery] })),
      ...answers.map((answer) => ({ answer })),
    ];
  }
}
