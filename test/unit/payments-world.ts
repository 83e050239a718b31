/** Opens checkouts on a table in memory, at the laptop's provider in the same process. */
import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { jest } from "@jest/globals";
import { systemContext } from "#kit/request/context.ts";
import { type Asked, connectTo, newProvider } from "../model/payment-provider.ts";
import { MemoryTable } from "../model/table.ts";
import "./environment.ts";
import { eventItem, registrationItem } from "./given.ts";

const { client } = await import("#kit/table/table.ts");
const { provider } = await import("#domain/payments/provider/provider.ts");
const { openCheckout } = await import("#domain/payments/checkout/open-checkout.ts");

export const minutes = 60_000;
export const start = 1_800_000_000_000;
export const email = "ada@unit.example";
export const eventKey = { id: "gala", year: 2030 };
const cents = { membership: 1_500, memberships: {}, currency: "CAD" };
const pages = { successUrl: "https://app.club.example/paid", cancelUrl: "https://app.club.example/" };

/** The process ended in the middle of a call. */
export class Crash extends Error {}

export interface WorldOptions {
  /** When off, each request to the provider has a key of its own. */
  readonly idempotency?: boolean;
  /** Waits until fast-check lets the call go on. */
  readonly turn?: () => Promise<unknown>;
}

interface PaymentOptions extends Partial<typeof pages>, Pick<Parameters<typeof openCheckout>[0], "linked"> {
  readonly isAdmin?: boolean;
  readonly now?: number;
}

export class PaymentsWorld {
  readonly table = new MemoryTable();
  /** The calls to table and provider, in order. */
  readonly calls: string[] = [];
  now = start;
  /** The number of the call that crashes, from 0. With `carriedOut` the call is made before the crash. */
  crash: { readonly at: number; readonly carriedOut: boolean } | undefined;
  /** Called once, right before the provider makes a session. */
  meanwhile: (() => void) | undefined;
  /** Called once, right before the next write. */
  beforeWrite: ((command: TransactWriteCommand) => void) | undefined;
  readonly #options: WorldOptions;
  readonly #turn = async (): Promise<void> => void (await this.#options.turn?.());
  readonly #at = newProvider({ now: () => this.now, tell: () => undefined, occupy: this.#turn });
  #crashed = (): void => undefined;
  #requests = 0;

  constructor(options: WorldOptions = {}) {
    this.#options = options;
    jest
      .spyOn(client, "send")
      .mockImplementation(((command: object) =>
        this.#call(`table ${command.constructor.name}`, () => this.#execute(command))) as never);
    connectTo((asked) => this.#call(`provider ${asked.method} ${asked.path}`, () => this.#answer(asked)));
  }

  async #call<T>(name: string, carryOut: () => T | Promise<T>): Promise<T> {
    const number = this.calls.push(name) - 1;
    await this.#turn();
    const { at, carriedOut } = this.crash ?? {};
    if (number !== at) return carryOut();
    if (carriedOut) await carryOut();
    this.#crashed();
    return new Promise(() => undefined);
  }

  #execute(command: object): object {
    if (command instanceof TransactWriteCommand) {
      const { beforeWrite } = this;
      this.beforeWrite = undefined;
      beforeWrite?.(command);
    }
    return this.table.execute(command, () => 0);
  }

  #answer(asked: Asked) {
    if (asked.method === "POST") {
      const { meanwhile } = this;
      this.meanwhile = undefined;
      meanwhile?.();
    }
    if (this.#options.idempotency ?? true) return this.#at.answer(asked);
    return this.#at.answer({ ...asked, headers: { ...asked.headers, "idempotency-key": `${this.calls.length}` } });
  }

  get sessions() {
    return this.#at.sessions();
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
    return this.item<{ status?: string; checkoutLink?: string; holdExpiresAt?: number; version: number }>(
      `USER#${email}`,
      "REG#gala#2030",
    );
  }

  get openSessions() {
    return this.sessions.filter(({ status }) => status === "open");
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
    { isAdmin = false, now = this.now, ...asked }: PaymentOptions = {},
  ) {
    this.#requests += 1;
    const context = { ...systemContext(`r${this.#requests}`, now), actor: email };
    return Promise.race([
      openCheckout({ email, isAdmin, purpose, ...pages, ...asked }, cents, provider, context),
      new Promise<never>((_, reject) => {
        this.#crashed = () => reject(new Crash());
      }),
    ]);
  }
}
