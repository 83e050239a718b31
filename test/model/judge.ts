/** The invariants of the capacity protocol (`design.md`, section 7), judged at every commit, every answer and at rest. */
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { Choices, Place, Seats } from "../../lambda/seats/seats.ts";
import type { Changed } from "./table.ts";
import type { Call, Witness } from "./world.ts";

/** A registration as far as the judge looks at it. */
export interface Registration {
  readonly email: string;
  readonly status: string;
  readonly choices: Choices;
  readonly isPartner: boolean;
  readonly waitKey: string;
  readonly incarnation: string;
  readonly version: number;
  readonly endedBy?: string;
}

interface News {
  readonly detailType: string;
  readonly detail: { readonly data: { readonly email?: string; readonly version?: number } };
}

type Taken = Record<string, Record<string, number>>;
type Change = { readonly was: Registration | undefined; readonly is: Registration };

/** What there was at some moment. */
interface Moment {
  readonly seats: Seats | undefined;
  readonly registrations: ReadonlyMap<string, Registration>;
}

const holdsSeat = ({ status }: Registration): boolean => status === "registered";
const isLive = ({ status }: Registration): boolean => status === "registered" || status === "waitlist";
const isAbout = ({ before, after }: Changed, partition: string): boolean =>
  String((after ?? before)?.PK).startsWith(partition);

function withChoices(taken: Seats["taken"], holders: readonly { choices: Choices }[], by: 1 | -1): Taken {
  const counted: Taken = structuredClone(taken) as Taken;
  for (const { choices } of holders) {
    for (const [question, choice] of Object.entries(choices)) {
      const ofQuestion = counted[question] ?? {};
      counted[question] = { ...ofQuestion, [choice]: (ofQuestion[choice] ?? 0) + by };
    }
  }
  return counted;
}

const hasRoom = (choices: Choices, taken: Seats["taken"], caps: Seats["choiceCaps"]): boolean =>
  Object.entries(choices).every(([question, choice]) => {
    return (taken[question]?.[choice] ?? 0) < (caps[question] ?? Number.POSITIVE_INFINITY);
  });

export class Judge implements Witness {
  readonly violations = new Set<string>();
  readonly #registrations = new Map<string, Registration>();
  readonly #line = new Map<string, Place>();
  readonly #moments: Moment[] = [{ seats: undefined, registrations: new Map() }];
  /** Which places somebody saw when they last read the line. */
  readonly #seen = new Map<string, { readonly places: Set<string>; readonly issued: number }>();
  /** Registrations that were made although the event was deleted already; nobody else will clear them away. */
  readonly #tooLate = new Set<string>();
  /** Everybody who ever was in, by arrival; every departure, by its arrival. */
  readonly #admitted = new Set<string>();
  readonly #departed = new Set<string>();
  /** Who changed the event. */
  readonly changedEvent = new Set<string>();
  #seats: Seats | undefined;

  blame(name: string): void {
    this.violations.add(name);
  }

  /** Marks a moment; refusals since then can be asked for their reason. */
  get moment(): number {
    return this.#moments.length - 1;
  }

  answered({ actor, command, issued }: Call, answer: object): void {
    if (!(command instanceof QueryCommand) || command.input.Select === "COUNT") return;
    const before = this.#seen.get(actor);
    if (before && before.issued > issued) return;
    const { Items = [] } = answer as { Items?: { waitKey?: string }[] };
    const places = new Set(command.input.ExclusiveStartKey ? before?.places : []);
    for (const { waitKey } of Items) if (waitKey !== undefined) places.add(waitKey);
    this.#seen.set(actor, { places, issued });
  }

