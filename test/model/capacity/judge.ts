/** The invariants of the capacity protocol (`design.md`, section 7), judged at every commit and at rest. */
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { StreamRecord } from "../../../lib/local/dynamodb/stream-log.ts";
import type { TableRequest, Witness } from "./world.ts";

interface Registration {
  readonly email: string;
  readonly status: string;
  readonly choices: Record<string, string>;
  readonly isPartner: boolean;
  readonly waitKey: string;
  readonly incarnation: string;
  readonly version: number;
}

interface SeatsItem {
  readonly incarnation: string;
  readonly cap: number;
  readonly seats: number;
  readonly registered: number;
  readonly partners: number;
  readonly gate: string;
  readonly state: string;
  readonly mode: string;
  readonly choiceCaps: Record<string, number>;
  readonly taken: Record<string, Record<string, number>>;
}

type Place = Pick<Registration, "email" | "waitKey" | "incarnation" | "choices" | "version">;

interface News {
  readonly detail: { readonly data: { readonly email?: string; readonly version?: number } };
}

interface Move {
  readonly before: Registration | undefined;
  readonly after: Registration;
}

const holds = ({ status }: Registration): boolean => status === "registered";
const isLive = ({ status }: Registration): boolean => status === "registered" || status === "waitlist";

export class Judge implements Witness {
  readonly violations: string[] = [];
  readonly #registrations = new Map<string, Registration>();
  readonly #line = new Map<string, Place>();
  /** Who saw which places when they last looked at the line. */
  readonly #seen = new Map<string, ReadonlySet<string>>();
  #seats: SeatsItem | undefined;

