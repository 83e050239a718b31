/** One run of a situation: the product's own requests, all at the same time. */

import { jest } from "@jest/globals";
import type fc from "fast-check";
import pMap from "p-map";
import type { RequestContext } from "#kit/request/context.ts";
import { matchesPattern } from "../../tools/laptop/patterns/event-pattern.ts";
import { gatewayEvent } from "../gateway-event.ts";
import { Judge, type OutboxRow } from "./judge.ts";
import { type Act, type Situation, seatsLeftEmpty, start, workshops } from "./situations.ts";
import type { MemoryTable } from "./table.ts";
import {
  actorNow,
  alone,
  type Fate,
  type Interference,
  Livelock,
  newWorld,
  openWorld,
  pass,
  together,
  traceOf,
} from "./world.ts";

jest.unstable_mockModule("#kit/secret.ts", () => ({ readSecret: async () => "key-of-the-model" }));

/** The rules that a mutant switches off. Each run makes its mutant anew. */
export interface Mutant extends Pick<Interference, "mutate" | "disguise" | "delays"> {
  /** Replacements for steps of the executor. */
  readonly seam?: Partial<Seam>;
  /** The context with which one row of a request about several people is carried out. */
  readonly contextOfRow?: (ofRequest: RequestContext, ofRow: RequestContext) => RequestContext;
  /** Changes the answers that the promoter gets after the acts. */
  readonly promoter?: Interference["disguise"];
}

/** The order of the calls, and dice (0 to 99) for all other choices. */
export interface Chance {
  readonly order: fc.Scheduler;
  readonly dice: () => number;
  /** The fate of the call that was released last. Absent: the dice decide. */
  readonly fate?: () => Fate;
  /** Milliseconds of each pause. Absent: the dice decide. */
  readonly pause?: number;
  /** How many messages the promoter handles while the acts run. Absent: none. */
  readonly promotions?: number;
  /** Each act begins after a number of turns of its own, at most this one. Absent: all acts begin at once. */
  readonly maxTurnsBefore?: number;
}

const year = 2030;
const key = { id: "model", year };
const codeText = "MODEL";
const emailOf = (who: string): string => `${who}@model.example`;

/** The product on the model's table. One import after the other: Jest links modules badly in parallel. */
export async function openProduct() {
  await openWorld();
  const { seam } = await import("#kit/seam.ts");
  const { register } = await import("#domain/registrations/register/register.ts");
  const { leave } = await import("#domain/registrations/leave.ts");
  const { promote } = await import("#domain/registrations/promote.ts");
  const { changeRegistration } = await import("#domain/registrations/amend/change-registration.ts");
  const codes = await import("#domain/codes/manage.ts");
  const { codeIdOf } = await import("#domain/codes/code.ts");
  const { runRow, rowsAtOnce } = await import("#api/registrations/rows.ts");
  const { settle } = await import("#domain/payments/settling/settle-registration.ts");
  const { removeRegistration } = await import("#domain/registrations/remove-registration.ts");
  const { repair } = await import("#domain/registrations/reactions/repair.ts");
  const { offerSeat } = await import("#domain/registrations/register/offer-seat.ts");
  const { acceptSeat } = await import("#domain/registrations/register/accept-seat.ts");
  const { readOffer } = await import("#domain/registrations/store/offers.ts");
  const { notedHolder } = await import("#domain/payments/settling/hand-on.ts");
  const { seatMessage } = await import("#outbox/messages.ts");
  const { promoterSubscription } = await import("#outbox/subscriptions.ts");
  const { handler } = await import("#api/events/index.ts");
  const ownSeam = { ...seam };
  const { Conflict, UnknownOutcome } = await import("#kit/table/conflict.ts");
  return {
    ...{ register, leave, promote, changeRegistration, settle, removeRegistration, seam, ownSeam },
    ...{ offerSeat, acceptSeat, readOffer, notedHolder },
    ...{ repair, seatMessage, promoterSubscription, runRow, rowsAtOnce, codes, codeIdOf },
    events: handler,
    Conflict,
    UnknownOutcome,
  };
}

export type Product = Awaited<ReturnType<typeof openProduct>>;
export type Seam = Product["seam"];

