/**
 * The surroundings in which refunds are tested: the product's own code on the model's table, the laptop's provider, and
 * between them a bus and a webhook that deliver late, repeatedly and in any order. A process may die at any call; its
 * message then comes again.
 */
import { jest } from "@jest/globals";
import type { Checkout } from "#domain/payments/checkout/checkout.ts";
import type { MoneyProvider } from "#domain/payments/provider/refund-calls.ts";
import type { Payment } from "#domain/payments/record/payment.ts";
import type { PurposeName } from "#domain/payments/record/purpose.ts";
import type { RefundMode } from "#domain/payments/refunds/refund-rules.ts";
import type { RequestContext } from "#kit/request/context.ts";
import type { BooksMessage } from "#outbox/messages.ts";
import type { ToldEvent } from "../../tools/laptop/payments/in-memory.ts";
import { type Drawn, diceOf } from "./chance.ts";
import type { Item } from "./expression.ts";
import { type Charge, RefundsProvider, type Reply } from "./refunds-provider.ts";
import type { Changed, MemoryTable } from "./table.ts";
import { type Fate, type Interference, newWorld, openWorld, pass, together } from "./world.ts";

const payments = await import("#domain/payments/record/payment.ts");
const news = await import("#domain/payments/record/news.ts");
const pure = { ...payments, ...news };
export type Pure = typeof pure;

/** Pure functions that a mutant replaces. */
let replaced: Partial<Pure> = {};
/** The functions of a module, each of which can be replaced while a run lasts. */
const replaceable = <M extends object>(module: M): M =>
  Object.fromEntries(
    Object.entries(module).map(([name, own]) => [
      name,
      (...given: unknown[]) => ((replaced as Record<string, typeof own>)[name] ?? own)(...given),
    ]),
  ) as M;
jest.unstable_mockModule("#domain/payments/record/payment.ts", () => replaceable(payments));
jest.unstable_mockModule("#domain/payments/record/news.ts", () => replaceable(news));

/** The product on the model's table. One import after the other: Jest links modules badly in parallel. */
async function load() {
  await openWorld();
  return {
    ...(await import("#domain/payments/provider-events/effects.ts")),
    ...(await import("#domain/payments/provider-events/note-dispute.ts")),
    ...(await import("#domain/payments/provider-events/money-event.ts")),
    ...(await import("#domain/payments/provider-events/note-money.ts")),
    ...(await import("#domain/payments/provider-events/note-payout.ts")),
    ...(await import("#domain/payments/provider/refund-calls.ts")),
    ...(await import("#domain/payments/refunds/require-refund.ts")),
    ...(await import("#domain/payments/refunds/send-refund.ts")),
    ...(await import("#domain/payments/refunds/ask-refund.ts")),
    ...(await import("#domain/payments/settling/change-entries.ts")),
    ...(await import("#domain/payments/refusals.ts")),
    ...(await import("#domain/payments/record/change-payment.ts")),
    ...(await import("#domain/payments/record/payment-store.ts")),
    ...(await import("#domain/payments/record/money.ts")),
    ...(await import("#kit/table/execute.ts")),
    ...(await import("#kit/table/conflict.ts")),
    ...(await import("#kit/errors.ts")),
    ...(await import("#outbox/messages.ts")),
    ...(await import("#outbox/store.ts")),
  };
}
const product = await load();
/** The product's pure functions, whatever a mutant replaces. */
export const { sumsOf, unsentOf, paymentStateOf, isSettled } = pure;
const { withAllTold } = pure;

const start = Date.parse("2026-01-01T00:00:00Z");
const hours = 3_600_000;
const event = { id: "model", year: 2030 };

/** What a payment is used for: the money is kept, or goes back as soon as it has come. */
type Use = "seat" | "membership" | "nothing to pay" | "wrong amount";

/** A payment of a run. */
export interface Plan {
  /** In cents. */
  readonly amount: number;
  readonly use: Use;
  /** The provider's event about it comes before everything else. */
  readonly isEarly: boolean;
}

/** One thing that happens. `which` chooses among what there is, `how` from 0 to 99. */
export interface Happening {
  readonly kind: keyof RefundWorld["kinds"];
  readonly which: number;
  readonly how: number;
}

/** What a mutant of the product does otherwise. */
export interface Sabotage extends Pick<Interference, "mutate"> {
  readonly pure?: (own: Pure) => Partial<Pure>;
  readonly provider?: (own: MoneyProvider, at: RefundsProvider) => MoneyProvider;
  /** Changes an idempotency key. */
  readonly key?: (key: string) => string;
  /** Changes a message before it is handled. */
  readonly message?: (message: BooksMessage) => BooksMessage;
}

/** A message of the bus, or an event of the provider. */
interface Posted<M> {
  readonly message: M;
  handled: number;
}

