/**
 * Leaving, joining, changing answers and ending people, with all ways mixed: one event, some people, an executive among them.
 * Acts run in groups at the same moment; calls conflict and get lost, and actors vanish. The promoter repairs what they left.
 */
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { gatewayEvent } from "../gateway-event.ts";
import { ActsJudge, type Asked } from "./acts-judge.ts";
import { type Drawn, diceOf } from "./chance.ts";
import type { MemoryTable } from "./table.ts";
import { alone, type Call, contextOf, type Fate, newWorld, openWorld, together } from "./world.ts";

const key = { id: "gala", year: 2030 };
const start = Date.parse("2030-01-01T00:00:00Z");
const hour = 3_600_000;
export const people = ["a", "b", "c", "x"] as const;
/** x is an executive. */
const emailOf = (who: string): string => (who === "x" ? "x@club.example" : `${who}@model.example`);

/** One import after the other: Jest links modules badly in parallel. */
export async function openProduct() {
  await openWorld();
  const { register } = await import("#domain/registrations/register/register.ts");
  const { leave, isHoldOver } = await import("#domain/registrations/leave.ts");
  const { changeRegistration } = await import("#domain/registrations/amend/change-registration.ts");
  const { settle } = await import("#domain/payments/settling/settle-registration.ts");
  const { forgetPerson } = await import("#domain/registrations/reactions/forget-person.ts");
  const { removeRegistration } = await import("#domain/registrations/remove-registration.ts");
  const { cancelOfCalledOff } = await import("#domain/registrations/reactions/cancel-called-off.ts");
  const { repair } = await import("#domain/registrations/reactions/repair.ts");
  const { seatMessage } = await import("#outbox/messages.ts");
  const { handler: events } = await import("#api/events/index.ts");
  const { registrationsReport } = await import("#domain/registrations/store/report.ts");
  return {
    ...{
      register,
      leave,
      isHoldOver,
      changeRegistration,
      settle,
      forgetPerson,
      removeRegistration,
      cancelOfCalledOff,
      repair,
    },
    ...{ seatMessage, events, registrationsReport },
  };
}
export type Product = Awaited<ReturnType<typeof openProduct>>;

export class ActsWorld {
  readonly judge: ActsJudge;
  readonly #product: Product;
  readonly #table: MemoryTable;
  #now = start;
  #requests = 0;

  constructor(product: Product) {
    this.#product = product;
    this.judge = new ActsJudge();
    this.#table = newWorld(this.judge);
    this.judge.table = this.#table;
  }

  #context(actor: string): RequestContext {
    this.#requests += 1;
    return contextOf(this.#requests, this.#now, actor);
  }