/** The chance of each fate and of each other choice, in per cent. */
const likely = { conflict: 8, failed: 3, lost: 7, late: 5, vanish: 6, old: 20, long: 12, twice: 30 };

function fateOf({ crashes = 0, lost = 0 }: Situation, dice: () => number) {
  const left = { crashes, lost };
  const bounds = [likely.conflict, likely.failed, likely.lost, likely.late, likely.vanish].map((_, index, all) =>
    all.slice(0, index + 1).reduce((sum, one) => sum + one, 0),
  );
  return (isWrite: boolean): Fate => {
    const roll = dice();
    const [conflict = 0, failed = 0, lostBound = 0, lateBound = 0, vanish = 0] = bounds;
    if (roll < conflict) return "conflict";
    if (roll < failed) return "failed";
    if (roll < lateBound && isWrite && left.lost > 0) {
      left.lost -= 1;
      return roll < lostBound ? "lost" : "late";
    }
    if (roll >= lateBound && roll < vanish && left.crashes > 0) {
      left.crashes -= 1;
      return "vanish";
    }
    return "fine";
  };
}

class Run {
  readonly judge: Judge;
  readonly #product: Product;
  readonly #situation: Situation;
  readonly #mutant: Mutant;
  #clock = start;

  constructor(product: Product, situation: Situation, mutant: Mutant) {
    this.judge = new Judge(new Set([...(situation.noShows ?? "")].map(emailOf)));
    this.#product = product;
    this.#situation = situation;
    this.#mutant = mutant;
  }

  /**
   * The context of a new request. With `delay`, in milliseconds, the request comes later than its place in line says.
   */
  context(delay = 0): RequestContext {
    this.#clock += 1;
    const key = `${this.#clock}#${String(this.#clock).padStart(26, "0")}`;
    let ids = 0;
    return {
      now: this.#clock + delay,
      actor: "model",
      requestId: `r${this.#clock}`,
      queueKey: key,
      deadline: performance.now() + 15_000,
      newId: () => {
        ids += 1;
        return `${key}#${ids}`;
      },
    };
  }

  #outcomeOf = (error: unknown): string => {
    if (error instanceof this.#product.UnknownOutcome && this.#situation.isContended) return "UNKNOWN";
    const { code } = error as { code?: string };
    if (code === undefined) throw error;
    return code;
  };

  act(name: string, act: Act): Promise<void> {
    switch (act.do) {
      case "register":
        return this.#register(name, act);
      case "code":
        return this.#code(act);
      case "bring": {
        const plusOnes = this.#plusOnes(act.only);
        return this.#amend(name, emailOf(act.who), { plusOnes }).then(() => undefined);
      }
      case "leave":
        return this.#leave(emailOf(act.who));
      case "cancel":
        return this.#end(emailOf(act.who), "self/account");
      case "offer":
        return this.#offer(emailOf(act.who), emailOf(act.to));
      case "accept":
        return this.#accept(emailOf(act.who), act.choice);
      case "sweep":
        return this.#end(emailOf(act.who), "clock/hold");
      case "pay":
        return this.#pay(emailOf(act.who), act.brings);
      case "answer":
        return this.#amend(name, emailOf(act.who), { dynamicResponses: { w: act.choice } }).then(() => undefined);
      case "decide":
        return this.#decide(name, emailOf(act.who), act);
      case "decideAll":
        return this.#registerAgain(act);
      case "change":
        return this.#callEvents(name, "PATCH /events/{eventId}/{year}", act.changes);
      case "delete":
        return this.#callEvents(name, "DELETE /events/{eventId}/{year}");
      case "create":
        return this.create(name);
    }
  }