/** A row of the outbox. */
interface Row {
  readonly id: string;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at messages field by field
  readonly data: any;
}

/** Sees every write. */
type Watch = (world: RefundWorld, changes: readonly Changed[]) => void;

const quiet: Interference = { fate: () => "fine", age: () => 0, pause: () => 1 };
/** The model's seats have no registrations that could be marked. */
const booksTypes = /^payment\.(refundRequired|refundOrdered|disputeHeard|paidOut)$/;

interface PaymentOfRun extends Charge, Plan {
  readonly email: string;
  readonly checkout: Checkout;
}

export class RefundWorld {
  readonly table: MemoryTable;
  readonly provider: RefundsProvider;
  readonly payments: PaymentOfRun[] = [];
  /** Everything that was told. */
  readonly rows: Row[] = [];
  readonly messages: Posted<BooksMessage>[] = [];
  readonly events: Posted<ToldEvent>[] = [];
  /** The ids of the refunds that admins asked for. */
  readonly asked = new Set<string>();
  readonly mode: RefundMode;
  readonly sabotage: Sabotage;
  now = start;
  readonly #drawn: Drawn;
  readonly #dice: () => number;
  readonly #at: MoneyProvider;
  #isCalm = false;
  #acts = 0;

  private constructor(mode: RefundMode, drawn: Drawn, sabotage: Sabotage, watch: Watch) {
    this.mode = mode;
    this.sabotage = sabotage;
    this.#drawn = drawn;
    this.#dice = diceOf(drawn);
    this.table = newWorld({ commit: (changes) => this.#committed(changes, watch), answered: () => undefined });
    this.provider = new RefundsProvider({
      ...{ now: () => this.now, pass, reply: () => this.#reply(), dice: this.#dice, key: sabotage.key },
      tell: (message) => void (product.moneyEventOf(message) && this.events.push({ message, handled: 0 })),
    });
    this.#at = sabotage.provider?.(product.moneyProvider, this.provider) ?? product.moneyProvider;
    replaced = sabotage.pure?.(pure) ?? {};
    const refundUntil = new Date(start + 20 * hours).toISOString();
    this.table.seed({ PK: `EVENT#${event.id}#${event.year}`, SK: "META", ...event, refundUntil });
  }

  /** A world in which these payments have been made, and the service has not heard of them. */
  static async of(plans: readonly Plan[], mode: RefundMode, drawn: Drawn, sabotage: Sabotage, watch: Watch) {
    const world = new RefundWorld(mode, drawn, sabotage, watch);
    for (const [index, plan] of plans.entries()) world.#pay(plan, index, await world.provider.pay(plan.amount));
    return world;
  }

  #pay(plan: Plan, index: number, charge: Charge): void {
    const { use, amount } = plan;
    const email = use === "membership" ? `m${index}@model.example` : "a@model.example";
    const checkout: Checkout = {
      ...{ id: `checkout${index}`, email, product: "Model", currency: "CAD", createdAt: start, expiresAt: start },
      ...{ successUrl: "https://club.example/ok", cancelUrl: "https://club.example/no" },
      amount: use === "wrong amount" ? amount + 1 : amount,
      purpose:
        use === "membership"
          ? { kind: "membership", form: { firstName: "Ada" } as never }
          : { kind: "event", event, queueKey: `${start}#${index}` },
    };
    this.payments.push({ ...plan, ...charge, email, checkout });
    this.table.seed({ PK: `PAY#${checkout.id}`, SK: "CHECKOUT", ...checkout });
  }

  #committed(changes: readonly Changed[], watch: Watch): void {
    for (const { after } of changes) if (String(after?.PK).startsWith("OUT#")) this.#post(after as Item);
    watch(this, changes);
  }

  #post({ SK, detailType, detail }: Item): void {
    const type = String(detailType);
    this.rows.push({ id: String(SK), type, data: (detail as { data: unknown }).data });
    if (!booksTypes.test(type)) return;
    const message = product.booksMessage(JSON.stringify({ "detail-type": type, detail }));
    this.messages.push({ message, handled: 0 });
  }

