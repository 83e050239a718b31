/**
 * The surroundings in which deposits are tested: the product's own code on the model's table, from registering to the refund.
 * People pay, come in by every way, go out again and leave; the event changes; a bus and a provider deliver late, repeatedly
 * and in any order. Each process may die at any call; its message then comes again.
 */
import type { MoneyProvider } from "#domain/payments/provider/refund-calls.ts";
import type { Payment } from "#domain/payments/record/payment.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import { Unavailable } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import type { BooksMessage } from "#outbox/messages.ts";
import { gatewayEvent } from "../gateway-event.ts";
import { type Drawn, diceOf } from "./chance.ts";
import type { Item } from "./expression.ts";
import type { Changed, MemoryTable } from "./table.ts";
import { alone, type Call, contextOf, type Fate, type Interference, newWorld, openWorld, together } from "./world.ts";

const key = { id: "gala", year: 2030 };
const start = Date.parse("2030-01-01T00:00:00Z");
const hours = 3_600_000;
const price = 1_000;
export const people = ["a", "b"] as const;
const emailOf = (who: string): string => `${who}@model.example`;
const exec = "exec@club.example";

/** One import after the other: Jest links modules badly in parallel. */
export async function openProduct() {
  await openWorld();
  return {
    ...(await import("#domain/registrations/register/register.ts")),
    ...(await import("#domain/registrations/amend/change-registration.ts")),
    ...(await import("#domain/registrations/door/check-in.ts")),
    ...(await import("#domain/registrations/door/upload-scans.ts")),
    ...(await import("#domain/registrations/door/door-list.ts")),
    ...(await import("#domain/registrations/reactions/cancel-called-off.ts")),
    ...(await import("#domain/payments/settling/settle-registration.ts")),
    ...(await import("#domain/payments/refunds/require-refund.ts")),
    ...(await import("#domain/payments/refunds/send-refund.ts")),
    ...(await import("#domain/payments/refunds/ask-refund.ts")),
    ...(await import("#domain/payments/refunds/mark-refunded.ts")),
    ...(await import("#domain/payments/record/change-payment.ts")),
    ...(await import("#domain/payments/record/payment.ts")),
    ...(await import("#domain/payments/treasurer/totals.ts")),
    ...(await import("#outbox/messages.ts")),
    ...{ events: (await import("#api/events/index.ts")).handler },
  };
}
export type Product = Awaited<ReturnType<typeof openProduct>>;

const acts = [
  ...(["join", "pay", "cash", "checkIn", "list", "scan", "undo", "undoScan", "cancel", "cancelByAdmin"] as const),
  ...(["toggle", "refund", "give", "message", "told"] as const),
] as const;
/** One thing that happens. `which` chooses among what there is, from 0 to 99. */
export interface Happening {
  readonly act: (typeof acts)[number];
  readonly who: (typeof people)[number];
  readonly which: number;
}

/** What a mutant does otherwise. */
export type Sabotage = Pick<Interference, "mutate" | "disguise">;

/** A person's registration from its beginning to its end, as the commits show it. */
interface Life {
  readonly isDeposit: boolean;
  paidBy?: string;
  /** The paid person was checked in, while the money was still there. */
  came: boolean;
  /** The paid registration has ended. */
  ended: boolean;
}

interface Posted {
  readonly message: BooksMessage;
  handled: number;
}

interface MadeRefund {
  readonly intent: string;
  readonly amount: number;
  state: "pending" | "succeeded" | "failed";
}

const booksTypes = /^payment\.refund(Required|Ordered|Started|Failed)$/;

export class DepositsWorld {
  readonly table: MemoryTable;
  readonly violations = new Set<string>();
  readonly #product: Product;
  readonly #sabotage: Sabotage;
  readonly #dice: () => number;
  readonly #drawn: Drawn;
  readonly #lives = new Map<string, Life>();
  readonly #messages: Posted[] = [];
  /** Reasons of required refunds, by payment. */
  readonly #required = new Map<string, string[]>();
  readonly #asked = new Set<string>();
  readonly #payers = new Map<string, string>();
  readonly #refunds = new Map<string, MadeRefund>();
  #isCalm = false;
  #now = start;
  #requests = 0;
  #scans = 0;

