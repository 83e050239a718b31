/**
 * The surroundings of the payment tests: the webhook as it ships, with real signatures, on the model's table. The
 * provider sends each event until it is answered with 200.
 */
import { jest } from "@jest/globals";
import type fc from "fast-check";
import Stripe from "stripe";
import type { Provider } from "#domain/payments/provider/provider.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import { Unavailable } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import type { Item } from "./expression.ts";
import type { Changed, MemoryTable } from "./table.ts";
import { alone, type Interference, newWorld, openWorld, together } from "./world.ts";

Object.assign(process.env, { PAYMENTS_SECRET: "payments" });
const secrets = ["whsec_new", "whsec_old"] as const;
jest.unstable_mockModule("#kit/secret.ts", () => ({
  readSecret: async () => JSON.stringify({ apiKey: "sk_test_model", webhookSecrets: secrets }),
}));

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
  const { register } = await import("#domain/registrations/register/register.ts");
  const { leave } = await import("#domain/registrations/leave.ts");
  const { sweep } = await import("#domain/registrations/reactions/sweep.ts");
  const { endUnheard } = await import("#domain/payments/checkout/end-unheard.ts");
  const { seam } = await import("#kit/seam.ts");
  const { changeRegistration } = await import("#domain/registrations/amend/change-registration.ts");
  const { openCheckout } = await import("#domain/payments/checkout/open-checkout.ts");
  const { closeOfPerson, closeOfEvent } = await import("#domain/payments/checkout/close-obsolete.ts");
  const { forgetPerson } = await import("#domain/registrations/reactions/forget-person.ts");
  const { grantMembership } = await import("#domain/people/members/grant.ts");
  const { handler: users } = await import("#api/users/index.ts");
  const { changeFields } = await import("#domain/people/users/store.ts");
  const { commit } = await import("#kit/table/table.ts");
  const { pause } = seam;
  // No hold of the sweeper takes too long, because no real time passes.
  seam.pause = (milliseconds, signal) => (signal ? new Promise(() => undefined) : pause(milliseconds));
  return {
    ...{
      handler,
      events,
      register,
      leave,
      changeRegistration,
      openCheckout,
      closeOfPerson,
      closeOfEvent,
      grantMembership,
      endUnheard,
    },
    ...{ forgetPerson, users, changeFields, commit, seam, sweep },
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

/** The event in the form in which the provider sends it. */
const eventOf = ({ type, checkout, amount = price, currency = "cad", payment_status = statusOf(type) }: Message) => ({
  id: `evt_${type}_${checkout.session}`,
  object: "event",
  type: `checkout.session.${type}`,
  data: {
    object: {
      id: checkout.session,
      object: "checkout.session",
      client_reference_id: checkout.id,
      payment_status,
      amount_total: amount,
      currency,
      payment_intent: `pi_${checkout.session}`,
      customer_email: "somebody@model.example",
    },
  },
});

interface OutboxRow {
  readonly detailType: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at messages field by field
  readonly detail: { readonly data: any };
}

/** One run: a table, a clock, and a provider that remembers its sessions. */
export class PaymentWorld {
  readonly table: MemoryTable;
  readonly commits: { readonly actor: string; readonly changes: readonly Changed[] }[] = [];
  /** Sessions that were ended at the provider. */
  readonly ended: string[] = [];
  now = start;
  #requests = 0;
  #sessions = new Map<string, KnownCheckout>();
  /** Sessions that their payers have paid. */
  readonly paid = new Set<string>();
  /** The provider does not answer. */
  isSilent = false;

  constructor() {
    this.table = newWorld({
      commit: (changes, actor) => void this.commits.push({ actor, changes }),
      answered: () => undefined,
    });
  }

  readonly provider: Provider = {
    sessionFor: async ({ id }) => {
      const session = `cs_${id}`;
      this.#sessions.set(id, { id, session });
      return { sessionId: session, url: `https://pay.example/${session}` };
    },
    end: (session) => {
      if (!this.paid.has(session) && !this.isSilent) this.ended.push(session);
      return this.read(session);
    },
  };

  /** The session as the provider has it: without a payment it is over. */
  async read(session: string) {
    if (this.isSilent) throw new Unavailable();
    const isPaid = this.paid.has(session);
    const checkout = { id: session.replace("cs_", ""), session };
    const { object } = eventOf({ type: isPaid ? "completed" : "expired", checkout }).data;
    return { ...object, status: isPaid ? "complete" : "expired" };
  }

  #nextRequestId(): string {
    this.#requests += 1;
    return `r${this.#requests}`;
  }

  /** The context of a new request. */
  context(): RequestContext {
    this.#requests += 1;
    const { now } = this;
    const queueKey = `${now}#${String(this.#requests).padStart(26, "0")}`;
    let ids = 0;
    return {
      ...{ now, actor: "model", requestId: `r${this.#requests}`, queueKey },
      deadline: performance.now() + 15_000,
      // The webhook accepts only a ULID as the id of a checkout.
      newId: () => {
        ids += 1;
        return `${String(this.#requests).padStart(13, "0")}${String(ids).padStart(13, "0")}`;
      },
    };
  }

  async givenEvent(capac: number, more: object = {}): Promise<void> {
    const body = {
      ...key,
      ename: "Model",
      isPublished: true,
      capac,
      startDate: "2030-05-01",
      pricing: { members: 5, nonMembers: 10 },
    };
    const statusCode = await this.#asExec({ routeKey: "POST /events", body: JSON.stringify({ ...body, ...more }) });
    if (statusCode !== 201) throw new Error(`no event: ${statusCode}`);
  }

  /** An admin changes the prices, in dollars. */
  async reprice(nonMembers: number): Promise<void> {
    const request = {
      routeKey: "PATCH /events/{eventId}/{year}",
      pathParameters: { eventId: key.id, year: `${year}` },
    };
    const statusCode = await this.#asExec({ ...request, body: JSON.stringify({ pricing: { nonMembers } }) });
    if (statusCode !== 200) throw new Error(`not repriced: ${statusCode}`);
  }

  /** Deletes the event. Its registrations stay, because no consumer runs here. */
  async deleteEvent(): Promise<void> {
    const statusCode = await this.#asExec({
      routeKey: "DELETE /events/{eventId}/{year}",
      pathParameters: { eventId: key.id, year: `${year}` },
      queryStringParameters: { force: "true" },
    });
    if (statusCode !== 200) throw new Error(`not deleted: ${statusCode}`);
  }

  /** An admin marks a user as no member, and leaves membership and profile as they are. */
  async unmark(email: string): Promise<void> {
    await alone("unmark", () => product.commit({ user: product.changeFields(email, { isMember: false }, this.now) }));
  }

  #requestContext(email: string): object {
    const claims = { token_use: "id", email, email_verified: "true" };
    return { requestId: this.#nextRequestId(), timeEpoch: this.now, authorizer: { jwt: { claims } } };
  }

  async #asExec(request: object): Promise<number> {
    const requestContext = this.#requestContext("exec@club.example");
    const { statusCode = 0 } = await alone("event", () =>
      product.events({ headers: {}, ...request, requestContext } as never),
    );
    return statusCode;
  }

  /** The person makes an account, or deletes it. @returns the status of the answer */
  async account(email: string, method: "POST" | "DELETE"): Promise<number> {
    const routeKey = method === "POST" ? "POST /users" : "DELETE /users/{email}";
    const request = { routeKey, headers: {}, pathParameters: { email }, body: "{}" };
    const requestContext = this.#requestContext(email);
    return (await product.users({ ...request, requestContext } as never)).statusCode ?? 0;
  }

  async register(email: string, more: object = {}) {
    this.now += 1;
    const form = { eventID: key.id, year, email, ...more };
    const { registration } = await alone("register", () => product.register({ form, byAdmin: false }, this.context()));
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
    const known = [...this.#sessions.values()].find(({ session }) => url.endsWith(session));
    if (!known) throw new Error("no session");
    return known;
  }

  /** Asks for a checkout beside other actors. @returns the address of its page */
  askCheckout(email: string, purpose: object, provider: Provider = this.provider): Promise<string> {
    const redirects = { successUrl: "https://club.example/ok", cancelUrl: "https://club.example/no" };
    const request = { email, isAdmin: false, purpose, ...redirects };
    const prices = { membership: price, memberships: {}, currency: "CAD" };
    return product.openCheckout(request as never, prices, provider, this.context());
  }

  end(email: string, how: object): Promise<unknown> {
    const departure = { email, event: key, to: "cancelled", ...how };
    return alone("leave", () => product.leave(departure as never, this.context()));
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

  cancel = (email: string) => this.end(email, { by: "self" });

  /** The provider sends the event once. */
  async send(message: Message | object, secret: string = secrets[0]): Promise<number> {
    const body = JSON.stringify("checkout" in message ? eventOf(message as Message) : message);
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
