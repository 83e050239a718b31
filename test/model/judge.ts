/**
 * The invariants of the capacity protocol (`docs/design.md`, "The capacity protocol"), checked at every commit,
 * every answer and at rest.
 */
import { QueryCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { type Choices, type Place, type Pool, poolOf, pools, type Seats, seatsFor } from "#domain/capacity/seats.ts";
import type { CodeRecord } from "#domain/codes/code.ts";
import { isRevivable } from "#domain/registrations/record/acts.ts";
import {
  codeInUse,
  hasEnded,
  holdsSeat,
  isUnpaid,
  type RegistrationRecord,
  registeredAtOf,
} from "#domain/registrations/record/registration.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import { timeOf } from "#kit/request/context.ts";
import type { KeyTexts } from "#kit/table/item.ts";
import { holdProblem } from "../../tools/ops/invariants/belongings.ts";
import { Counts, countDifferences, mustWait, placeDifferences } from "../../tools/ops/invariants/seats.ts";
import type { Changed } from "./table.ts";
import type { Call, Witness } from "./world.ts";

/** A registration as stored. */
export type Registration = RegistrationRecord;

/** The fields of an outbox row that the judge and the bus read. */
export interface OutboxRow {
  readonly detailType: string;
  readonly detail: {
    readonly metadata: { readonly correlationId: string };
    readonly data: {
      readonly email?: string;
      readonly version?: number;
      readonly paymentId?: string;
      readonly reason?: string;
      readonly amount?: number;
      readonly keeps?: number;
    };
  };
}

/** The price of an event that has one, for all but members, in cents. */
const price = 1_000;

type Taken = Record<string, Record<string, number>>;
type Change = { readonly was: Registration | undefined; readonly is: Registration };

/** In milliseconds: the deadline of a request, and the longest pause before it that a situation makes. */
const longestRequest = 15_000 + 9_000;

const allPools: readonly Pool[] = [...pools, "allotment"];

/** Seats and line before a commit. */
interface Before {
  readonly seats: Seats | undefined;
  readonly line: ReadonlyMap<string, Place>;
}

/** Seats and registrations after one commit. */
interface Moment {
  readonly codes: ReadonlyMap<string, CodeRecord>;
  readonly seats: Seats | undefined;
  readonly registrations: ReadonlyMap<string, Registration>;
}

/** The messages about a change of a registration; there has to be exactly one. */
const toldOf = ({ email }: Registration, messages: readonly OutboxRow[]): OutboxRow[] =>
  messages.filter(({ detailType, detail }) => detailType.startsWith("registration.") && detail.data.email === email);

const isLive = (one: Registration): boolean => !hasEnded(one);
const isAbout = ({ before, after }: Changed, partition: string): boolean =>
  String((after ?? before)?.PK).startsWith(partition);

function withChoices(
  choiceHolders: Seats["choiceHolders"],
  holders: readonly { choices: Choices }[],
  by: 1 | -1,
): Taken {
  const counted: Taken = structuredClone(choiceHolders) as Taken;
  for (const { choices } of holders) {
    for (const [question, choice] of Object.entries(choices)) {
      const ofQuestion = counted[question] ?? {};
      counted[question] = { ...ofQuestion, [choice]: (ofQuestion[choice] ?? 0) + by };
    }
  }
  return counted;
}

const hasRoom = (choices: Choices, choiceHolders: Seats["choiceHolders"], caps: Seats["choiceLimits"]): boolean =>
  Object.entries(choices).every(([question, choice]) => {
    return (choiceHolders[question]?.[choice] ?? 0) < (caps[question] ?? Number.POSITIVE_INFINITY);
  });

/** The place of an item, which leaves out what is the same for most people. */
function placeIn({ SK, ...item }: { readonly SK: string }): Place {
  const order = SK.startsWith("~") ? { queueKey: SK.slice(1), behindOthers: true } : { queueKey: SK };
  return { choices: {}, isPartner: false, ...item, ...order } as unknown as Place;
}

/** Whether an admin has moved the person from a seat to the end of the line. */
const isMovedDown = (was: Registration, is: Registration): boolean =>
  was.status === "registered" && is.status === "waitlist" && is.registeredAt === registeredAtOf(was);

export class Judge implements Witness {
  readonly violations = new Set<string>();
  /** The emails of people who wait behind all others. */
  readonly #behind: ReadonlySet<string>;
  readonly #registrations = new Map<string, Registration>();
  readonly #line = new Map<string, Place>();
  /** The end of each person's hold, in epoch milliseconds. */
  readonly #holds = new Map<string, number>();
  /** The beginning of a registration to which each ticket belongs: email and place in line. */
  readonly #tickets = new Map<string, string>();
  /** The queueKey at first of a person who was moved to the end of the line, by the present one. */
  readonly #firstKeys = new Map<string, string>();
  /** Payments that arrived, with their settlements. */
  readonly #payments = new Map<string, string | undefined>();
  /** Their amounts, in cents. */
  readonly #amounts = new Map<string, number>();
  readonly #refunds: string[] = [];
  /** What was refunded of each payment for people who do not come along, in cents. */
  readonly #partRefunds = new Map<string, number>();
  /** Payments that a message has reported as used. */
  readonly #used: string[] = [];
  readonly #moments: Moment[] = [{ seats: undefined, registrations: new Map(), codes: new Map() }];
  readonly #codes = new Map<string, CodeRecord>();
  /** The choices at each place that each actor saw in the last read of the line. */
  readonly #seen = new Map<string, { readonly places: Map<string, Choices>; readonly issued: number }>();
  /** The moment at which the first call of each actor was carried out, and the one at which it issued its last call. */
  /** The person of each offer, and what was offered to each person, in the order of the commits. */
  readonly #offers: { readonly mark: string; readonly email: string }[] = [];
  readonly #began = new Map<string, number>();
  readonly #lastIssued = new Map<string, number>();
  /** The calls that each actor has issued, with their moments. */
  readonly #issued = new Map<string, { readonly command: unknown; readonly moment: number }[]>();
  readonly #tokens = new Set<string>();
  /** The time of each actor's first call, in milliseconds of the model's clock. */
  readonly #startedAt = new Map<string, number>();
  /** What each request has made of a person's registration, by the request's id and the email. */
  readonly #written = new Map<string, Registration[]>();
  /** The messages of the outbox, in the order of their commits. */
  readonly messages: OutboxRow[] = [];
  /** The moment since which a place is in line, by its key. */
  readonly #joinedAt = new Map<string, number>();
  /**
   * Registrations that joined a line after the event was deleted. The consumer of the deletion may have finished before,
   * so their own requests remove them, or the promoter when such a request has vanished.
   */
  readonly #tooLate = new Set<string>();
  /** Queue keys of all registrations that were ever live. */
  readonly #admitted = new Set<string>();
  /** The queue key of the registration that a request has ended, by the request's id and the email. */
  readonly #departed = new Map<string, string>();
  /** The actors that changed the event. */
  readonly changedEvent = new Set<string>();
  #seats: Seats | undefined;

  constructor(behind: ReadonlySet<string> = new Set()) {
    this.#behind = behind;
  }

  /** The order of the line. */
  #orderOf = ({ email, queueKey }: Pick<Place, "email" | "queueKey">): string =>
    `${this.#behind.has(email) ? "behind" : "ahead"} ${queueKey}`;

  blame(name: string): void {
    this.violations.add(name);
  }

  /** The number of the present moment. The reasons of later refusals are looked for from there on. */
  get moment(): number {
    return this.#moments.length - 1;
  }

  issued({ actor, command }: Call): void {
    if (!this.#startedAt.has(actor)) this.#startedAt.set(actor, performance.now());
    if (performance.now() - (this.#startedAt.get(actor) ?? 0) > longestRequest) this.blame("AFTER_THE_DEADLINE");
    // The same transaction, sent again under the same token, is the same call.
    const token = command instanceof TransactWriteCommand ? command.input.ClientRequestToken : undefined;
    if (token !== undefined && this.#tokens.has(token)) return;
    if (token !== undefined) this.#tokens.add(token);
    this.#lastIssued.set(actor, this.moment);
    const all = this.#issued.get(actor) ?? [];
    this.#issued.set(actor, all);
    all.push({ command, moment: this.moment });
  }

  answered({ actor, command, issued }: Call, answer: object): void {
    if (!this.#began.has(actor)) this.#began.set(actor, this.moment);
    if (!(command instanceof QueryCommand) || command.input.Select === "COUNT") return;
    const before = this.#seen.get(actor);
    if (before && before.issued > issued) return;
    const partition = String(command.input.ExpressionAttributeValues?.[":partition"]);
    if (!partition.startsWith("WAIT#")) return;
    const { Items = [] } = answer as { Items?: KeyTexts[] };
    const places = new Map(command.input.ExclusiveStartKey ? before?.places : []);
    for (const { queueKey, choices } of Items.map(placeIn)) places.set(queueKey, choices);
    this.#seen.set(actor, { places, issued });
  }

  commit(changes: readonly Changed[], actor: string): void {
    const before = { seats: this.#seats, line: new Map(this.#line) };
    const moved: Change[] = [];
    const message: OutboxRow[] = [];
    for (const change of changes) {
      const { before: old, after } = change;
      if (isAbout(change, "SEAT#")) this.#seats = after as unknown as Seats;
      else if (isAbout(change, "CODE#")) {
        const { id, endedAt } = (after ?? old) as unknown as CodeRecord;
        const [is, was] = [after, old].map((item) => Number(item?.used ?? 0)) as [number, number];
        if (endedAt !== undefined && is > was) this.blame("ENDED_CODE");
        if (after) this.#codes.set(id, after as unknown as CodeRecord);
        else this.#codes.delete(id);
      } else if (isAbout(change, "EVENT#")) this.changedEvent.add(actor);
      else if (isAbout(change, "OUT#")) message.push(after as unknown as OutboxRow);
      else if (isAbout(change, "WAIT#")) {
        const place = placeIn((after ?? old) as never);
        const { queueKey } = place;
        if (after) {
          this.#line.set(queueKey, place);
          if (String(after.PK).endsWith("#PARTNERS") !== place.isPartner) this.blame("OTHER_LINE");
          // The commit makes the next moment.
          if (!old) this.#joinedAt.set(queueKey, this.moment + 1);
        } else this.#line.delete(queueKey);
      } else if (isAbout(change, "OFFERS#")) {
        if (after && !old) this.#offers.push(after as unknown as { mark: string; email: string });
      } else if (isAbout(change, "PAY#") && after?.SK === "SETTLED") {
        const paymentId = String(after?.PK).slice("PAY#".length);
        if (this.#payments.get(paymentId)) this.blame("SETTLED_TWICE");
        this.#payments.set(paymentId, String(after?.as));
      } else if (isAbout(change, "HOLD")) {
        const { email, expiresAt } = (after ?? old) as unknown as { email: string; expiresAt: number };
        if (after) this.#holds.set(email, expiresAt);
        else if (this.#holds.get(email) === expiresAt) this.#holds.delete(email);
      } else if (isAbout(change, "USER#") && String((after ?? old)?.SK).startsWith("REG#")) {
        const is = registrationIn(after as never) as Registration;
        moved.push({ was: this.#registrations.get(is.email), is });
        this.#registrations.set(is.email, is);
      }
    }
    this.#judgeSeats(before.seats);
    this.#judgeCounts();
    this.#judgePlaces();
    this.#judgeHolds();
    this.#followMoves(moved);
    this.#judgeTickets();
    this.#judgeTransfers(moved);
    this.#judgeQueueKeys();
    this.#judgeUses();
    for (const { detailType, detail } of message) {
      if (detailType === "payment.refundRequired") this.#refund(detail.data);
      if (detailType === "payment.completed") this.#used.push(String(detail.data.paymentId));
    }
    this.#judgeMoney();
    this.messages.push(...message);
    this.#judgeMessages(moved, message);
    this.#judgeSeatings(moved, before, actor);
    for (const { is } of moved) this.#remember(is, toldOf(is, message)[0]);
    this.#moments.push({
      seats: this.#seats,
      registrations: new Map(this.#registrations),
      codes: new Map(this.#codes),
    });
  }

  #refund({ paymentId = "", reason, amount = 0, keeps }: OutboxRow["detail"]["data"]): void {
    if (reason === "fewer come") {
      this.#partRefunds.set(paymentId, (this.#partRefunds.get(paymentId) ?? 0) + amount);
      return;
    }
    this.#refunds.push(paymentId);
    // No person is at the door, so nothing is kept of a payment whose seats are all given up.
    if (keeps !== undefined) this.blame("PART_KEPT");
  }

  /** What is left of a payment for several is the price of who comes, at every moment. */
  #judgeMoney(): void {
    for (const { email, paidBy, seatPrices, plusOnes = [], ...one } of this.#registrations.values()) {
      if (paidBy === undefined || !holdsSeat(one) || !(seatPrices || plusOnes.length > 0)) continue;
      const left = (this.#amounts.get(paidBy) ?? 0) - (this.#partRefunds.get(paidBy) ?? 0);
      if (left !== this.priceOf(email, plusOnes.length)) this.blame("PEOPLE_AND_MONEY");
    }
  }

  /** @param message of the change; it names the request */
  #remember(registration: Registration, message: OutboxRow | undefined): void {
    const { email, queueKey, status, generation } = registration;
    // A request about several people may change a registration of each.
    const change = `${message?.detail.metadata.correlationId} ${email}`;
    this.#written.set(change, [...(this.#written.get(change) ?? []), registration]);
    if (isLive(registration)) this.#admitted.add(queueKey);
    else {
      if ((this.#departed.get(change) ?? queueKey) !== queueKey) this.blame("ENDED_TWO");
      this.#departed.set(change, queueKey);
    }
    const isGone = this.#seats?.state === "DELETED" || this.#seats?.generation !== generation;
    if (status === "waitlist" && isGone) this.#tooLate.add(`${queueKey} ${generation}`);
  }

  /** The uses of a code are the registrations that have one, of its generation of the event, and never too many. */
  #judgeUses(): void {
    for (const { id, used, uses } of this.#codes.values()) {
      const users = [...this.#registrations.values()].filter((one) => codeInUse(one)?.id === id);
      if (used !== users.length) this.blame("USES");
      if (users.length > uses) this.blame("OVERUSED");
    }
  }

  #judgeSeats(before: Seats | undefined): void {
    const seats = this.#seats;
    if (!before || !seats || before.generation !== seats.generation) return;
    for (const pool of allPools) {
      const [was, is] = [poolOf(before, pool), poolOf(seats, pool)];
      if (is.seats > was.seats && is.seats > is.capacity) this.blame("OVERSELL");
      if (was.gate === "queued" && is.gate === "direct") this.blame("GATE_REOPENED");
    }
    // The event's capacity is that of the attendees and of the allotment.
    const taken = (one: Seats): number => one.seats + (one.allotmentSeats ?? 0);
    const capacity = seats.capacity + (seats.allotmentCapacity ?? 0);
    if (taken(seats) > taken(before) && taken(seats) > capacity) this.blame("OVERSELL");
    if ((seats.allotmentSeats ?? 0) > (seats.allotmentCapacity ?? 0)) this.blame("ALLOTMENT_BELOW_ITS_SEATS");
    if (before.state === "DELETED" && seats.state !== "DELETED") this.blame("EVENT_REVIVED");
    for (const [question, choices] of Object.entries(seats.choiceHolders)) {
      for (const [choice, choiceHolders] of Object.entries(choices)) {
        const rose = choiceHolders > (before.choiceHolders[question]?.[choice] ?? 0);
        if (rose && choiceHolders > (seats.choiceLimits[question] ?? Number.POSITIVE_INFINITY))
          this.blame("CHOICE_OVERSELL");
      }
    }
  }

  #judgeCounts(): void {
    const seats = this.#seats;
    if (!seats) return;
    const counts = new Counts();
    for (const one of this.#registrations.values()) if (one.generation === seats.generation) counts.add(one);
    for (const { of } of countDifferences(counts, seats)) {
      if (typeof of !== "string") this.blame("CHOICE_COUNT");
      else this.blame(of === "applicants" ? "APPLICANT_COUNT" : of === "partners" ? "PARTNER_COUNT" : "COUNT");
    }
  }

  /** A registration waits if and only if it has its place, and both agree. Other generations are being removed. */
  #judgePlaces(): void {
    const generation = this.#seats?.generation;
    const waiting = [...this.#registrations.values()].filter((one) => mustWait(one) && one.generation === generation);
    const places = [...this.#line.values()].filter((place) => place.generation === generation);
    if (waiting.length !== places.length) this.blame("PLACE");
    for (const one of waiting) {
      const place = this.#line.get(one.queueKey);
      if (!place || placeDifferences(one, place).length > 0) this.blame("PLACE");
    }
  }

  /** A hold exists if and only if a seat is unpaid. */
  #judgeHolds(): void {
    for (const one of this.#registrations.values()) {
      const hold = this.#holds.get(one.email);
      if (holdProblem(one, hold !== undefined) || hold !== one.holdExpiresAt) this.blame("HOLD");
    }
  }

  /** A ticket belongs to one person and to one beginning of a registration: an earlier one opens no door. */
  #judgeTickets(): void {
    for (const { email, queueKey, ticketId } of this.#registrations.values()) {
      const beginning = `${email} ${this.#firstKeys.get(queueKey) ?? queueKey}`;
      if ((this.#tickets.get(ticketId) ?? beginning) !== beginning) this.blame("TICKET");
      this.#tickets.set(ticketId, beginning);
    }
  }

  /** A seat that is handed on leaves one person and gets one other, in one commit. Only the present offer can move it. */
  #judgeTransfers(moved: readonly Change[]): void {
    const given = moved.filter(({ was, is }) => is.left === "self/transfer" && was?.left !== is.left);
    const taken = moved.filter(({ was, is }) => is.handed && was?.handed?.mark !== is.handed.mark);
    if (given.length === 0 && taken.length === 0) return;
    const [giver, taker] = [given[0], taken[0]];
    if (!giver?.was || !taker || given.length + taken.length > 2) {
      this.blame("SEAT_NOT_HANDED_ON_AS_ONE");
      return;
    }
    if (!holdsSeat(giver.was) || !holdsSeat(taker.is)) this.blame("NO_SEAT_TO_HAND_ON");
    if (taker.was && holdsSeat(taker.was)) this.blame("TWO_SEATS");
    if (this.#seats && this.#seats.state !== "OPEN") this.blame(`SEAT_IN_${this.#seats.state}_EVENT`);
    if (giver.was.offer !== taker.is.handed?.mark) this.blame("OTHER_OFFER");
    if (giver.was.paidBy !== taker.is.paidBy) this.blame("OTHER_MONEY");
    // Of each seat that was taken over, one registration.
    const holders = [...this.#registrations.values()].filter(holdsSeat).map(({ handed }) => handed?.mark);
    const marks = holders.filter((mark) => mark !== undefined);
    if (new Set(marks).size < marks.length) this.blame("TWO_HOLDERS");
  }

  /** The mark of the latest offer to a person. */
  markedFor(email: string): string | undefined {
    return this.#offers.findLast((offer) => offer.email === email)?.mark;
  }

  /** Compares the answer to a person who takes a seat with the stored records. */
  judgeTaking({ mark, email }: { readonly mark: string; readonly email: string }, outcome: string): void {
    const hadIt = this.#moments.some(({ registrations }) => registrations.get(email)?.handed?.mark === mark);
    if (outcome === "taken" && !hadIt) this.blame("TOLD_TAKEN_BUT_IS_NOT");
  }

  /** Remembers the queueKey that a person had before an admin moved them to the end of the line. */
  #followMoves(moved: readonly Change[]): void {
    for (const { was, is } of moved) {
      if (!was || !isMovedDown(was, is)) continue;
      if (is.queueKey <= was.queueKey) this.blame("NOT_THE_END");
      this.#firstKeys.set(is.queueKey, this.#firstKeys.get(was.queueKey) ?? was.queueKey);
    }
  }

  /** A queue key belongs to one registration, also to one that has ended. */
  #judgeQueueKeys(): void {
    const queueKeys = [...this.#registrations.values()].map(({ queueKey }) => queueKey);
    if (new Set(queueKeys).size < queueKeys.length) this.blame("SHARED_QUEUE_KEY");
  }

  #judgeMessages(moved: readonly Change[], message: readonly OutboxRow[]): void {
    for (const { was, is } of moved) {
      if (is.version !== (was?.version ?? 0) + 1) this.blame("VERSION");
      if (was && isLive(was) && isLive(is) && was.generation === is.generation && was.queueKey !== is.queueKey) {
        if (!isMovedDown(was, is)) this.blame("REPLACED");
      }
      const told = toldOf(is, message);
      if (told.length !== 1 || told[0]?.detail.data.version !== is.version) this.blame("NEWS");
    }
  }

  /** Partners and attendees take seats of their own, and wait in lines of their own. The allotment has none. */
  #judgeSeatings(moved: readonly Change[], before: Before, actor: string): void {
    const poolFor = ({ is }: Change): Pool => is.pool ?? (is.isPartner ? "partners" : undefined);
    for (const pool of allPools) {
      const ofPool = moved.filter((one) => poolFor(one) === pool);
      this.#judgeSeatingsOf(pool, ofPool, before, actor);
    }
  }

  #judgeSeatingsOf(pool: Pool, moved: readonly Change[], before: Before, actor: string): void {
    const seats = this.#seats && poolOf(this.#seats, pool);
    const isPartner = pool === "partners";
    const isHere = ({ generation }: Registration) => generation === seats?.generation;
    const isTaken = ({ was, is }: Change) => is.handed !== undefined && was?.handed?.mark !== is.handed.mark;
    const seated = moved.filter(
      (one) => holdsSeat(one.is) && !(one.was && holdsSeat(one.was) && isHere(one.was)) && !isTaken(one),
    );
    if (!seats || seated.length === 0) return;
    const isDecision = actor.includes("decide");
    const mayBeClosed = isDecision && seats.state === "CLOSED";
    if (seats.state !== "OPEN" && !mayBeClosed) this.blame(`SEAT_IN_${seats.state}_EVENT`);
    const mustPay = ({ agreedPrice, plusOnes = [] }: Registration) =>
      (agreedPrice !== 0 || plusOnes.length > 0) && seats.mustPay.nonMember;
    if (seated.some(({ is }) => (isUnpaid(is) || is.paidBy !== undefined) !== mustPay(is))) {
      this.blame("UNPAID_SEAT");
    }
    if (seats.seats > seats.capacity) this.blame("SWAP_ABOVE_CAP");
    const isInvited = ({ code }: Registration): boolean => code?.kind === "access";
    if (pool === "allotment" && !seated.every(({ is }) => isInvited(is))) this.blame("ALLOTMENT_WITHOUT_CODE");
    const isDecided = isDecision || actor.includes("pay");
    if (seats.mode === "application" && !isDecided) this.blame("SEATED_WITHOUT_DECISION");
    const isRevived = ({ was }: Change) => was?.status === "cancelled" && !isRevivable(was.left) && isHere(was);
    if (actor.includes("pay") && seated.some(isRevived)) this.blame("REVIVED_A_CANCELLED_PERSON");
    // An admin's decision does not depend on the line.
    if (isDecision) return;
    if (seated.some(({ is }) => is.isPartner !== (is.pool === "partners"))) this.blame("OTHER_SEATS");
    const waited = ({ was }: Change) => was !== undefined && was.status === "waitlist" && isHere(was);
    const line = [...before.line.values()].filter(
      (place) => place.generation === seats.generation && place.isPartner === isPartner && pool !== "allotment",
    );
    const leavers = moved.flatMap(({ was, is }) => (was && holdsSeat(was) && !holdsSeat(is) ? [was] : []));
    const left = withChoices(before.seats?.choiceHolders ?? {}, leavers, -1);
    const heirs = seated.filter(waited).map(({ is }) => is);
    const { opensAt = 0 } = seats;
    const isEarly = (one: Change) => !waited(one) && timeOf(one.is.queueKey) < opensAt;
    if (!isDecided && seated.some(isEarly)) this.blame("EARLY");
    const seen = this.#seen.get(actor)?.places;
    // Of two requests at the same time either may be the first: new answers count if the actor has read them.
    // A group may not be overtaken, even if it needs more seats than are free.
    const couldSit = ({ queueKey, choices, brings }: Place, held: Seats["choiceHolders"]) =>
      (brings === undefined || 1 + brings <= seats.capacity) &&
      [choices, seen?.get(queueKey) ?? choices].every((wanted) => hasRoom(wanted, held, seats.choiceLimits));
    // Where an admin decides on applications, there are no turns.
    if (heirs.length < seated.length && seats.mode !== "application") {
      const isKnown = ({ queueKey }: Place) =>
        seen?.has(queueKey) === true ||
        (this.#joinedAt.get(queueKey) ?? Number.POSITIVE_INFINITY) <= (this.#began.get(actor) ?? -1);
      const newcomers = seated.filter((one) => !waited(one)).map(({ is }) => is);
      const isAhead = (place: Place) =>
        newcomers.some((one) => this.#behind.has(one.email) || !this.#behind.has(place.email));
      const jumped = line.filter((place) => isKnown(place) && isAhead(place) && this.#line.has(place.queueKey));
      if (jumped.some((place) => couldSit(place, left))) this.blame("JUMP");
    }
    for (const place of line) {
      const overtakers = heirs.filter((heir) => this.#orderOf(heir) > this.#orderOf(place));
      if (overtakers.length === 0 || !seen?.has(place.queueKey) || !this.#line.has(place.queueKey)) continue;
      const earlier = heirs.filter((heir) => this.#orderOf(heir) < this.#orderOf(place));
      if (couldSit(place, withChoices(left, earlier, +1))) this.blame("FIFO");
    }
  }

  #judgeStatus(email: string, status: string, since: number): void {
    const isStored = this.#moments
      .slice(since)
      .some(({ registrations }) => registrations.get(email)?.status === status);
    if (!isStored) this.blame(`NEVER_WAS_${status}`);
  }

  /**
   * Compares the answer to a person who registered with the stored records. The answer is a status that was stored at
   * some moment since the last call of the request was issued.
   */
  judgeAnswer(actor: string, email: string, queueKey: string, outcome: string, since: number): void {
    const isStatus = ["registered", "incomplete", "waitlist", "cancelled", "deleted"].includes(outcome);
    if (isStatus) this.#judgeStatus(email, outcome, this.#lastIssued.get(actor) ?? since);
    const now = this.#registrations.get(email);
    const isIn = now?.queueKey === queueKey && isLive(now) && now.generation === this.#seats?.generation;
    if (["registered", "incomplete", "waitlist"].includes(outcome)) {
      // A repeated request of a person with an unpaid seat is told of the held seat, without a new entry.
      const isHeld = this.#moments
        .slice(since)
        .some(({ registrations }) => registrations.get(email)?.status === outcome);
      if (!this.#admitted.has(queueKey) && !(outcome === "incomplete" && isHeld)) this.blame("TOLD_IN_BUT_IS_NOT");
    } else if (isIn && this.#seats?.state !== "DELETED") this.blame(`TOLD_${outcome}_BUT_IS_IN`);
    if (!this.#isJust(email, queueKey, outcome, this.#moments.slice(since))) this.blame(`UNFOUNDED_${outcome}`);
  }

  /**
   * Judges the status in the answer to a change of a registration: it was stored at some moment since the last call
   * about this registration was issued. The calls behind it promote others. A place in line is told only of a person who
   * still waits, so `waitlist` was stored since the very last call was issued.
   */
  judgeChanged(actor: string, email: string, status: string, since: number): void {
    const own = `"USER#${email}"`;
    const isAboutIt = ({ command }: { readonly command: unknown }) =>
      JSON.stringify((command as { readonly input: object }).input).includes(own);
    const ofOwn = this.#issued.get(actor)?.findLast(isAboutIt)?.moment;
    this.#judgeStatus(email, status, (status === "waitlist" ? this.#lastIssued.get(actor) : ofOwn) ?? since);
  }

  #isJust(email: string, queueKey: string, outcome: string, moments: readonly Moment[]): boolean {
    return moments.some(({ seats, registrations, codes }) => {
      const theirs = registrations.get(email);
      if (outcome === "DUPLICATE") return theirs && isLive(theirs) && theirs.queueKey !== queueKey;
      if (outcome === "CODE_NOT_VALID") {
        const known = [...codes.values()].filter(({ generation }) => generation === seats?.generation);
        // One without uses is removed at its end, and an event that was created again has none.
        return known.length === 0 || known.some(({ used, uses, endedAt }) => used >= uses || endedAt !== undefined);
      }
      if (outcome === "EVENT_CLOSED") return seats?.state === "CLOSED";
      if (outcome === "NOT_OPEN_YET") return (seats?.opensAt ?? 0) > timeOf(queueKey);
      if (outcome === "NOT_FOUND") {
        // The event is gone, or an admin has deleted the registration that the request has made.
        const isDeleted = theirs?.status === "deleted" && theirs.queueKey === queueKey;
        return seats === undefined || seats.state === "DELETED" || isDeleted;
      }
      if (outcome === "CHOICE_FULL") {
        const { choiceHolders = {}, choiceLimits = {} } = seats ?? {};
        return Object.entries(choiceHolders).some(([q, choices]) =>
          Object.keys(choices).some((choice) => !hasRoom({ [q]: choice }, choiceHolders, choiceLimits)),
        );
      }
      return true;
    });
  }

  /**
   * Compares the answer to an admin who asked for several changes with the stored record: all changes are made at once,
   * or none.
   */
  judgeDecision(
    requestId: string,
    email: string,
    outcome: string,
    wanted: { readonly status: string; readonly points: number },
  ): void {
    const written = this.#written.get(`${requestId} ${email}`) ?? [];
    const isWhole = ({ status, points }: Registration) => status === wanted.status && points === wanted.points;
    if (!written.every(isWhole)) this.blame("HALF_DONE");
    if (outcome !== "changed" && written.length > 0) this.blame(`TOLD_${outcome}_BUT_CHANGED`);
  }

  /**
   * Compares the answer about one row of a request that registers several people again with the stored record. Other rows
   * do not matter to it: no row hears that too many people do this.
   */
  judgeRow(requestId: string, email: string, outcome: string, since: number): void {
    if (outcome === "CONTENDED") this.blame("ROW_CONTENDED");
    const isStatus = ["registered", "incomplete", "waitlist"].includes(outcome);
    if (isStatus) {
      this.#judgeStatus(email, outcome, since);
      return;
    }
    const now = this.#registrations.get(email);
    const begun = this.#written.get(`${requestId} ${email}`) ?? [];
    const isOwn = now !== undefined && begun.some(({ queueKey }) => queueKey === now.queueKey);
    const isIn = isOwn && isLive(now) && now.generation === this.#seats?.generation;
    if (isIn && this.#seats?.state !== "DELETED") this.blame(`TOLD_${outcome}_BUT_IS_IN`);
  }

  /** Compares the answer to a person who left with the stored record. */
  judgeDeparture(requestId: string, email: string, outcome: string): void {
    const hasLeft = this.#departed.has(`${requestId} ${email}`);
    if (hasLeft && outcome !== "left") this.blame(`TOLD_${outcome}_BUT_LEFT`);
    if (!hasLeft && outcome === "left") this.blame("TOLD_LEFT_BUT_DID_NOT");
  }

  /**
   * The invariants when no call is under way, before registrations of deleted events are removed.
   * @param isBroken an actor vanished or gave up, so new terms may not have reached the line
   */
  judgeRest(isBroken: boolean): void {
    const seats = this.#seats;
    if (!seats) return;
    const isLost = pools.some((pool) => {
      const { seats: taken, capacity } = poolOf(seats, pool);
      const mayTake = (place: Place) =>
        place.generation === seats.generation &&
        place.isPartner === (pool === "partners") &&
        seatsFor(place) <= Math.max(1, capacity) &&
        hasRoom(place.choices, seats.choiceHolders, seats.choiceLimits);
      // A group that waits for more seats than are free may not be overtaken.
      const next = [...this.#line.values()].sort((a, b) => (a.queueKey < b.queueKey ? -1 : 1)).find(mayTake);
      return next !== undefined && seatsFor(next) <= capacity - taken;
    });
    if (seats.state === "OPEN" && seats.mode !== "application" && isLost) this.blame("LOST_SEAT");
    const isApplication = seats.mode === "application";
    for (const { status, generation, applicationBased = false } of this.#registrations.values()) {
      const isOfOtherTerms =
        status === "waitlist" && generation === seats.generation && applicationBased !== isApplication;
      if (isOfOtherTerms && !isBroken && seats.state === "OPEN") this.blame("WAITS_UNDER_OTHER_TERMS");
    }
    for (const { queueKey, generation, status } of this.#registrations.values())
      if (this.#tooLate.has(`${queueKey} ${generation}`) && status === "waitlist")
        this.blame("WAITS_FOR_A_DELETED_EVENT");
  }

  /** The generation of the event. */
  get generation(): string {
    return this.#seats?.generation ?? "none";
  }

  /** The queue key of the person's present or last registration. */
  queueKeyOf(email: string): string {
    return this.#registrations.get(email)?.queueKey ?? "none";
  }

  /** How many people the person brings, by the present or last registration. */
  broughtBy(email: string): number {
    return this.#registrations.get(email)?.plusOnes?.length ?? 0;
  }

  /** The price of the person, which a code may lower, and of so many who come along, in cents. No person is a member. */
  priceOf(email: string, plusOnes: number): number {
    const { agreedPrice = price } = this.#registrations.get(email) ?? {};
    return (this.broughtBy(email) > 0 || plusOnes > 0 ? agreedPrice : price) + plusOnes * price;
  }

  /** The provider has the money of this payment. @param amount in cents */
  paid(paymentId: string, amount: number): void {
    this.#payments.set(paymentId, this.#payments.get(paymentId));
    this.#amounts.set(paymentId, amount);
  }

  /** Compares the answer about a payment with its settlement. */
  judgeSettlement(paymentId: string, outcome: string): void {
    if (this.#payments.get(paymentId) !== outcome)
      this.blame(`TOLD_${outcome}_BUT_IS_${this.#payments.get(paymentId)}`);
  }

  /** Live registrations of a generation that is gone. */
  inGoneEvent(): Registration[] {
    const seats = this.#seats;
    return [...this.#registrations.values()].filter(
      (one) => isLive(one) && (seats?.state === "DELETED" || seats?.generation !== one.generation),
    );
  }

  /** The invariants after the consumers of deleted events and of payments are done. */
  judgeCleared(): void {
    if (this.inGoneEvent().length > 0) this.blame("LIVE_IN_DELETED_EVENT");
    for (const [paymentId, settled] of this.#payments) {
      const hasSeat = [...this.#registrations.values()].some((one) => one.paidBy === paymentId && holdsSeat(one));
      const isInParts = this.#partRefunds.get(paymentId) === this.#amounts.get(paymentId);
      const refunds = this.#refunds.filter((id) => id === paymentId).length + Number(isInParts);
      if (settled !== undefined && refunds + Number(hasSeat) !== 1) this.blame("PAID_WITHOUT_SEAT_OR_REFUND");
      const used = this.#used.filter((id) => id === paymentId).length;
      if (settled !== undefined && used !== Number(settled === "seat")) this.blame("USE_OF_MONEY_NOT_TOLD");
    }
  }
}