  #reply(): Reply {
    const roll = this.#isCalm ? 0 : this.#dice();
    if (roll < 75) return "fine";
    if (roll < 82 || roll >= 97) return "down";
    return roll < 90 ? "lost" : roll < 94 ? "broken" : "broken after its work";
  }

  #fate = (_call: unknown, isWrite: boolean): Fate => {
    const roll = this.#isCalm ? 50 : this.#dice();
    if (roll < 3) return "conflict";
    if (roll < 5) return "failed";
    if (roll < 8 && isWrite) return "lost";
    if (roll < 10 && isWrite) return "late";
    return roll >= 97 ? "vanish" : "fine";
  };

  /** The context of a new request. */
  #context(actor = "system"): RequestContext {
    this.#acts += 1;
    const requestId = `r${this.#acts}`;
    const newId = () => {
      const id = `asked-${requestId}`;
      this.asked.add(id);
      return id;
    };
    return { now: this.now, actor, requestId, queueKey: requestId, deadline: performance.now() + 15_000, newId };
  }

  /** A process that may fail: what it was to do comes again. @returns whether it has succeeded */
  async #tried(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      const { Conflict, Contended, UnknownOutcome, Unavailable, NotFound, NotRefundable, NothingToDecide } = product;
      const passing = [Conflict, Contended, UnknownOutcome, Unavailable];
      const known = [...passing, NotFound, NotRefundable, NothingToDecide];
      if (!known.some((kind) => error instanceof kind)) throw error;
      return false;
    }
  }

  /** The effect of the payment of a seat, without its registration. */
  async #seat({ email, paymentId, amount, intent }: PaymentOfRun, context: RequestContext): Promise<void> {
    const purpose: PurposeName = { kind: "event", event, queueKey: paymentId };
    const arrived = { email, paymentId, money: { amount, currency: "CAD", paymentIntent: intent } };
    const { execute, answer, write, settlementMembers, outboxRow, completedMessage, readSettlement } = product;
    await execute(
      {
        read: () => readSettlement(paymentId),
        decide: (before) => {
          if (before) return answer(before);
          const message = outboxRow(completedMessage(arrived, purpose), context);
          return write({ ...settlementMembers(arrived, "seat", purpose, context), message }, "seat" as const);
        },
      },
      context,
    );
    await product.changePayment(intent, withAllTold, context);
  }

  /** The provider says that the person has paid. */
  async #settle(payment: PaymentOfRun): Promise<void> {
    const { paymentId, intent, amount, checkout, use } = payment;
    const session = { id: paymentId, checkoutId: checkout.id, amount, currency: "CAD", paymentIntent: intent };
    await this.#tried(() =>
      use === "seat" ? this.#seat(payment, this.#context()) : product.effects.paid(checkout, session, this.#context()),
    );
  }

  /** The registration or membership of a payment ends. */
  async #require({ intent }: PaymentOfRun, cancelledByPerson: boolean): Promise<void> {
    const record = this.record(intent);
    if (!isSettled(record) || record.as === "refund") return;
    const { outboxRow, refundMessage, writeOnce } = product;
    const context = this.#context();
    const { type, data } = refundMessage(record, record.purpose, "registration ended");
    const required = { type, data: { ...data, ...(cancelledByPerson && { cancelledByPerson }) } };
    // Stands for the registration that ends: no message is written alone.
    const ended = { Put: { TableName: "Unit", Item: { PK: "EVENT#ended#2030", SK: `GONE#${context.requestId}` } } };
    await this.#tried(() => writeOnce({ ended, message: outboxRow(required as never, context) }, context));
  }

  async #ask({ paymentId, amount }: PaymentOfRun, how: number): Promise<void> {
    const asked = how < 40 ? undefined : how < 50 ? amount : Math.ceil((amount * (how - 49)) / 60);
    await this.#tried(() =>
      product.askRefund(
        paymentId,
        { amount: asked, reason: "asked", by: { email: "admin", isAdmin: true } },
        this.#context("admin"),
      ),
    );
  }

  /** The treasurer keeps all that waits, or gives all of it back by hand. */
  async #decide({ paymentId }: PaymentOfRun, how: number): Promise<void> {
    const context = this.#context("admin");
    const given = { how: "cash", reason: "asked", by: { email: "admin", isAdmin: true } } as const;
    await this.#tried(
      (): Promise<unknown> =>
        how < 50
          ? product.keepMoney(paymentId, { reason: "asked" }, context)
          : product.askRefund(paymentId, given, context),
    );
  }

  async #handle(posted: Posted<BooksMessage> | undefined): Promise<void> {
    if (!posted) return;
    const message = this.sabotage.message?.(posted.message) ?? posted.message;
    const isDone = await this.#tried(() => {
      if (message.type === "payment.refundRequired") return product.requireRefund(message, this.mode, this.#context());
      if (message.type === "payment.paidOut") return product.notePayout(message.data, this.#at, this.#context());
      if (message.type === "payment.disputeHeard") return product.noteDispute(message.data, this.#at, this.#context());
      const { paymentIntent, paymentId, refundId } = message.data as {
        paymentIntent?: string;
        paymentId: string;
        refundId: string;
      };
      return product.sendRefund(paymentIntent ?? paymentId, refundId, this.#at, this.#context());
    });
    if (isDone) posted.handled += 1;
  }

  async #hear(posted: Posted<ToldEvent> | undefined): Promise<void> {
    const event = posted && product.moneyEventOf(posted.message);
    if (!event) return;
    if (await this.#tried(() => product.noteMoney(event, this.#context()))) posted.handled += 1;
  }

  /** Some are delivered although they were handled. */
  #chosen<M>(all: readonly Posted<M>[], { which, how }: Happening): Posted<M> | undefined {
    const waiting = how < 20 ? all : all.filter(({ handled }) => handled === 0);
    return waiting[which % waiting.length];
  }

  #paymentAt = ({ which }: Happening): PaymentOfRun => this.payments[which % this.payments.length] as PaymentOfRun;

  /** All that may happen. */
  readonly kinds = {
    settle: (one: Happening) => this.#settle(this.#paymentAt(one)),
    require: (one: Happening) => this.#require(this.#paymentAt(one), one.how < 50),
    ask: (one: Happening) => this.#ask(this.#paymentAt(one), one.how),
    decide: (one: Happening) => this.#decide(this.#paymentAt(one), one.how),
    message: (one: Happening) => this.#handle(this.#chosen(this.messages, one)),
    event: (one: Happening) => this.#hear(this.#chosen(this.events, one)),
    dashboard: async (one: Happening) => {
      await pass();
      const charge = this.#paymentAt(one);
      const wanted = one.how < 50 ? this.provider.leftOf(charge) : Math.ceil((charge.amount * one.how) / 99);
      if (wanted > 0) this.provider.refundByHand(charge, wanted);
    },
    dispute: async (one: Happening) => {
      await pass();
      this.provider.dispute(this.#paymentAt(one));
    },
    refund: async ({ which }: Happening) => {
      await pass();
      const refund = this.provider.refunds[which % this.provider.refunds.length];
      if (refund) this.provider.goOn(refund);
    },
    payout: async (_: Happening) => {
      await pass();
      await this.provider.payOut();
    },
    outage: async (_: Happening) => {
      await pass();
      this.provider.isDown = !this.provider.isDown;
    },
    time: async ({ how }: Happening) => {
      // No process runs as long as that.
      this.now += how < 40 ? 60_000 : how < 60 ? 5 * hours : how < 80 ? 21 * hours : 25 * hours;
    },
  };

  /** Lets these things happen at once. */
  async happen(all: readonly Happening[]): Promise<void> {
    for (const one of all) if (one.kind === "time") await this.kinds.time(one);
    const others = all.filter(({ kind }) => kind !== "time");
    const acts = others.map((one, index) => [`${index} ${one.kind}`, () => this.kinds[one.kind](one)] as const);
    await this.#together(Object.fromEntries(acts));
  }

  #together = (acts: Readonly<Record<string, () => Promise<void>>>): Promise<void> =>
    together(acts, this.#drawn.order, { ...quiet, fate: this.#fate, mutate: this.sabotage.mutate });

  /** The provider is up and brings all refunds to an end, and everything is delivered until nothing new comes. */
  async quieten(): Promise<void> {
    this.#isCalm = true;
    this.provider.isDown = false;
    const settleAndDeliver = async () => {
      for (const payment of this.payments) await this.#settle(payment);
      await this.#deliverAll();
    };
    await this.#together({ end: settleAndDeliver });
  }

  /** The last payout, with all that is in none yet. */
  async payOut(): Promise<void> {
    await this.provider.payOut();
    await this.#together({ payout: () => this.#deliverAll() });
  }

  /** False when something new came again and again. */
  isQuiet = true;

  async #deliverAll(): Promise<void> {
    for (let rounds = 0; rounds < 60; rounds += 1) {
      const events = this.events.filter(({ handled }) => handled === 0);
      const messages = this.messages.filter(({ handled }) => handled === 0);
      const pending = this.provider.refunds.filter(({ status }) => status === "pending");
      for (const one of this.#dice() < 50 ? events : events.reverse()) await this.#hear(one);
      for (const one of messages) await this.#handle(one);
      for (const one of pending) this.provider.goOn(one);
      // The provider keeps a 500 under its key for a day; three of them hold an order up until then.
      this.now += rounds < 20 ? 60_000 : 3_600_000;
      if (events.length + messages.length + pending.length === 0) return;
    }
    this.isQuiet = false;
  }

  record = (intent: string): Payment | undefined =>
    this.table.peek(product.paymentKey(intent) as never) as Payment | undefined;

  /** The refunds as people see them, and what is owed to them. */
  ownRefunds(): readonly Item[] {
    const people = new Set(this.payments.map(({ email }) => `USER#${email}`));
    return [...people].flatMap((PK) => this.table.itemsOf(PK)).filter(({ SK }) => String(SK).startsWith("REFUND#"));
  }

  /** The names of the payments that are listed as open. */
  listed = (): readonly string[] => this.table.itemsOf("PAYMENTS#WAITING").map(({ payment }) => String(payment));

  /** The data of all messages of one type. */
  told = (type: string): Row["data"][] => this.rows.filter((row) => row.type === type).map(({ data }) => data);
}
