/**
 * The rules for acts, as the contract says them (`docs/contract.md`, "Acts"), checked at every commit. Who asked, and by which way,
 * is what the run has asked for, not what the service has stored.
 */
import { type Place, poolOf, pools, type Seats } from "#domain/capacity/seats.ts";
import { hasEnded, holdsSeat, isUnpaid, type RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import { Counts, countDifferences, mustWait, placeDifferences } from "../../tools/ops/invariants/seats.ts";
import type { OutboxRow } from "./judge.ts";
import type { Changed, MemoryTable } from "./table.ts";
import type { Witness } from "./world.ts";

/** What an actor is asked to do. */
export interface Asked {
  readonly do: "join" | "change" | "remove" | "lapse" | "forget" | "pay" | "event" | "event deleted";
  readonly who?: string;
  readonly origin?: string;
  /** How the person was deleted, from which the origin follows. */
  readonly deletion?: string;
  readonly to?: string;
  /** The status that the person saw. */
  readonly seen?: string | undefined;
  readonly text?: string;
  readonly isPartner?: boolean;
  readonly changes?: object;
  readonly quietly?: boolean;
  readonly withoutRefund?: boolean;
}

const hour = 3_600_000;
const start = Date.parse("2030-01-01T00:00:00Z");
/** Of the event, as the world opens it. */
const [startsAt, deadline] = [start + 10 * hour, start + 8 * hour];

/** The person acts with no more rights than everybody. */
const asPerson = new Set(["self/account", "self/link", "self/guest", "person deleted/account", "person deleted/desk"]);
/** A payment is refunded by the rules for cancelling. */
const byRule = new Set(["self/account", "self/link", "self/desk", "self/bulk", "person deleted/account"]);
/** Beside its message, nothing is noted. */
const unnoted = new Set(["self/account", "self/desk", "self/bulk", "person deleted/account"]);
const lapses = new Set(["clock/hold", "provider/checkout"]);

interface Actor {
  readonly asked: Asked;
  readonly now: number;
}
type Row = OutboxRow & { readonly audit?: { readonly changes?: readonly object[] } };
type Data = OutboxRow["detail"]["data"] & {
  readonly origin?: string;
  readonly notice?: string;
  readonly cancelledByPerson?: boolean;
};

export class ActsJudge implements Witness {
  readonly violations = new Set<string>();
  readonly messages: Row[] = [];
  table: MemoryTable | undefined;
  readonly #actors = new Map<string, Actor>();
  readonly #registrations = new Map<string, RegistrationRecord>();
  readonly #line = new Map<string, Place>();
  /**
   * By email, the rules that a person in line has broken by joining. Joining the line conflicts with no change of the event, so the
   * request looks at the event again, and takes the person out.
   */
  readonly #toTakeOut = new Map<string, readonly string[]>();
  /** The times of a person's own repetitions. */
  readonly #repeated = new Map<string, number[]>();
  /** How each person has left, as the report has to count it. */
  readonly #left = new Map<string, "cancelled" | "cancelledByLink" | "lapsed" | undefined>();
  #seats: Seats | undefined;

  asked(name: string, asked: Asked, now: number): void {
    this.#actors.set(name, { asked, now });
  }
  answered(): void {}

  #blame(name: string): void {
    this.violations.add(name);
  }

  commit(changes: readonly Changed[], name: string): void {
    const actor = this.#actors.get(name);
    const rows = changes.flatMap(({ after }) =>
      String(after?.PK).startsWith("OUT#") ? [after as unknown as Row] : [],
    );
    const before = this.#seats;
    const moved: (readonly [RegistrationRecord | undefined, RegistrationRecord])[] = [];
    for (const { before: old, after } of changes) {
      // A deletion of what is not there.
      if (!after && !old) continue;
      const { PK, SK } = (after ?? old) as { PK: string; SK: string };
      if (PK.startsWith("SEAT#")) this.#seats = after as unknown as Seats;
      if (PK.startsWith("WAIT#")) {
        const queueKey = `${PK} ${SK}`;
        const place = { choices: {}, isPartner: false, ...after, queueKey: SK } as unknown as Place;
        if (after) this.#line.set(queueKey, place);
        else this.#line.delete(queueKey);
      }
      if (!PK.startsWith("USER#") || !SK.startsWith("REG#") || !after) continue;
      const is = registrationIn(after as never) as RegistrationRecord;
      moved.push([this.#registrations.get(is.email), is]);
      this.#registrations.set(is.email, is);
    }
    this.messages.push(...rows);
    for (const pool of pools) {
      if (!before || !this.#seats) continue;
      const [was, is] = [poolOf(before, pool), poolOf(this.#seats, pool)];
      if (is.seats > was.seats && is.seats > is.capacity) this.#blame("OVERSELL");
    }
    this.#judgeCounts();
    for (const [was, is] of moved) this.#judge(was, is, rows, actor);
  }

  #judgeCounts(): void {
    if (!this.#seats) return;
    const counts = new Counts();
    for (const one of this.#registrations.values()) counts.add(one);
    if (countDifferences(counts, this.#seats).length > 0) this.#blame("COUNT");
    const waiting = [...this.#registrations.values()].filter(mustWait);
    for (const one of waiting) {
      const place = [...this.#line.values()].find(({ email }) => email === one.email);
      if (!place || placeDifferences(one, place).length > 0) this.#blame("PLACE");
    }
    if (waiting.length !== this.#line.size) this.#blame("PLACE");
  }

  /** @param actor undefined: the promoter */
  #judge(
    was: RegistrationRecord | undefined,
    is: RegistrationRecord,
    rows: readonly Row[],
    actor: Actor | undefined,
  ): void {
    const about = rows.filter(
      ({ detailType, detail }) => detailType.startsWith("registration.") && detail.data.email === is.email,
    );
    if (about.length !== 1) this.#blame("MESSAGES");
    const [told] = about;
    const data = (told?.detail.data ?? {}) as Data;
    const isOwnAct = actor?.asked.who !== undefined && is.email.startsWith(`${actor.asked.who}@`);
    // Another one's seat or place, which the act has passed on.
    if (!actor || !isOwnAct || actor.asked.do === "event") {
      this.#judgePassedOn(was, is, data);
      return;
    }
    const { asked, now } = actor;
    this.#toTakeOut.delete(is.email);
    const origin = asked.origin ?? "";
    const wasIn = was !== undefined && !hasEnded(was);
    // A join that is taken back, because the event was closed meanwhile, is no departure.
    const isUndone = asked.do === "join" && wasIn && hasEnded(is);
    if (asked.do === "pay") {
      const isRevived = was !== undefined && hasEnded(was) && !hasEnded(is);
      if (isRevived && !lapses.has(was.left ?? "")) this.#blame("REVIVED");
      // Late money has given the seat back, so the person has not left.
      if (isRevived) this.#left.delete(is.email);
      return;
    }
    if (isUndone) return;
    if (asked.seen !== undefined && asked.seen !== was?.status) this.#blame("UNSEEN");
    if (asked.do !== "forget" || hasEnded(is)) {
      const noted = (told?.audit?.changes?.length ?? 0) > 0;
      if (wasIn && data.origin !== undefined && noted === unnoted.has(origin)) this.#blame("AUDIT");
    }
    if (wasIn && hasEnded(is)) this.#judgeLeft(was, is, rows, data, actor);
    else if (!wasIn && !hasEnded(is)) this.#judgeJoined(was, is, data, actor);
    else if (was && data.origin !== undefined) this.#judgeChanged(was, is, data, actor);
    if (asked.do === "forget" && was && !hasEnded(was) && !hasEnded(is) && now < startsAt && was.ofDeletedAccount) {
      if (was.status !== "checkedIn" && was.status !== "rejected") this.#blame("KEPT_A_DELETED_PERSON");
    }
  }

  #judgePassedOn(was: RegistrationRecord | undefined, is: RegistrationRecord, { origin }: Data): void {
    const event = this.table?.peek({ PK: "EVENT#gala#2030", SK: "META" });
    if (origin === "event called off/event" && event?.calledOff !== undefined) {
      this.#left.set(is.email, undefined);
      return;
    }
    if (origin !== undefined) this.#blame("ORIGIN");
    if (was && !hasEnded(was) && hasEnded(is)) this.#blame("LEFT_BY_NOBODY");
  }

  #judgeLeft(
    was: RegistrationRecord,
    is: RegistrationRecord,
    rows: readonly Row[],
    data: Data,
    { asked, now }: Actor,
  ): void {
    const origin = asked.origin ?? "";
    // A rejection is an end of its own, which the event's deletion does not replace.
    const end = was.status === "rejected" ? was.left : origin;
    if (is.left !== end || data.origin !== origin) this.#blame("ORIGIN");
    if (asPerson.has(origin) && now >= startsAt) this.#blame("LEFT_AFTER_THE_START");
    if (origin.startsWith("self") && is.status === "rejected") this.#blame("RIGHTS");
    const refunds = rows.filter(({ detailType }) => detailType === "payment.refundRequired");
    const isPaid = was.paidBy !== undefined && holdsSeat(was) && was.status !== "checkedIn";
    const isOwed = isPaid && !(asked.do === "event deleted" && asked.withoutRefund);
    if (refunds.length !== Number(isOwed)) this.#blame("REFUND");
    const [refund] = refunds;
    const isByRule = (refund?.detail.data as Data | undefined)?.cancelledByPerson === true;
    if (refund && isByRule !== byRule.has(origin)) this.#blame("REFUND_RULE");
    const isQuiet = asked.do === "event deleted" && (asked.quietly || is.status === "deleted");
    if ((data.notice === undefined) !== (isQuiet === true)) this.#blame("NOTICE");
    const counted = lapses.has(origin) ? "lapsed" : origin === "self/link" ? "cancelledByLink" : "cancelled";
    this.#left.set(is.email, asked.do === "event deleted" ? undefined : counted);
  }

  #judgeJoined(was: RegistrationRecord | undefined, is: RegistrationRecord, data: Data, { asked, now }: Actor): void {
    const origin = asked.origin ?? "";
    if (is.joined !== origin || data.origin !== origin) this.#blame("ORIGIN");
    this.#left.delete(is.email);
    if (!asPerson.has(origin)) return;
    const event = this.table?.peek({ PK: "EVENT#gala#2030", SK: "META" }) as Record<string, unknown> | undefined;
    if (now >= deadline) this.#blame("JOINED_LATE");
    const broken = event?.isPublished === true ? [] : ["JOINED_HIDDEN"];
    const wantsPartners = event?.partnerCapac !== undefined;
    if (event?.nonBizTechAllowed === false && !(is.isPartner && wantsPartners)) broken.push("JOINED_AS_NO_MEMBER");
    if (
      origin === "self/guest" &&
      event?.guests !== "everyone" &&
      !(is.isPartner && wantsPartners && event?.guests === "partners")
    ) {
      broken.push("GUEST");
    }
    if (mustWait(is)) this.#toTakeOut.set(is.email, broken);
    else for (const name of broken) this.#blame(name);
    if (was === undefined) return;
    const times = [...(this.#repeated.get(is.email) ?? []).filter((time) => time > now - hour), now];
    this.#repeated.set(is.email, times);
    if (times.length > 5) this.#blame("TOO_OFTEN");
  }

  #judgeChanged(was: RegistrationRecord, is: RegistrationRecord, data: Data, { asked, now }: Actor): void {
    const origin = asked.origin ?? "";
    if (data.origin !== origin) this.#blame("ORIGIN");
    const isChanged = JSON.stringify(was.dynamicResponses) !== JSON.stringify(is.dynamicResponses);
    if (!asPerson.has(origin)) return;
    if (was.isPartner !== is.isPartner || was.points !== is.points) this.#blame("PRIVILEGE");
    if (
      origin.startsWith("self") &&
      is.status !== was.status &&
      ["rejected", "waitlist", "checkedIn"].includes(is.status)
    )
      this.#blame("RIGHTS");
    // A deletion removes the answers, also of who has left.
    if (asked.do !== "change" || !isChanged) return;
    const isOut = hasEnded(was) || was.status === "rejected" || was.ofDeletedAccount;
    if (isOut || now >= deadline) this.#blame("ANSWERED_LATE");
  }

  /** When no act is under way, and the promoter is done. */
  judgeRest(now: number): void {
    for (const name of [...this.#toTakeOut.values()].flat()) this.#blame(name);
    this.#toTakeOut.clear();
    const seats = this.#seats;
    if (!seats || now >= startsAt) return;
    for (const pool of pools) {
      const { seats: taken, capacity } = poolOf(seats, pool);
      if (taken < capacity && [...this.#line.values()].some((place) => place.pool === pool)) this.#blame("LOST_SEAT");
    }
    const event = this.table?.peek({ PK: "EVENT#gala#2030", SK: "META" });
    for (const one of this.#registrations.values()) {
      const pool = one.isPartner && event?.partnerCapac !== undefined ? "partners" : undefined;
      if (mustWait(one) && one.pool !== pool) this.#blame("OTHER_LINE");
      if (isUnpaid(one) !== (one.holdExpiresAt !== undefined)) this.#blame("HOLD");
    }
  }

  judgeReport(report: Readonly<Record<"cancelled" | "cancelledByLink" | "lapsed", number>>): void {
    const all = [...this.#left.values()];
    const count = (as: string) => all.filter((one) => one === as).length;
    const expected = {
      cancelled: count("cancelled") + count("cancelledByLink"),
      cancelledByLink: count("cancelledByLink"),
      lapsed: count("lapsed"),
    };
    if (JSON.stringify(report) !== JSON.stringify(expected)) this.#blame("REPORT");
  }
}