  create(name: string): Promise<void> {
    const { capac, participantCap, noShows } = this.#situation;
    return this.#callEvents(name, "POST /events", {
      ...key,
      ename: "Model",
      isPublished: true,
      capac,
      startDate: "2030-05-01",
      ...this.#situation.event,
      ...(noShows && { noShowsWait: true }),
      ...(participantCap !== undefined && workshops(participantCap)),
    });
  }

  /** An executive creates the event's code, changes or ends it. */
  async #code({ uses, price }: Act & { do: "code" }): Promise<void> {
    const { createCode, endCode, updateCode } = this.#product.codes;
    const settings = { timeZone: "UTC", currency: "CAD" };
    const id = this.#product.codeIdOf(this.judge.generation, codeText);
    const context = this.context();
    if (typeof uses === "number") {
      const terms = price === undefined ? { kind: "access" as const } : { kind: "discount" as const, price };
      await createCode(key, { code: codeText, uses, ...terms }, settings, context);
    } else if (uses === "ended") await endCode(key, id, context).catch(this.#outcomeOf);
    else await updateCode(key, id, { note: "changed" }, settings, context).catch(this.#outcomeOf);
  }

  async #register(name: string, { who, choice, partner, code, brings }: Act & { do: "register" }): Promise<void> {
    const context = this.context();
    const email = emailOf(who);
    const form = {
      eventID: key.id,
      year,
      email,
      ...(partner && { isPartner: true }),
      ...(code && { code: codeText }),
      ...(brings !== undefined && { plusOnes: this.#plusOnes(brings) }),
      ...(choice !== undefined && { dynamicResponses: { w: choice } }),
    };
    const since = this.judge.moment;
    const outcome = await this.#product
      .register({ form, origin: "self/account" }, context)
      .then(({ registration }) => registration.status, this.#outcomeOf);
    if (outcome !== "UNKNOWN") this.judge.judgeAnswer(name, email, context.queueKey, outcome, since);
  }

  #plusOnes = (count: number) => Array.from({ length: count }, (_, at) => ({ fname: `Guest ${at + 1}` }));

  async #leave(email: string): Promise<void> {
    const context = this.context();
    const outcome = await this.#product
      .leave({ email, event: key, to: "deleted", origin: "admin/desk" }, context)
      .then(() => "left", this.#outcomeOf);
    if (outcome !== "UNKNOWN") this.judge.judgeDeparture(context.requestId, email, outcome);
  }

  /** Ends a registration as cancelled, and compares the answer. */
  async #end(email: string, origin: "self/account" | "clock/hold"): Promise<void> {
    const departure = { email, event: key, to: "cancelled", origin } as const;
    // The sweeper runs long after every hold is over.
    const context = this.context(origin === "clock/hold" ? 10 * 86_400_000 : 0);
    await this.#product.leave(departure, context).catch(this.#outcomeOf);
  }

  async #offer(email: string, to: string): Promise<void> {
    const request = { email, event: key, to: { email: to, fname: "Model" }, origin: "self/account" } as const;
    const limits = { perHour: 1_000, perHourAndDomain: 1_000, openDomains: [] };
    await this.#product.offerSeat(request, limits, this.context()).catch(this.#outcomeOf);
  }

  /** A person takes a seat by the latest mail to them. */
  async #accept(email: string, choice?: string): Promise<void> {
    const { readOffer, acceptSeat, notedHolder } = this.#product;
    const mark = this.judge.markedFor(email);
    const offer =
      mark === undefined ? undefined : await readOffer({ event: key, mark }, "strong").catch(() => undefined);
    if (!offer) return;
    const context = this.context();
    const acceptance: Parameters<typeof acceptSeat>[0] = {
      ...{ offer, guests: "everyone", ...(choice !== undefined && { dynamicResponses: { w: choice } }) },
      beside: (giver) => notedHolder(giver, email, context),
    };
    const outcome = await acceptSeat(acceptance, context).then(() => "taken", this.#outcomeOf);
    if (outcome !== "UNKNOWN") this.judge.judgeTaking(offer, outcome);
  }

  /** Sends a PUT. @returns whether the registration was changed, or the code of the refusal */
  async #amend(name: string, email: string, amendment: object, context = this.context()): Promise<string> {
    const request = { email, event: key, amendment, origin: "admin/desk" as const };
    const since = this.judge.moment;
    return this.#product.changeRegistration(request, context).then(({ registration }) => {
      this.judge.judgeChanged(name, email, registration.status, since);
      return "changed";
    }, this.#outcomeOf);
  }

  async #decide(name: string, email: string, { to, points }: Act & { do: "decide" }): Promise<void> {
    const context = this.context();
    const amendment = { registrationStatus: to, ...(points !== undefined && { points }) };
    const outcome = await this.#amend(name, email, amendment, context);
    if (outcome === "UNKNOWN" || points === undefined) return;
    this.judge.judgeDecision(context.requestId, email, outcome, { status: to, points });
  }

  /** Sends several people's rows in one request, as the mass update does. */
  async #registerAgain({ people }: Act & { do: "decideAll" }): Promise<void> {
    const { changeRegistration, runRow, rowsAtOnce } = this.#product;
    const context = this.context();
    const since = this.judge.moment;
    const row = async (email: string) => {
      const request = {
        email,
        event: key,
        amendment: { registrationStatus: "registered" },
        origin: "admin/bulk",
      } as const;
      let outcome = "UNKNOWN";
      await runRow(email, context, async (ofRow) => {
        const own = this.#mutant.contextOfRow?.(context, ofRow) ?? ofRow;
        outcome = await changeRegistration(request, own).then(
          ({ registration }) => registration.status,
          this.#outcomeOf,
        );
        return {};
      });
      if (outcome !== "UNKNOWN") this.judge.judgeRow(context.requestId, email, outcome, since);
    };
    await pMap([...people].map(emailOf), row, { concurrency: rowsAtOnce });
  }

  /**
   * The provider reports a payment for the person's present or earlier registration.
   * @param brings for whom it is besides the person, as on an older page
   */
  async #pay(email: string, brings?: number): Promise<void> {
    const queueKey = this.judge.queueKeyOf(email);
    const plusOnes = brings ?? this.judge.broughtBy(email);
    const money = { amount: this.judge.priceOf(email, plusOnes), currency: "CAD" };
    const paymentId = `pay-${queueKey}${brings === undefined ? "" : `-${brings}`}`;
    const payment = { email, event: key, paymentId, queueKey, plusOnes, money };
    this.judge.paid(paymentId, money.amount);
    const outcome = await this.#product.settle(payment, this.context()).catch(this.#outcomeOf);
    if (outcome !== "UNKNOWN") this.judge.judgeSettlement(payment.paymentId, outcome);
  }

  /** The messages that the promoter's rule lets through. */
  #forPromoter(messages: readonly OutboxRow[]): object[] {
    return messages
      .map(({ detailType, detail }) => ({ source: "club.events", "detail-type": detailType, detail }))
      .filter((message) => matchesPattern(this.#product.promoterSubscription, message));
  }

  #handle(message: object): Promise<void> {
    return this.#product.repair(this.#product.seatMessage(JSON.stringify(message)), this.context());
  }

  /** Acts as the promoter: it gets its messages late, in any order, and some of them twice. */
  async repair(messages: readonly OutboxRow[], dice: () => number): Promise<void> {
    const all = this.#forPromoter(messages);
    const twice = all.filter(() => dice() < likely.twice);
    const inAnyOrder = [...all, ...twice].map((message) => ({ message, at: dice() })).sort((a, b) => a.at - b.at);
    for (const { message } of inAnyOrder) await this.#handle(message);
  }

  /**
   * Acts as the promoter beside the requests: it gets one of the messages of the acts, unless none comes in time.
   * @param messagesBefore the number of the messages that were written before the acts
   * @param patience how many turns it waits for a message
   */
  async promoteBeside(messagesBefore: number, patience: number, dice: () => number): Promise<void> {
    for (let turns = patience; turns > 0; turns -= 1) {
      await pass();
      const all = this.#forPromoter(this.judge.messages.slice(messagesBefore));
      const message = all[dice() % all.length];
      if (message) return this.#handle(message).catch(this.#comesAgain);
    }
  }

  /** The queue brings a message again when a call fails. In the run this promoter is done. */
  #comesAgain = (error: unknown): void => {
    const { Conflict, UnknownOutcome } = this.#product;
    if (!(error instanceof Conflict || error instanceof UnknownOutcome)) this.#outcomeOf(error);
  };

  /** Acts as the consumer of a deleted event. */
  async removeRegistration(): Promise<void> {
    for (const registration of this.judge.inGoneEvent()) {
      await this.#product.removeRegistration(
        registration as never,
        { quietly: false, withoutRefund: false },
        this.context(),
      );
    }
  }

  async #callEvents(name: string, routeKey: string, body?: object): Promise<void> {
    const { now, requestId } = this.context();
    const params = { eventId: key.id, year: String(year) };
    const query = routeKey.startsWith("DELETE") ? { force: "true" } : undefined;
    const event = gatewayEvent(routeKey, { as: "exec@club.example", params, query, body, requestId, at: now });
    const { statusCode = 0, body: text } = await this.#product.events(event);
    if (statusCode === 400) throw new Error(`${routeKey}: ${text}`);
    const { code } = JSON.parse(String(text)) as { code?: string };
    if (code === "OUTCOME_UNKNOWN" && this.#situation.isContended) return;
    const isUnable = statusCode >= 500 && statusCode !== 503;
    if (isUnable) this.judge.blame(`ANSWERED_${statusCode}`);
    // A change whose answer got lost may be answered with 404, because the event has been deleted since.
    const isGone = statusCode === 404 && routeKey.startsWith("PATCH");
    if (statusCode >= 400 && !isGone && this.judge.changedEvent.has(name))
      this.judge.blame(`TOLD_${statusCode}_BUT_CHANGED`);
  }
}

