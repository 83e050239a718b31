/**
 * The surroundings of the payment tests: the webhook as it ships, with real signatures, and the product's calls to the
 * provider, on the model's table. The provider sends each event until it is answered with 200.
 */
import type fc from "fast-check";
import Stripe from "stripe";
import type { Provider } from "#domain/payments/provider/provider.ts";
import type { LeaveOrigin } from "#domain/registrations/record/acts.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import type { RequestContext } from "#kit/request/context.ts";
import type { ToldEvent } from "../../tools/laptop/payments/in-memory.ts";
import { gatewayEvent } from "../gateway-event.ts";
import type { Item } from "./expression.ts";
import { type Asked, connectTo, newProvider, webhookSecrets } from "./payment-provider.ts";
import type { Changed, MemoryTable } from "./table.ts";
import { alone, contextOf, type Interference, newWorld, openWorld, together } from "./world.ts";

const year = 2030;
const key = { id: "model", year };
const start = Date.parse("2026-01-01T00:00:00Z");
export const minutes = 60_000;
const price = 1_000;

/** The product on the model's table. One import after the other: Jest links modules badly in parallel. */
async function load() {
  await openWorld();
  const { handler } = await import("#api/payment-webhook/index.ts");
  const { handler: events } = await import("#api/events/index.ts");
  const { handler: users } = await import("#api/users/index.ts");
  const { seam } = await import("#kit/seam.ts");
  const { pause } = seam;
  // No hold of the sweeper takes too long, because no real time passes.
  seam.pause = (milliseconds, signal) => (signal ? new Promise(() => undefined) : pause(milliseconds));
  return {
    ...{ handler, events, users, seam },
    ...(await import("#domain/registrations/register/register.ts")),
    ...(await import("#domain/registrations/leave.ts")),
    ...(await import("#domain/registrations/reactions/sweep.ts")),
    ...(await import("#domain/registrations/reactions/forget-person.ts")),
    ...(await import("#domain/registrations/amend/change-registration.ts")),
    ...(await import("#domain/payments/checkout/open-checkout.ts")),
    ...(await import("#domain/payments/provider-events/end-unheard.ts")),
    ...(await import("#domain/payments/checkout/close-obsolete.ts")),
    ...(await import("#domain/payments/provider/provider.ts")),
    ...(await import("#domain/people/members/grant.ts")),
    ...(await import("#domain/people/users/store.ts")),
    ...(await import("#kit/table/table.ts")),
  };
}
export const product = await load();

type Type = "completed" | "async_payment_succeeded" | "async_payment_failed" | "expired";

/** A checkout as the provider knows it. */
export interface KnownCheckout {
  readonly id: string;
  readonly session: string;
}

export interface Message {
  readonly type: Type;
  readonly checkout: KnownCheckout;
  readonly amount?: number;
  readonly currency?: string;
  readonly payment_status?: "paid" | "unpaid";
}

const statusOf = (type: Type): Message["payment_status"] =>
  type === "completed" || type === "async_payment_succeeded" ? "paid" : "unpaid";

interface OutboxRow {
  readonly detailType: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at messages field by field
  readonly detail: { readonly data: any };
}

/** One run: a table, a clock, and a provider. */
export class PaymentWorld {
  readonly table: MemoryTable;
  readonly commits: { readonly actor: string; readonly changes: readonly Changed[] }[] = [];
  /** Sessions that the product has ended at the provider. */
  readonly ended: string[] = [];
  now = start;
  #requests = 0;
  /** What the provider has told. */
  readonly events: ToldEvent[] = [];
  readonly at = newProvider({ now: () => this.now, tell: (event) => void this.events.push(event) });
  readonly provider: Provider = product.provider;
  /** Changes a call to the provider. */
  changed = (request: Asked): Asked => request;

  constructor() {
    this.table = newWorld({
      commit: (changes, actor) => void this.commits.push({ actor, changes }),
      answered: () => undefined,
    });
    connectTo(async (request) => {
      const answer = await this.at.answer(this.changed(request));
      const ended = this.session(/^\/v1\/checkout\/sessions\/(\w+)\/expire$/.exec(request.path)?.[1]);
      // It refuses to end a session that is over.
      const isHeard = answer !== "cut" && answer.status <= 400;
      if (isHeard && ended?.status === "expired") this.ended.push(ended.id);
      return answer;
    });
  }