  #blame(name: string): void {
    if (!this.violations.includes(name)) this.violations.push(name);
  }

  call({ operation, body, actor }: TableRequest): void {
    const line = (body.ExpressionAttributeValues as { ":line"?: unknown } | undefined)?.[":line"];
    if (operation === "Query" && line) this.#seen.set(actor, new Set(this.#line.keys()));
  }

  commit(records: readonly StreamRecord[], actor: string): void {
    const before = { seats: this.#seats, line: new Map(this.#line) };
    const moves: Move[] = [];
    const news: News[] = [];
    for (const { dynamodb } of records) {
      const partition = String(dynamodb.Keys.PK?.S);
      const image = dynamodb.NewImage && unmarshall(dynamodb.NewImage as never);
      const old = dynamodb.OldImage && unmarshall(dynamodb.OldImage as never);
      if (partition.startsWith("SEAT#")) this.#seats = image as SeatsItem;
      else if (partition.startsWith("WAIT#") && image) this.#line.set(String(image.waitKey), image as Place);
      else if (partition.startsWith("WAIT#")) this.#line.delete(String(old?.waitKey));
      else if (partition.startsWith("OUT#")) news.push(image as News);
      else if (String(dynamodb.Keys.SK?.S).startsWith("REG#")) {
        const after = image as Registration;
        moves.push({ before: this.#registrations.get(after.email), after });
        this.#registrations.set(after.email, after);
      }
    }
    this.#judgeSeats(before.seats);
    this.#judgeCounts();
    this.#judgePlaces();
    this.#judgeNews(moves, news);
    for (const move of moves) this.#judgeAdmission(move, before.line, actor);
  }

  /** Of the event as it exists: what is left of a deleted one is cleared away by a consumer. */
  get #present(): Registration[] {
    return [...this.#registrations.values()].filter(({ incarnation }) => incarnation === this.#seats?.incarnation);
  }

  #judgeSeats(before: SeatsItem | undefined): void {
    const seats = this.#seats;
    if (!before || !seats || before.incarnation !== seats.incarnation) return;
    if (seats.seats > before.seats && seats.seats > seats.cap) this.#blame("OVERSELL");
    if (before.gate === "W" && seats.gate === "O") this.#blame("GATE_REOPENED");
    for (const [question, choices] of Object.entries(seats.taken)) {
      for (const [choice, taken] of Object.entries(choices)) {
        const rose = taken > (before.taken[question]?.[choice] ?? 0);
        if (rose && taken > (seats.choiceCaps[question] ?? Number.POSITIVE_INFINITY)) this.#blame("CHOICE_OVERSELL");
      }
    }
  }

  #judgeCounts(): void {
    const seats = this.#seats;
    if (!seats || seats.state === "DELETED") return;
    const holders = this.#present.filter(holds);
    if (seats.seats !== holders.length || seats.registered !== holders.length) this.#blame("COUNT");
    if (seats.partners !== holders.filter(({ isPartner }) => isPartner).length) this.#blame("PARTNER_COUNT");
    for (const [question, choices] of Object.entries(seats.taken)) {
      for (const [choice, taken] of Object.entries(choices)) {
        if (taken !== holders.filter((one) => one.choices[question] === choice).length) this.#blame("CHOICE_COUNT");
      }
    }
  }

  #judgePlaces(): void {
    const waiting = this.#present.filter(({ status }) => status === "waitlist");
    const places = [...this.#line.values()].filter(({ incarnation }) => incarnation === this.#seats?.incarnation);
    if (waiting.length !== places.length) this.#blame("PLACE");
    for (const { email, waitKey, version } of waiting) {
      const place = this.#line.get(waitKey);
      if (place?.email !== email || place.version !== version) this.#blame("PLACE");
    }
  }

  /** Every move has one piece of news with the version that it made; versions have no gap. */
  #judgeNews(moves: readonly Move[], news: readonly News[]): void {
    for (const { before, after } of moves) {
      if (after.version !== (before?.version ?? 0) + 1) this.#blame("VERSION");
      const told = news.filter(({ detail }) => detail.data.email === after.email);
      if (told.length !== 1 || told[0]?.detail.data.version !== after.version) this.#blame("NEWS");
    }
  }

  #hasRoom({ choices }: Place, seats: SeatsItem): boolean {
    return Object.entries(choices).every(([question, choice]) => {
      return (seats.taken[question]?.[choice] ?? 0) < (seats.choiceCaps[question] ?? Number.POSITIVE_INFINITY);
    });
  }

  #judgeAdmission({ before, after }: Move, lineBefore: ReadonlyMap<string, Place>, actor: string): void {
    const seats = this.#seats;
    if (!seats || !holds(after) || (before && holds(before) && before.incarnation === after.incarnation)) return;
    if (seats.state !== "OPEN") this.#blame(`SEAT_IN_${seats.state}_EVENT`);
    if (seats.seats > seats.cap) this.#blame("SEAT_ABOVE_CAPACITY");
    const others = [...lineBefore.values()].filter((place) => place.incarnation === after.incarnation);
    if (before?.status !== "waitlist" || before.incarnation !== after.incarnation) {
      if (others.length > 0) this.#blame("JUMP");
      return;
    }
    // Whoever was in the line when it was read, came earlier, still waits, and could have been seated instead.
    const seen = this.#seen.get(actor);
    const overtaken = others.filter(
      ({ waitKey }) => waitKey < after.waitKey && seen?.has(waitKey) && this.#line.has(waitKey),
    );
    if (overtaken.some((place) => this.#hasRoom(place, seats))) this.#blame("FIFO");
  }

  /** What must hold when nothing moves any more. */
  rest(): void {
    const seats = this.#seats;
    if (seats?.state !== "OPEN" || seats.mode !== "free" || seats.seats >= seats.cap) return;
    const waiting = [...this.#line.values()].filter(({ incarnation }) => incarnation === seats.incarnation);
    if (waiting.some((place) => this.#hasRoom(place, seats))) this.#blame("LOST_SEAT");
  }

  /** What somebody was told against what there is. */
  answered(email: string, waitKey: string, outcome: string, mayBeGone: boolean): void {
    const registration = this.#registrations.get(email);
    const isPresent = registration?.incarnation === this.#seats?.incarnation && this.#seats?.state !== "DELETED";
    const isMine = registration?.waitKey === waitKey && isLive(registration) && isPresent;
    if (outcome === "registered" || outcome === "waitlist") {
      if (!isMine && !mayBeGone) this.#blame("ANSWERED_BUT_NOT_THERE");
    } else if (isMine) this.#blame(`ANSWERED_${outcome}_BUT_THERE`);
  }
}