  async #events(routeKey: string, body?: object): Promise<void> {
    const { now, requestId } = this.#context("exec");
    const params = { eventId: key.id, year: String(key.year) };
    const event = gatewayEvent(routeKey, { as: "exec@club.example", params, body, requestId, at: now });
    const { statusCode = 0, body: text } = await this.#product.events(event);
    if (statusCode === 400) throw new Error(`${routeKey}: ${text}`);
  }

  /** The event starts after ten hours, and registration ends after eight. */
  async open(fields: object): Promise<void> {
    const at = (hours: number) => new Date(start + hours * hour).toISOString();
    const question = { questionId: "q", label: "Q", type: "TEXT", required: false };
    const event = { ...key, ename: "Gala", isPublished: true, guests: "everyone", registrationQuestions: [question] };
    const times = { startDate: at(10), deadline: at(8) };
    await alone("create", () => this.#events("POST /events", { ...event, ...times, ...fields }));
  }

  registrationOf(who: string) {
    const item = this.#table.peek({ PK: `USER#${emailOf(who)}`, SK: `REG#${key.id}#${key.year}` });
    return item && registrationIn(item as never);
  }

  async #do(asked: Asked): Promise<void> {
    const { register, leave, changeRegistration, settle, isHoldOver } = this.#product;
    const { who = "", origin, to, text, isPartner } = asked;
    const email = emailOf(who);
    const context = this.#context(origin?.startsWith("admin") ? "exec@club.example" : email);
    const registration = this.registrationOf(who);
    const about = { email, event: key, seenStatus: asked.seen as never };
    const link = origin === "self/link" && registration ? { linkedTicket: registration.ticketId } : {};
    switch (asked.do) {
      case "join": {
        const form = { ...{ eventID: key.id, year: key.year, email }, fname: who, isPartner };
        await register({ form, origin: origin as never, guests: "everyone" }, context);
        return;
      }
      case "change": {
        const amendment = {
          ...(to !== undefined && { registrationStatus: to }),
          ...(text !== undefined && { dynamicResponses: { q: text } }),
          ...(isPartner !== undefined && { isPartner }),
        };
        await changeRegistration({ ...about, origin: origin as never, amendment, ...link }, context);
        return;
      }
      case "remove":
        await leave({ ...about, to: "deleted", origin: origin as never }, context);
        return;
      case "lapse": {
        const isHeld = ({ holdExpiresAt }: RegistrationRecord): boolean => holdExpiresAt !== undefined;
        const isMeant = origin === "clock/hold" ? isHoldOver(this.#now) : isHeld;
        await leave({ ...about, to: "cancelled", origin: origin as never, isMeant }, context);
        return;
      }
      case "forget":
        return this.#forget(email, asked.deletion ?? "", context);
      case "pay": {
        const queueKey = registration?.queueKey ?? "none";
        const payment = {
          email,
          event: key,
          paymentId: `pay-${queueKey}`,
          queueKey,
          money: { amount: 1_000, currency: "CAD" },
        };
        await settle(payment, context);
        return;
      }
      case "event":
        await this.#events("PATCH /events/{eventId}/{year}", asked.changes);
        return;
    }
  }

  #forget(email: string, origin: string, context: RequestContext): Promise<void> {
    const { now, requestId, actor } = context;
    const message = {
      type: "user.deleted",
      id: "m",
      occurredAt: now,
      actor,
      requestId,
      data: { email, origin },
    } as const;
    return this.#product.forgetPerson(message, context);
  }

  /** Refusals and lost answers are answers. */
  async #tried(asked: Asked): Promise<void> {
    try {
      await this.#do(asked);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const isAnswer = "code" in error || /Conflict|Outcome|NotYet|Aggregate/.test(error.constructor.name);
      if (!isAnswer) throw error;
    }
  }

  /** Acts at the same moment, after some hours. */
  async together(group: readonly Asked[], hours: number, drawn: Drawn): Promise<void> {
    this.#now += hours * hour + 1_000;
    const dice = diceOf(drawn);
    const fate = (call: Call, isWrite: boolean): Fate => {
      const thrown = dice();
      if (thrown < 6) return "conflict";
      if (thrown < 10 && isWrite) return "lost";
      return thrown > 95 && call.issued > 0 ? "vanish" : "fine";
    };
    const from = this.judge.messages.length;
    const actors = group.map((asked, index) => {
      const name = `${index} ${JSON.stringify(asked)}`;
      this.judge.asked(name, asked, this.#now);
      return [name, () => this.#tried(asked)] as const;
    });
    await together(Object.fromEntries(actors), drawn.order, { fate, age: () => (dice() < 20 ? 1 : 0), pause: () => 1 });
    await alone("promoter", () => this.#repair(from));
    for (const asked of group.filter((one) => one.do === "forget")) {
      // The bus brings the message again.
      const name = `again ${JSON.stringify(asked)}`;
      this.judge.asked(name, asked, this.#now);
      await alone(name, () => this.#tried(asked));
    }
    await alone("promoter", () => this.#repair(from));
    this.judge.judgeRest(this.#now);
  }

  async #repair(from: number): Promise<void> {
    for (let done = from; done < this.judge.messages.length; done += 1) {
      const { detailType, detail } = this.judge.messages[done] as (typeof this.judge.messages)[number];
      const isForPromoter = (detail.data as { followUps?: string[] }).followUps?.includes("promote");
      if (!isForPromoter || detailType === "event.created") continue;
      const body = JSON.stringify({ source: "club.events", "detail-type": detailType, detail });
      await this.#product.repair(this.#product.seatMessage(body), this.#context("system"));
    }
  }

  /** The event is deleted: its consumer removes all registrations. */
  async remove(quietly: boolean, withoutRefund: boolean): Promise<void> {
    for (const who of people) {
      const registration = this.registrationOf(who);
      if (!registration) continue;
      const asked = { do: "event deleted", who, origin: "event deleted/event", quietly, withoutRefund } as const;
      const name = `end ${JSON.stringify(asked)}`;
      this.judge.asked(name, asked, this.#now);
      const work = () =>
        this.#product.removeRegistration(registration, { quietly, withoutRefund }, this.#context("exec@club.example"));
      await alone(name, work);
    }
  }

  /**
   * The event is called off, and its consumer cancels the seats. It has read the list before others joined the line, which is
   * left to the messages of these.
   */
  async callOff(): Promise<void> {
    const event = {
      ...key,
      generation: (this.#table.peek({ PK: "EVENT#gala#2030", SK: "META" }) as { generation: string }).generation,
    };
    for (const who of people.filter((one) => this.registrationOf(one)?.status !== "waitlist")) {
      const name = `called off ${who}`;
      this.judge.asked(name, { do: "event deleted", who, origin: "event called off/event" }, this.#now);
      const context = this.#context("exec@club.example");
      await alone(name, () => this.#product.cancelOfCalledOff(event, emailOf(who), context));
    }
    await alone("promoter", () => this.#repair(0));
  }

  /** What the report says, beside what the judge has counted. */
  report() {
    const rows = people.flatMap((who) => this.registrationOf(who) ?? []);
    const [deleted, listed] = [
      rows.filter(({ status }) => status === "deleted"),
      rows.filter(({ status }) => status !== "deleted"),
    ];
    const { cancelled, cancelledByLink, lapsed } = this.#product.registrationsReport(
      {},
      listed as never,
      deleted.filter(({ left }) => left),
      {},
      "UTC",
      this.#now,
    );
    return { cancelled, cancelledByLink, lapsed };
  }
}