  session = (id: string | undefined) => this.at.sessions().find((one) => one.id === id);

  /** An event in the form in which the provider sends it. It need not be true. */
  #eventOf({ type, checkout, amount = price, currency = "cad", payment_status = statusOf(type) }: Message) {
    const { id: client_reference_id, session: id } = checkout;
    const payment_intent = this.session(id)?.payment_intent ?? `pi_${id}`;
    const facts = { id, client_reference_id, payment_status, amount_total: amount, currency, payment_intent };
    const object = { object: "checkout.session", ...facts, customer_email: "somebody@model.example" };
    return { id: `evt_${type}_${id}`, object: "event", type: `checkout.session.${type}`, data: { object } };
  }

  #nextRequestId(): string {
    this.#requests += 1;
    return `r${this.#requests}`;
  }

  /** The context of a new request. */
  context(): RequestContext {
    this.#requests += 1;
    return contextOf(this.#requests, this.now);
  }

  async givenEvent(capac: number, more: object = {}): Promise<void> {
    const dates = { isPublished: true, startDate: "2030-05-01", pricing: { members: 5, nonMembers: 10 } };
    await this.#asExec("POST /events", { body: { ...key, ename: "Model", capac, ...dates, ...more } });
  }

  /** An admin changes the prices, in dollars. */
  reprice = (nonMembers: number): Promise<void> =>
    this.#asExec("PATCH /events/{eventId}/{year}", { body: { pricing: { nonMembers } } });

  /** Deletes the event. Its registrations stay, because no consumer runs here. */
  deleteEvent = (): Promise<void> => this.#asExec("DELETE /events/{eventId}/{year}", { query: { force: "true" } });

  /** An admin marks a user as no member, and leaves membership and profile as they are. */
  async unmark(email: string): Promise<void> {
    await alone("unmark", () => product.commit({ user: product.changeFields(email, { isMember: false }, this.now) }));
  }

  #asked(routeKey: string, as: string, params: object, more: object): never {
    return gatewayEvent(routeKey, { as, params, ...more, requestId: this.#nextRequestId(), at: this.now });
  }

  async #asExec(routeKey: string, more: object): Promise<void> {
    const asked = this.#asked(routeKey, "exec@club.example", { eventId: key.id, year: `${year}` }, more);
    const { statusCode = 0 } = await alone("event", () => product.events(asked));
    if (statusCode >= 300) throw new Error(`${routeKey}: ${statusCode}`);
  }

  /** The person makes an account, or deletes it. @returns the status of the answer */
  async account(email: string, method: "POST" | "DELETE"): Promise<number> {
    const routeKey = method === "POST" ? "POST /users" : "DELETE /users/{email}";
    return (await product.users(this.#asked(routeKey, email, { email }, { body: {} }))).statusCode ?? 0;
  }

  async register(email: string, more: object = {}) {
    this.now += 1;
    const form = { eventID: key.id, year, email, ...more };
    const { registration } = await alone("register", () =>
      product.register({ form, origin: "self/account" }, this.context()),
    );
    return registration;
  }

  /** @param purpose the event of this world when absent */
  async openCheckout(
    email: string,
    purpose: object = { kind: "event", event: key },
    provider: Provider = this.provider,
  ): Promise<KnownCheckout> {
    this.now += 1;
    const url = await alone("checkout", () => this.askCheckout(email, purpose, provider));
    return this.checkoutAt(url);
  }

  /** The checkout whose page this is. @throws Error when there is none */
  checkoutAt(url: string): KnownCheckout {
    const found = this.at.sessions().find((session) => session.url === url);
    if (!found) throw new Error("no session");
    return { id: String(found.client_reference_id), session: found.id };
  }

  /** Asks for a checkout beside other actors. @returns the address of its page */
  askCheckout(email: string, purpose: object, provider: Provider = this.provider): Promise<string> {
    const redirects = { successUrl: "https://club.example/ok", cancelUrl: "https://club.example/no" };
    const request = { email, isAdmin: false, purpose, ...redirects };
    const prices = { membership: price, memberships: {}, currency: "CAD" };
    return product.openCheckout(request as never, prices, provider, this.context());
  }

  end(email: string, origin: LeaveOrigin): Promise<unknown> {
    const departure = { email, event: key, to: "cancelled", origin } as const;
    return alone("leave", () => product.leave(departure, this.context()));
  }

  /** A run of the sweeper, alone, and then its questions. */
  async sweep(): Promise<void> {
    const { failed, ranOutOfTime } = await alone("sweep", () => product.sweep(this.now));
    if (failed > 0 || ranOutOfTime) throw new Error("a hold was not ended");
    for (const question of this.told("payment.unheard").slice(this.#answered)) {
      this.#answered += 1;
      await alone("question", () => product.endUnheard(question, this.provider, this.context()));
    }
  }
  #answered = 0;

  cancel = (email: string) => this.end(email, "self/account");

  /** The provider sends the event once. */
  async send(message: Message | object, secret: string = webhookSecrets[0]): Promise<number> {
    const body = JSON.stringify("checkout" in message ? this.#eventOf(message as Message) : message);
    const timestamp = Math.floor(this.now / 1_000);
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
    const { statusCode = 0 } = await product.handler({
      routeKey: "POST /payments/webhook",
      headers: { "stripe-signature": signature },
      body,
      requestContext: { requestId: this.#nextRequestId(), timeEpoch: this.now },
    } as never);
    return statusCode;
  }

  /** The provider sends the event until the answer is 200. */
  async deliver(message: Message): Promise<void> {
    for (let tries = 0; tries < 20; tries += 1) if ((await this.send(message)) === 200) return;
    throw new Error("a message that no consumer takes");
  }

  deliverAlone = (message: Message): Promise<void> => alone("webhook", () => this.deliver(message));

  /** Sends all events at once. `order` decides which call to the table is next. */
  deliverTogether(
    message: readonly Message[],
    order: fc.Scheduler,
    interference: Partial<Interference> = {},
  ): Promise<void> {
    const people = message.map((one, index) => [`${index} ${one.type}`, () => this.deliver(one)] as const);
    return this.actTogether(Object.fromEntries(people), order, interference);
  }

  /** All act at once. `order` decides which call to the table is next. */
  actTogether = (
    acts: Readonly<Record<string, () => Promise<void>>>,
    order: fc.Scheduler,
    interference: Partial<Interference> = {},
  ): Promise<void> => together(acts, order, { ...quiet, ...interference });

  /** All stored holds. */
  get holds(): readonly Item[] {
    const stored = new Map<unknown, Item>();
    for (const { before, after } of this.commits.flatMap(({ changes }) => changes)) {
      if (before?.PK === "HOLD") stored.delete(before.SK);
      if (after?.PK === "HOLD") stored.set(after.SK, after);
    }
    return [...stored.values()];
  }

  item(PK: string, SK: string): Item | undefined {
    return this.commits
      .flatMap(({ changes }) => changes)
      .findLast(({ before, after }) => (after ?? before)?.PK === PK && (after ?? before)?.SK === SK)?.after;
  }

  registration = (email: string): Item | undefined => {
    const item = this.item(`USER#${email}`, `REG#${key.id}#${year}`);
    return item && (registrationIn(item as never) as unknown as Item);
  };
  settlement = ({ session }: KnownCheckout): unknown => this.item(`PAY#${session}`, "SETTLED")?.as;
  get seats(): unknown {
    return this.item(`SEAT#${key.id}#${year}#00`, "POOL")?.seats;
  }

  /** The data of all messages of one type. */
  told(type: string): OutboxRow["detail"]["data"][] {
    const rows = this.commits.flatMap(({ changes }) => changes.map(({ after }) => after));
    return rows
      .filter((row): row is Item & OutboxRow => row !== undefined && String(row.PK).startsWith("OUT#"))
      .filter(({ detailType }) => detailType === type)
      .map(({ detail }) => detail.data);
  }
}

const quiet: Interference = { fate: () => "fine", age: () => 0, pause: () => 1 };
