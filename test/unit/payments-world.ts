/** Opens checkouts on a table in memory, at a provider that keeps the rules of the real one. */
import { jest } from "@jest/globals";
import type { LatestCheckout, Session } from "#domain/payments/checkout/checkout.ts";
import type { Provider } from "#domain/payments/provider/provider.ts";
import { systemContext } from "#kit/request/context.ts";
import { MemoryTable } from "../model/table.ts";
import "./environment.ts";
import { eventItem, registrationItem } from "./given.ts";

const { client } = await import("#kit/table/table.ts");
const { Conflict } = await import("#kit/table/conflict.ts");
const { sessionParameters } = await import("#domain/payments/provider/provider.ts");
const { openCheckout } = await import("#domain/payments/checkout/open-checkout.ts");

export const minutes = 60_000;
export const start = 1_800_000_000_000;
export const email = "ada@unit.example";
export const eventKey = { id: "gala", year: 2030 };
const cents = { membership: 1_500, memberships: {}, currency: "CAD" };
const pages = { successUrl: "https://app.club.example/paid", cancelUrl: "https://app.club.example/" };

/** The process ended in the middle of a call. */
export class Crash extends Error {}

interface FakeSession extends Session {
  readonly parameters: string;
  readonly expiresAt: number;
  status: "open" | "complete" | "expired";
}

export interface WorldOptions {
  /** When off, the provider makes a new session for each request. */
  readonly idempotency?: boolean;
  /** Waits until fast-check lets the call go on. */
  readonly turn?: () => Promise<unknown>;
}

export class PaymentsWorld {
  readonly table = new MemoryTable();
  readonly sessions: FakeSession[] = [];
  /** The calls to table and provider, in order. */
  readonly calls: string[] = [];
  now = start;
  /** The number of the call that crashes, from 0. With `carriedOut` the call is made before the crash. */
  crash: { readonly at: number; readonly carriedOut: boolean } | undefined;
  /** Called right before the provider makes a session. */
  meanwhile: (() => void) | undefined;
  readonly #byKey = new Map<string, FakeSession>();
  readonly #inUse = new Set<string>();
  readonly #options: WorldOptions;
  #requests = 0;

  constructor(options: WorldOptions = {}) {
    this.#options = { idempotency: true, ...options };
    jest
      .spyOn(client, "send")
      .mockImplementation(((command: object) =>
        this.#call(`table ${command.constructor.name}`, () => this.table.execute(command, () => 0))) as never);
  }

  async #call<T>(name: string, carryOut: () => T): Promise<T> {
    const number = this.calls.push(name) - 1;
    await this.#options.turn?.();
    const { at, carriedOut } = this.crash ?? {};
    if (number === at && !carriedOut) throw new Crash();
    const result = carryOut();
    if (number === at) throw new Crash();
    return result;
  }

  readonly provider: Provider = {
    sessionFor: async (checkout) => {
      const { id } = checkout;
      if (this.#options.idempotency && this.#inUse.has(id)) throw new Conflict("idempotency_key_in_use");
      this.#inUse.add(id);
      try {
        return await this.#call("provider sessionFor", () => this.#sessionFor(checkout));
      } finally {
        this.#inUse.delete(id);
      }
    },
    end: (sessionId) =>
      this.#call("provider end", () => {
        const session = this.sessions.find((one) => one.sessionId === sessionId);
        if (!session) throw new Error("no such session");
        if (session.status === "open") session.status = "expired";
        return session;
      }),
  };

  #sessionFor(checkout: LatestCheckout): Session | "too late" {
    const meanwhile = this.meanwhile;
    this.meanwhile = undefined;
    meanwhile?.();
    const parameters = JSON.stringify(sessionParameters(checkout));
    const known = this.#options.idempotency ? this.#byKey.get(checkout.id) : undefined;
    if (known) {
      if (parameters !== known.parameters) throw new Error("the key was used with other parameters");
      return known;
    }
    if (checkout.expiresAt - this.now < 30 * minutes) return "too late";
    const number = this.sessions.length + 1;
    const session: FakeSession = {
      sessionId: `cs_${number}`,
      url: `https://pay.example/${number}`,
      parameters,
      expiresAt: checkout.expiresAt,
      status: "open",
    };
    this.#byKey.set(checkout.id, session);
    this.sessions.push(session);
    return session;
  }

  put(item: Record<string, unknown>): void {
    this.table.seed(item);
  }

  item<T = Record<string, unknown>>(PK: string, SK: string): T | undefined {
    return this.table.peek({ PK, SK }) as T | undefined;
  }

  /** The registration has an unpaid seat until this time, in epoch milliseconds. */
  hold(until: number) {
    return this.item("HOLD", `${until}#gala#2030#${email}`);
  }

  get registration() {
    return this.item<{ checkoutLink?: string; holdExpiresAt?: number; version: number }>(
      `USER#${email}`,
      "REG#gala#2030",
    );
  }

  get openSessions() {
    return this.sessions.filter(({ status, expiresAt }) => status === "open" && expiresAt > this.now);
  }

  /** An event with a price, and a person with an unpaid seat. */
  givenSeat(more: { readonly registration?: object; readonly event?: object } = {}): void {
    this.put(eventItem({ pricing: { member: 5, nonMember: 12.34 }, ...more.event }));
    const holdExpiresAt = this.now + 30 * minutes;
    const registration = {
      ...registrationItem({ email, status: "incomplete", createdAt: start, updatedAt: start }),
      holdExpiresAt,
      ...more.registration,
    };
    this.put(registration);
    this.put({ PK: "HOLD", SK: `${registration.holdExpiresAt}#gala#2030#${email}` });
  }

  pay(
    purpose: Parameters<typeof openCheckout>[0]["purpose"] = { kind: "event", event: eventKey },
    { isAdmin = false, now = this.now, ...asked }: Partial<typeof pages> & { isAdmin?: boolean; now?: number } = {},
  ) {
    this.#requests += 1;
    const context = { ...systemContext(`r${this.#requests}`, now), actor: email };
    return openCheckout({ email, isAdmin, purpose, ...pages, ...asked }, cents, this.provider, context);
  }
}