/** The violations of a run, and its calls. */
export interface Finding {
  readonly violations: readonly string[];
  readonly trace: readonly string[];
}

/** Runs a situation once, in one order of its calls. */
export async function runOnce(
  product: Product,
  situation: Situation,
  mutant: Mutant,
  { order, dice, fate: given, pause, promotions = 0, maxTurnsBefore = 0 }: Chance,
  table?: MemoryTable,
): Promise<Finding> {
  const run = new Run(product, situation, mutant);
  const { judge } = run;
  const world = newWorld(judge, table);
  const { onCommit } = world;
  // The judge watches one event.
  world.onCommit = () => undefined;
  for (const who of situation.noShows ?? "") for (const item of seatsLeftEmpty(emailOf(who))) world.seed(item);
  world.onCommit = onCommit;
  const isCrowded: Seam["isCrowded"] = (conflicts, byAdmin) =>
    [...(situation.crowd ?? "")].some((who) => actorNow().endsWith(`register ${who}`)) ||
    product.ownSeam.isCrowded(conflicts, byAdmin);
  Object.assign(product.seam, product.ownSeam, { isCrowded }, mutant.seam);
  await alone("before", () => run.create("before"));
  for (const [index, act] of (situation.before ?? []).entries())
    await alone(`before ${index} ${act.do}`, () => run.act(`before ${index}`, act));
  const messagesBefore = judge.messages.length;
  let needsRepair = situation.isContended === true;
  const fate = fateOf(situation, dice);
  const people = situation.acts.map((act, index) => {
    const name = `${index} ${act.do}${"who" in act ? ` ${act.who}` : ""}`;
    const turnsBefore = maxTurnsBefore > 0 ? dice() % (maxTurnsBefore + 1) : 0;
    const begin = async () => {
      for (let turns = turnsBefore; turns > 0; turns -= 1) await pass();
      return run.act(name, act);
    };
    return [name, begin] as const;
  });
  const promoters = Array.from({ length: promotions }, (_, index) => {
    return [`promoter ${index}`, () => run.promoteBeside(messagesBefore, 12 + maxTurnsBefore, dice)] as const;
  });
  try {
    await together(Object.fromEntries([...people, ...promoters]), order, {
      fate: (_call, isWrite) => {
        const chosen = given ? given() : fate(isWrite);
        needsRepair ||= chosen === "vanish";
        return chosen;
      },
      age: () => (dice() < likely.old ? 1 + (dice() % 2) : 0),
      pause: () => pause ?? (situation.isContended && dice() < likely.long ? 9_000 : 1),
      mutate: mutant.mutate,
      disguise: mutant.disguise,
      delays: mutant.delays,
    });
  } catch (error) {
    if (!(error instanceof Livelock)) throw error;
    judge.blame("LIVELOCK");
    return { violations: [...judge.violations], trace: traceOf().slice(-60) };
  }
  // The promoter repairs what a vanished actor left. Without one the protocol must come to rest by itself.
  const repair = () => run.repair(judge.messages.slice(messagesBefore), dice);
  if (needsRepair) await alone("promoter", repair, mutant.promoter);
  judge.judgeRest(needsRepair);
  await alone("clearing", () => run.removeRegistration());
  judge.judgeCleared();
  return { violations: [...judge.violations], trace: traceOf() };
}