  commit(changes: readonly Changed[], actor: string): void {
    const before = { seats: this.#seats, line: new Map(this.#line) };
    const moved: Change[] = [];
    const news: News[] = [];
    for (const change of changes) {
      const { before: old, after } = change;
      if (isAbout(change, "SEAT#")) this.#seats = after as unknown as Seats;
      else if (isAbout(change, "EVENT#")) this.changedEvent.add(actor);
      else if (isAbout(change, "OUT#")) news.push(after as unknown as News);
      else if (isAbout(change, "WAIT#")) {
        if (after) this.#line.set(String(after.waitKey), after as unknown as Place);
        else this.#line.delete(String(old?.waitKey));
      } else if (isAbout(change, "USER#")) {
        const is = after as unknown as Registration;
        moved.push({ was: this.#registrations.get(is.email), is });
        this.#registrations.set(is.email, is);
      }
    }
    this.#judgeSeats(before.seats);
    this.#judgeCounts();
    this.#judgePlaces();
    this.#judgeNews(moved, news);
    this.#judgeSeatings(moved, before, actor);
    for (const { is } of moved) this.#remember(is);
    this.#moments.push({ seats: this.#seats, registrations: new Map(this.#registrations) });
  }

  #remember(registration: Registration): void {
    const { waitKey, status, incarnation, endedBy } = registration;
    if (isLive(registration)) this.#admitted.add(waitKey);
    if (endedBy !== undefined) this.#departed.add(endedBy);
    const isGone = this.#seats?.state === "DELETED" || this.#seats?.incarnation !== incarnation;
    if (status === "waitlist" && isGone) this.#tooLate.add(`${waitKey} ${incarnation}`);
  }

  #judgeSeats(before: Seats | undefined): void {
    const seats = this.#seats;
    if (!before || !seats || before.incarnation !== seats.incarnation) return;
    if (seats.seats > before.seats && seats.seats > seats.cap) this.blame("OVERSELL");
    if (before.gate === "W" && seats.gate === "O") this.blame("GATE_REOPENED");
    if (before.state === "DELETED" && seats.state !== "DELETED") this.blame("EVENT_REVIVED");
    for (const [question, choices] of Object.entries(seats.taken)) {
      for (const [choice, taken] of Object.entries(choices)) {
        const rose = taken > (before.taken[question]?.[choice] ?? 0);
        if (rose && taken > (seats.choiceCaps[question] ?? Number.POSITIVE_INFINITY)) this.blame("CHOICE_OVERSELL");
      }
    }
  }

  #judgeCounts(): void {
    const seats = this.#seats;
    if (!seats) return;
    const present = [...this.#registrations.values()].filter(({ incarnation }) => incarnation === seats.incarnation);
    const holders = present.filter(holdsSeat);
    if (seats.seats !== holders.length || seats.registered !== holders.length) this.blame("COUNT");
    if (seats.partners !== holders.filter(({ isPartner }) => isPartner).length) this.blame("PARTNER_COUNT");
    const counted = withChoices({}, holders, +1);
    for (const [question, choices] of Object.entries({ ...counted, ...seats.taken })) {
      for (const choice of Object.keys({ ...counted[question], ...choices })) {
        if ((seats.taken[question]?.[choice] ?? 0) !== (counted[question]?.[choice] ?? 0)) this.blame("CHOICE_COUNT");
      }
    }
  }

  /** A registration waits if and only if it has its place; both say the same. Other incarnations are being cleared away. */
  #judgePlaces(): void {
    const incarnation = this.#seats?.incarnation;
    const waiting = [...this.#registrations.values()].filter(
      (one) => one.status === "waitlist" && one.incarnation === incarnation,
    );
    const places = [...this.#line.values()].filter((place) => place.incarnation === incarnation);
    if (waiting.length !== places.length) this.blame("PLACE");
    for (const { email, waitKey, version, choices } of waiting) {
      const place = this.#line.get(waitKey);
      const says = place?.email === email && place.version === version;
      if (!says || JSON.stringify(place.choices) !== JSON.stringify(choices)) this.blame("PLACE");
    }
  }

  /** Every move has one piece of news with the version that it made; versions have no gap. */
  #judgeNews(moved: readonly Change[], news: readonly News[]): void {
    for (const { was, is } of moved) {
      if (is.version !== (was?.version ?? 0) + 1) this.blame("VERSION");
      if (was && isLive(was) && isLive(is) && was.incarnation === is.incarnation && was.waitKey !== is.waitKey)
        this.blame("REPLACED");
      const told = news.filter(({ detail }) => detail.data.email === is.email);
      if (told.length !== 1 || told[0]?.detail.data.version !== is.version) this.blame("NEWS");
    }
  }