  constructor(product: Product, drawn: Drawn, sabotage: Sabotage = {}) {
    this.#product = product;
    this.#drawn = drawn;
    this.#dice = diceOf(drawn);
    this.#sabotage = sabotage;
    this.table = newWorld({ commit: (changes) => this.#committed(changes), answered: () => undefined });
  }

  #context(actor = "system"): RequestContext {
    this.#requests += 1;
    return contextOf(this.#requests, this.#now, actor);
  }

  get #event(): Item | undefined {
    return this.table.peek({ PK: "EVENT#gala#2030", SK: "META" });
  }

  registrationOf(who: string): RegistrationRecord | undefined {
    const item = this.table.peek({ PK: `USER#${emailOf(who)}`, SK: "REG#gala#2030" });
    return item && registrationIn(item as never);
  }

  #paymentOf(paymentId: string): Payment | undefined {
    const name = paymentId.startsWith("hand") ? paymentId : `pi_${paymentId}`;
    return this.table.peek({ PK: `PAY#${name}`, SK: "PAYMENT" }) as Payment | undefined;
  }

  #committed(changes: readonly Changed[]): void {
    for (const { before, after } of changes) {
      const { PK, SK } = (after ?? before) as Item;
      if (String(PK).startsWith("OUT#") && after) this.#post(after as Item);
      if (String(SK).startsWith("REG#") && after) {
        this.#live(registrationIn(after as never), before && registrationIn(before as never));
      }
    }
  }

  #post({ detailType, detail }: Item): void {
    const type = String(detailType);
    if (!booksTypes.test(type)) return;
    const message = this.#product.booksMessage(JSON.stringify({ "detail-type": type, detail }));
    this.#messages.push({ message, handled: 0 });
    if (message.type !== "payment.refundRequired") return;
    const { paymentId, reason } = message.data;
    this.#required.set(paymentId, [...(this.#required.get(paymentId) ?? []), reason]);
  }

  /** What a commit makes of a registration. */
  #live(is: RegistrationRecord, was: RegistrationRecord | undefined): void {
    const name = `${is.email} ${is.queueKey}`;
    const known = this.#lives.get(name) ?? {
      ...{ isDeposit: this.#event?.refundAtCheckIn === true, came: false, ended: false },
    };
    this.#lives.set(name, known);
    if (is.paidBy !== undefined) known.paidBy = is.paidBy;
    if (was?.queueKey !== is.queueKey || known.paidBy === undefined) return;
    const hasCome = is.status === "checkedIn";
    if (hasCome && was.status !== "checkedIn" && !was.refunded) known.came = true;
    // The refund of before the check-in has failed.
    if (hasCome && was.status === "checkedIn" && was.refunded && !is.refunded) known.came = true;
    if (is.status === "cancelled" && was.status !== "cancelled") known.ended = true;
  }

  async #events(routeKey: string, body: object): Promise<void> {
    const { now, requestId } = this.#context(exec);
    const params = { eventId: key.id, year: String(key.year) };
    const event = gatewayEvent(routeKey, { as: exec, params, body, requestId, at: now });
    const { statusCode = 0, body: text } = await this.#product.events(event);
    if (statusCode === 400) throw new Error(`${routeKey}: ${text}`);
  }

  async open(fields: object = {}): Promise<void> {
    const pricing = { members: price / 100, nonMembers: price / 100 };
    const startDate = new Date(start + 100 * hours).toISOString();
    const event = { ...key, ename: "Gala", isPublished: true, startDate, pricing, refundAtCheckIn: true, ...fields };
    await alone("create", () => this.#events("POST /events", event));
  }

  /** The provider's calls, which may stay without an answer, with their work done or not. */
  #provider(): MoneyProvider {
    const found = (refundId: string, { amount, state }: MadeRefund) => ({
      ...{ refundId, providerId: `re_${refundId}`, amount, state },
      ...(state === "failed" && { failure: "expired card" }),
    });
    const none = async () => undefined;
    return {
      refundsOf: async (intent) =>
        [...this.#refunds].filter(([, one]) => one.intent === intent).map(([id, one]) => found(id, one)),
      refund: async ({ refundId, paymentIntent: intent, amount }) => {
        const roll = this.#isCalm ? 0 : this.#dice();
        if (roll > 85) throw new Unavailable();
        const known = this.#refunds.get(refundId) ?? { intent, amount, state: "pending" as const };
        this.#refunds.set(refundId, known);
        if (roll > 75) throw new Unavailable();
        return found(refundId, known);
      },
      disputeNow: none,
      linesOf: async () => [],
    };
  }

  async #handle(posted: Posted | undefined): Promise<void> {
    if (!posted) return;
    const { message } = posted;
    const context = this.#context();
    if (message.type === "payment.refundRequired") await this.#product.requireRefund(message, "automatic", context);
    else {
      const data = message.data as { paymentId: string; paymentIntent?: string; refundId: string };
      const name = data.paymentIntent ?? data.paymentId;
      if (message.type === "payment.refundOrdered")
        await this.#product.sendRefund(name, data.refundId, this.#provider(), context);
      else await this.#product.markRefunded(name, context);
    }
    posted.handled += 1;
  }

  /** The provider tells how a refund went on. */
  async #tell(which: number): Promise<void> {
    const all = [...this.#refunds];
    const [id, refund] = all[which % Math.max(all.length, 1)] ?? [];
    if (id === undefined || refund === undefined) return;
    if (refund.state !== "failed") refund.state = which > 90 ? "failed" : "succeeded";
    const { amount, intent, state } = refund;
    const told = {
      ...{ providerId: `re_${id}`, amount, state },
      ...(state === "failed" && { failure: "expired card" }),
    };
    const context = this.#context();
    await this.#product.changePayment(intent, (one) => this.#product.withRefund(one, id, told, this.#now), context);
  }

  async #scan(who: string, which: number, undoes?: string): Promise<void> {
    const registration = this.registrationOf(who);
    const event = this.#event;
    if (!registration || !event) return;
    this.#scans += 1;
    const mark = this.#product.markOfTicket(registration, "key");
    const row = {
      nonce: undoes ? `u${this.#scans}` : `n${this.#scans}`,
      mark,
      scannedAt: this.#now - which * 1_000,
      undoes,
    };
    const at = {
      ...{ device: { id: "d", name: "door" } as never, event: event as never, sentAt: this.#now, key: "key" },
      emailOf: async () => emailOf(who),
    };
    // The queue of a phone is uploaded twice.
    await this.#product.uploadScan(row, at, this.#context("device d"));
    await this.#product.uploadScan(row, at, this.#context("device d"));
  }

  async #pay(who: string, byHand: boolean): Promise<void> {
    const email = emailOf(who);
    const queueKey = this.registrationOf(who)?.queueKey;
    if (queueKey === undefined) return;
    const paymentId = `${byHand ? "hand_" : "cs_"}${queueKey.replace(/\W/g, "")}`;
    this.#payers.set(paymentId, who);
    const money = { amount: price, currency: "CAD", ...(!byHand && { paymentIntent: `pi_${paymentId}` }) };
    const taken = byHand && { byHand: { how: "cash", by: exec, price } as const };
    await this.#product.settle({ email, event: key, paymentId, queueKey, money, ...taken }, this.#context());
  }

  #change(who: string, origin: string, registrationStatus: string) {
    const request = { email: emailOf(who), event: key, origin: origin as never, amendment: { registrationStatus } };
    const actor = origin.startsWith("self") ? emailOf(who) : exec;
    return this.#product.changeRegistration(request as never, this.#context(actor));
  }

  async #ask(who: string, isByHand: boolean): Promise<void> {
    const { paidBy } = this.registrationOf(who) ?? {};
    if (paidBy === undefined || paidBy.startsWith("hand_") !== isByHand) return;
    this.#asked.add(paidBy);
    const asked = { reason: "Asked.", by: { email: exec, isAdmin: true }, ...(isByHand && { how: "cash" as const }) };
    await this.#product.askRefund(paidBy, asked, this.#context(exec));
  }

  #chosen(which: number): Posted | undefined {
    const waiting = which < 20 ? this.#messages : this.#messages.filter(({ handled }) => handled === 0);
    return waiting[which % Math.max(waiting.length, 1)];
  }

  async #do({ act, who, which }: Happening): Promise<unknown> {
    const form = { eventID: key.id, year: key.year, email: emailOf(who), fname: who };
    const doing: Readonly<Record<Happening["act"], () => Promise<unknown>>> = {
      join: () => this.#product.register({ form, origin: "self/account" }, this.#context(emailOf(who))),
      pay: () => this.#pay(who, false),
      cash: () => this.#pay(who, true),
      checkIn: () => this.#product.checkInVisitor({ email: emailOf(who) }, key, this.#context(exec)),
      list: () => this.#change(who, "admin/bulk", "checkedIn"),
      scan: () => this.#scan(who, which),
      undo: () => this.#change(who, "admin/desk", "registered"),
      undoScan: () => this.#scan(who, 0, `n${this.#scans}`),
      cancel: () => this.#change(who, "self/account", "cancelled"),
      cancelByAdmin: () => this.#change(who, "admin/desk", "cancelled"),
      toggle: () => this.#events("PATCH /events/{eventId}/{year}", { refundAtCheckIn: which < 50 }),
      refund: () => this.#ask(who, false),
      give: () => this.#ask(who, true),
      message: () => this.#handle(this.#chosen(which)),
      told: () => this.#tell(which),
    };
    return doing[act]();
  }

  /** Refusals and lost answers are answers. */
  async #tried(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const isAnswer =
        "code" in error ||
        /Conflict|Contended|Outcome|Throttled|Unanswered|NotYet|Unavailable/.test(error.constructor.name);
      if (!isAnswer) throw error;
    }
  }

  #fate = (_call: Call, isWrite: boolean): Fate => {
    const roll = this.#dice();
    if (roll < 5) return "conflict";
    if (roll < 8 && isWrite) return "lost";
    if (roll < 10 && isWrite) return "late";
    if (roll < 12) return "failed";
    return roll > 95 ? "vanish" : "fine";
  };

  /** Things that happen at the same moment. */
  async together(group: readonly Happening[], fate = this.#fate): Promise<void> {
    this.#now += 60_000;
    const actors = group.map(
      (one, n) => [`${n} ${one.act} ${one.who}`, () => this.#tried(() => this.#do(one))] as const,
    );
    const interference = { fate, age: () => 0, pause: () => 1, ...this.#sabotage };
    await together(Object.fromEntries(actors), this.#drawn.order, interference);
  }

  /** All messages are handled, and nothing fails any more. */
  async quieten(): Promise<void> {
    this.#isCalm = true;
    for (let round = 0; round < 50; round += 1) {
      const posted = this.#messages.find(({ handled }) => handled === 0);
      if (!posted) return;
      const disguise = this.#sabotage.disguise;
      await alone("consumer", () => this.#tried(() => this.#handle(posted)), disguise);
    }
  }

  /** The event is called off. */
  async callOff(): Promise<void> {
    this.#isCalm = true;
    const event = { ...key, generation: String(this.#event?.generation) };
    await alone("call off", () => this.#events("PATCH /events/{eventId}/{year}", { calledOff: "The hall is closed." }));
    for (const who of people) {
      if (!this.registrationOf(who)) continue;
      const work = () => this.#product.cancelOfCalledOff(event, emailOf(who), this.#context());
      await alone(`cancelled ${who}`, () => this.#tried(work), this.#sabotage.disguise);
    }
  }

  #judgePayment(life: Life, payment: Payment): void {
    const { paymentId, money } = payment;
    const reasons = this.#required.get(paymentId) ?? [];
    const earned = life.isDeposit && life.came;
    const expected = earned ? ["checked in"] : life.ended ? ["registration ended"] : [];
    if (reasons.length > expected.length) this.violations.add("REQUIRED_TWICE");
    if (reasons.length < expected.length) this.violations.add("LOST");
    if (reasons.length === expected.length && reasons.join() !== expected.join()) this.violations.add("REASON");
    if (payment.deposit !== (life.isDeposit ? (earned ? "due" : "held") : undefined))
      this.violations.add("PAYMENT_MARK");
    const { wentBack, open } = this.#product.sumsOf(payment);
    const back = wentBack + open;
    const isAsked = this.#asked.has(paymentId) || expected.length > 0;
    if (!isAsked && back > 0) this.violations.add("UNASKED");
    if (expected.length > 0 && payment.review === undefined && back !== money.amount) this.violations.add("NOT_BACK");
    const made = [...this.#refunds.values()].filter((one) => one.intent === money.paymentIntent);
    const sent = made.filter(({ state }) => state !== "failed").reduce((sum, { amount }) => sum + amount, 0);
    if (sent > money.amount) this.violations.add("REFUNDED_TWICE");
  }

  /** The third refund of a person is the treasurer's decision. A deposit of who has come is none; money for nothing is. */
  #judgeReviews(): void {
    const came = [...this.#lives.values()].flatMap((life) => (life.isDeposit && life.came ? (life.paidBy ?? []) : []));
    const counts = ([paymentId]: readonly [string, string]): boolean =>
      this.#asked.has(paymentId) || (this.#required.has(paymentId) && !came.includes(paymentId));
    for (const [paymentId, who] of this.#payers) {
      if (this.#paymentOf(paymentId)?.review !== "third") continue;
      const others = [...this.#payers].filter(([other, of]) => other !== paymentId && of === who);
      if (others.filter(counts).length < 2) this.violations.add("THIRD");
    }
  }

  /** The marks of seats, and the sums, when nothing is under way. */
  #judgeMarks(payments: readonly (readonly [Life, Payment])[]): void {
    for (const who of people) {
      const seat = this.registrationOf(who);
      const payment = seat?.paidBy === undefined ? undefined : this.#paymentOf(seat.paidBy);
      if (!seat || !payment || seat.status === "cancelled" || payment.deposit !== "due") continue;
      const isBack = this.#product.hasLeft(payment);
      if ((seat.deposit === "returned") !== isBack || seat.refunded) this.violations.add("SEAT_MARK");
    }
    const sums = this.#product.totalsOf(payments.map(([, payment]) => payment));
    const of = (isMeant: (life: Life, payment: Payment) => boolean) =>
      payments.filter(([life, payment]) => life.isDeposit && isMeant(life, payment)).length * price;
    const isBack = (payment: Payment) =>
      this.#product.sumsOf(payment).wentBack + this.#product.sumsOf(payment).open > 0;
    const expected = [of(() => true), of(({ came }) => came), of(({ came }, payment) => !came && !isBack(payment))];
    const told = [sums.deposits, sums.depositsReturned, sums.depositsKept];
    if (told.join() !== expected.join()) this.violations.add("SUMS");
  }

  judge(): readonly string[] {
    const lives = [...this.#lives];
    const payments = lives.flatMap(([, life]) => {
      const payment = life.paidBy === undefined ? undefined : this.#paymentOf(life.paidBy);
      return payment ? [[life, payment] as const] : [];
    });
    for (const [life, payment] of payments) this.#judgePayment(life, payment);
    this.#judgeReviews();
    this.#judgeMarks(payments);
    return [...this.violations];
  }

  /** What has happened in all, so that a search that does nothing is noticed. */
  get seen() {
    const lives = [...this.#lives.values()];
    const reasons = [...this.#required.values()].flat();
    return {
      came: lives.filter(({ came }) => came).length,
      returned: reasons.filter((reason) => reason === "checked in").length,
      ended: reasons.filter((reason) => reason === "registration ended").length,
      failed: [...this.#refunds.values()].filter(({ state }) => state === "failed").length,
      byHand: lives.filter(({ came, paidBy = "" }) => came && paidBy.startsWith("hand_")).length,
    };
  }
}
