/** All data of the provider. A kill does not lose them; changes that belong together are one line. */
import { join } from "node:path";
import { Journal } from "../service-kit/journal.ts";
import type { Payout, Transaction } from "./balance.ts";
import type { Dispute } from "./dispute.ts";
import type { PaymentEvent } from "./event.ts";
import type { Refund } from "./refund.ts";
import type { Session } from "./session.ts";

/** One event on its way to the webhook; a duplicate is a second delivery of the same event. */
export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly state: "waiting" | "delivered";
  readonly attempts: number;
  /** The outcome of the last attempt: a status, or the reason for its failure. */
  readonly outcome?: string;
}

/** The answer to a request with an idempotency key. */
export interface Answer {
  /** The key. */
  readonly id: string;
  /** Path and parameters of the request. */
  readonly request: string;
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly status: number;
  readonly body: object;
}

/** What the ledger keeps, by the name of the list. */
interface Records {
  readonly sessions: Session;
  readonly refunds: Refund;
  readonly disputes: Dispute;
  readonly transactions: Transaction;
  readonly payouts: Payout;
  readonly events: PaymentEvent;
  readonly deliveries: Delivery;
  readonly answers: Answer;
}

export type Kind = keyof Records;

/** New and changed records that are stored together. */
export type Change = { readonly [Name in Kind]?: readonly Records[Name][] };

/** Milliseconds that an idempotency key is remembered. */
const answersLast = 24 * 60 * 60 * 1000;

const kinds = [
  "sessions",
  "refunds",
  "disputes",
  "transactions",
  "payouts",
  "events",
  "deliveries",
  "answers",
] as const satisfies Kind[];

/** All records: in memory, and line by line in a journal. */
export class Ledger {
  readonly #records = new Map<Kind, Map<string, Records[Kind]>>(kinds.map((kind) => [kind, new Map()]));
  readonly #journal: Journal<Change>;
  readonly #now: () => number;

  /** @param directory absent: nothing is kept */
  constructor(directory: string | undefined, now: () => number) {
    this.#now = now;
    const file = directory && join(directory, "payments.jsonl");
    this.#journal = Journal.open({ file, current: () => this.#current() }, (line: Change) => this.#apply(line));
  }

  write(change: Change): void {
    this.#apply(change);
    this.#journal.append(change);
  }

  get<Name extends Kind>(kind: Name, id: string): Records[Name] | undefined {
    return this.#of(kind).get(id);
  }

  /** Oldest first. */
  all<Name extends Kind>(kind: Name): Records[Name][] {
    return [...this.#of(kind).values()];
  }

  /** The remembered answer to a request with this idempotency key. */
  answer(key: string): Answer | undefined {
    const answer = this.get("answers", key);
    return answer && this.#isRemembered(answer) ? answer : undefined;
  }

  close(): void {
    this.#journal.close();
  }

  #of<Name extends Kind>(kind: Name): Map<string, Records[Name]> {
    return this.#records.get(kind) as Map<string, Records[Name]>;
  }

  #apply(change: Change): void {
    for (const kind of kinds) {
      for (const record of change[kind] ?? []) this.#of(kind).set(record.id, record);
    }
  }

  #isRemembered({ at }: Answer): boolean {
    return this.#now() < at + answersLast;
  }

  #current(): Change[] {
    return kinds.flatMap((kind) =>
      this.all(kind)
        .filter((record) => kind !== "answers" || this.#isRemembered(record as Answer))
        .map((record) => ({ [kind]: [record] })),
    );
  }
}