  #judgeSeatings(
    moved: readonly Change[],
    before: { seats: Seats | undefined; line: ReadonlyMap<string, Place> },
    actor: string,
  ): void {
    const seats = this.#seats;
    const isHere = ({ incarnation }: Registration) => incarnation === seats?.incarnation;
    const seated = moved.filter(({ was, is }) => holdsSeat(is) && !(was && holdsSeat(was) && isHere(was)));
    if (!seats || seated.length === 0) return;
    if (seats.state !== "OPEN") this.blame(`SEAT_IN_${seats.state}_EVENT`);
    if (seats.mode !== "free") this.blame("UNPAID_SEAT");
    if (seats.seats > seats.cap) this.blame("SWAP_ABOVE_CAP");
    const waited = ({ was }: Change) => was !== undefined && was.status === "waitlist" && isHere(was);
    const line = [...before.line.values()].filter((place) => place.incarnation === seats.incarnation);
    if (line.length > 0 && !seated.every(waited)) this.blame("JUMP");
    const leavers = moved.flatMap(({ was, is }) => (was && holdsSeat(was) && !holdsSeat(is) ? [was] : []));
    const left = withChoices(before.seats?.taken ?? {}, leavers, -1);
    const heirs = seated.filter(waited).map(({ is }) => is);
    for (const place of line) {
      const overtakers = heirs.filter(({ waitKey }) => waitKey > place.waitKey);
      const wasSeen = this.#seen.get(actor)?.places.has(place.waitKey) === true;
      if (overtakers.length === 0 || !wasSeen || !this.#line.has(place.waitKey)) continue;
      const earlier = heirs.filter(({ waitKey }) => waitKey < place.waitKey);
      if (hasRoom(place.choices, withChoices(left, earlier, +1), seats.choiceCaps)) this.blame("FIFO");
    }
  }

  /** What somebody who registered was told, against what there is. */
  judgeAnswer(email: string, waitKey: string, outcome: string, since: number): void {
    const now = this.#registrations.get(email);
    const isIn = now?.waitKey === waitKey && isLive(now) && now.incarnation === this.#seats?.incarnation;
    if (outcome === "registered" || outcome === "waitlist") {
      if (!this.#admitted.has(waitKey)) this.blame("TOLD_IN_BUT_IS_NOT");
    } else if (isIn && this.#seats?.state !== "DELETED") this.blame(`TOLD_${outcome}_BUT_IS_IN`);
    if (!this.#isJust(email, waitKey, outcome, this.#moments.slice(since))) this.blame(`UNFOUNDED_${outcome}`);
  }

  #isJust(email: string, waitKey: string, outcome: string, moments: readonly Moment[]): boolean {
    return moments.some(({ seats, registrations }) => {
      const theirs = registrations.get(email);
      if (outcome === "DUPLICATE") return theirs && isLive(theirs) && theirs.waitKey !== waitKey;
      if (outcome === "EVENT_CLOSED") return seats?.state === "CLOSED" || seats?.mode === "priced";
      if (outcome === "NOT_FOUND") return seats === undefined || seats.state === "DELETED";
      if (outcome === "CHOICE_FULL") {
        const { taken = {}, choiceCaps = {} } = seats ?? {};
        return Object.entries(taken).some(([q, choices]) =>
          Object.keys(choices).some((choice) => !hasRoom({ [q]: choice }, taken, choiceCaps)),
        );
      }
      return true;
    });
  }

  /** What somebody who left was told. */
  judgeDeparture(arrival: string, outcome: string): void {
    const hasLeft = this.#departed.has(arrival);
    if (hasLeft && outcome !== "left") this.blame(`TOLD_${outcome}_BUT_LEFT`);
    if (!hasLeft && outcome === "left") this.blame("TOLD_LEFT_BUT_DID_NOT");
  }

  /**
   * What must hold when nothing moves any more.
   * @param isBroken somebody vanished or gave up: a consumer will still clear up
   */
  judgeRest(isBroken: boolean): void {
    const seats = this.#seats;
    if (!seats) return;
    const places = [...this.#line.values()];
    const waiting = places.filter(({ incarnation }) => incarnation === seats.incarnation);
    if (seats.state === "OPEN" && seats.mode === "free" && seats.seats < seats.cap) {
      if (waiting.some(({ choices }) => hasRoom(choices, seats.taken, seats.choiceCaps))) this.blame("LOST_SEAT");
    }
    for (const { waitKey, incarnation, status } of isBroken ? [] : this.#registrations.values())
      if (this.#tooLate.has(`${waitKey} ${incarnation}`) && status === "waitlist")
        this.blame("WAITS_FOR_A_DELETED_EVENT");
  }
}
