/**
 * What would become of each person of a table, by what is there now. Nothing is written, and the service decides when it is
 * done: seats go meanwhile. Who has what the table says is left alone, so a table that is taken again does nothing twice. Pure.
 */
import type { components } from "../paths.ts";
import { localTime } from "../shared/dates.ts";
import type { Purpose, TableEvent } from "./fields.ts";
import type { Body, Person } from "./people.ts";

type Schemas = components["schemas"];
type Registration = Pick<Schemas["Registration"], "email" | "registrationStatus" | "applicationStatus">;
type Member = Pick<Schemas["Member"], "email" | "until">;

/** What is there now. */
export interface Present {
  readonly registrations?: readonly Registration[];
  readonly members?: readonly Member[];
  readonly accounts?: readonly Pick<Schemas["User"], "email">[];
}

/** What has to be read for a purpose. Members tell the prices, if these differ. */
export function listsFor(
  purpose: Purpose,
  event?: TableEvent,
): readonly (readonly [keyof Present, path: string, query: Readonly<Record<string, string | number>>])[] {
  if (purpose === "members") return [["members", "/members", {}]];
  if (purpose === "accounts") return [["accounts", "/users", {}]];
  const { id = "", year = 0, pricing = { member: 0, nonMember: 0 } } = event ?? {};
  const isSamePrice = pricing.member === pricing.nonMember;
  return [
    ["registrations", "/registrations", { eventID: id, year }],
    ...(isSamePrice ? [] : [["members", "/members", {}] as const]),
  ];
}

/** A request of an executive, as the desk sends it for one person. */
export interface Step {
  readonly method: "POST" | "PATCH";
  readonly path: string;
  readonly body: Body;
  /** Carries an `Idempotency-Key`. */
  readonly isKeyed: boolean;
}

/** What would become of a row. */
export type Fate = "seat" | "pay" | "line" | "apply" | "grant" | "renew" | "end" | "create" | "there" | "fault";

export interface Outlook {
  readonly row: number;
  readonly email: string;
  readonly fate: Fate;
  readonly says: string;
  readonly steps: readonly Step[];
}

/** Fates in words, in the order of a summary, and whether a mail tells the person. */
export const fates: Readonly<Record<Fate, readonly [words: string, mails: boolean]>> = {
  seat: ["get a seat", true],
  pay: ["get a seat that has to be paid", true],
  line: ["get a place in line", true],
  apply: ["become applicants", true],
  grant: ["become members", true],
  renew: ["are members again", true],
  end: ["get another end of their membership", false],
  create: ["get an account", false],
  there: ["are left as they are", false],
  fault: ["are left out, because something is wrong", false],
};

export interface Now {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Of the stage, IANA name. */
  readonly timeZone: string;
}

type Decided = Pick<Outlook, "fate" | "says"> & { readonly steps?: readonly Step[] };

/** Seats and choices that are left while rows take them. */
class Room {
  readonly #event: TableEvent;
  readonly #left: [attendees: number, partners: number];
  readonly #inLine: [attendees: boolean, partners: boolean];
  readonly #choices: Map<string, number>;

  constructor(event: TableEvent) {
    this.#event = event;
    const { remaining, partnerRemaining, waitlistCount = 0, partnerWaitlistCount = 0 } = event.counts ?? {};
    const all = Number.POSITIVE_INFINITY;
    this.#left = [remaining ?? all, partnerRemaining ?? all];
    this.#inLine = [waitlistCount > 0, partnerWaitlistCount > 0];
    this.#choices = new Map(
      (event.counts?.dynamicCounts ?? []).flatMap(({ questionId, counts }) =>
        counts.flatMap(({ label, count, cap }) =>
          cap === null ? [] : [[JSON.stringify([questionId, label]), cap - count] as const],
        ),
      ),
    );
  }

  /** What the next person gets. @param price dollars */
  next({ isPartner, body }: Person, price: number): Decided {
    const kind = isPartner && this.#event.partnerCapac !== undefined ? 1 : 0;
    if ((this.#left[kind] ?? 0) <= 0 || this.#inLine[kind]) return { fate: "line", says: "Gets a place in line." };
    if (this.#event.isApplicationBased) return { fate: "apply", says: "Becomes an applicant." };
    const keys = Object.entries((body.dynamicResponses as Body | undefined) ?? {}).map((one) => JSON.stringify(one));
    const full = keys.find((key) => (this.#choices.get(key) ?? 1) <= 0);
    if (full !== undefined) return { fate: "fault", says: `“${JSON.parse(full)[1]}” is full.` };
    for (const key of keys) if (this.#choices.has(key)) this.#choices.set(key, (this.#choices.get(key) ?? 0) - 1);
    this.#left[kind] = (this.#left[kind] ?? 0) - 1;
    if (price > 0 && body.code !== undefined)
      return { fate: "pay", says: "Gets a seat for its code's price, and loses it unless that is paid in time." };
    return price > 0
      ? { fate: "pay", says: "Gets a seat, and loses it unless it is paid in time." }
      : { fate: "seat", says: "Gets a seat." };
  }
}

const byEmail = <T extends { readonly email: string }>(rows: readonly T[] = []): ReadonlyMap<string, T> =>
  new Map(rows.map((row) => [row.email, row]));

const isOver = ({ until }: Member, { now }: Now): boolean => until !== undefined && Date.parse(until) < now;

function registering(event: TableEvent, present: Present, at: Now): (person: Person) => Decided {
  const [there, members, room] = [byEmail(present.registrations), byEmail(present.members), new Room(event)];
  const { member, nonMember = member } = event.pricing;
  return (person) => {
    if (event.calledOff !== undefined) return { fate: "fault", says: "The event is called off." };
    const known = there.get(person.email);
    if (known) {
      const { registrationStatus: status, applicationStatus } = known;
      const isApplicant = status === "registered" && applicationStatus === "reviewing";
      // Who has cancelled has said so. An executive registers them again one by one.
      const says =
        status === "cancelled" ? "Has cancelled." : `Is there already: ${isApplicant ? "applicant" : status}.`;
      return { fate: "there", says };
    }
    const membership = members.get(person.email);
    const isMember = membership !== undefined && !isOver(membership, at);
    const decided = room.next(person, isMember && !person.isPartner ? member : nonMember);
    if (decided.fate === "fault") return decided;
    const body = { eventID: event.id, year: event.year, ...person.body };
    return { ...decided, steps: [{ method: "POST", path: "/registrations", body, isKeyed: true }] };
  };
}

function granting(present: Present, at: Now): (person: Person) => Decided {
  const there = byEmail(present.members);
  const dayOf = (iso: string): string => localTime(iso, at.timeZone).slice(0, 10);
  const today = dayOf(new Date(at.now).toISOString());
  return ({ email, until, body }) => {
    const known = there.get(email);
    const isRunning = known !== undefined && !isOver(known, at);
    const end = until === undefined ? "" : ` until ${until}`;
    const ending: readonly Step[] =
      until === undefined
        ? []
        : [{ method: "PATCH", path: `/members/${encodeURIComponent(email)}`, body: { until }, isKeyed: false }];
    // An old table ends no membership.
    if (until !== undefined && until < today) return { fate: "fault", says: `The day ${until} is over.` };
    if (!isRunning) {
      const grant: Step = { method: "POST", path: "/members/grant", body, isKeyed: true };
      const [fate, says] = known
        ? (["renew", `Was a member, and is one again${end}.`] as const)
        : (["grant", `Becomes a member${end}.`] as const);
      return { fate, says, steps: [grant, ...ending] };
    }
    const before = known.until === undefined ? undefined : dayOf(known.until);
    const says = before === undefined ? "Is a member without an end" : `Is a member until ${before}`;
    if (until === undefined || until === before) return { fate: "there", says: `${says}.` };
    return {
      fate: "end",
      says: `${says}, and then${end}${before && until < before ? ", which is earlier" : ""}.`,
      steps: ending,
    };
  };
}

function creating(present: Present): (person: Person) => Decided {
  const there = byEmail(present.accounts);
  return ({ email, body }) =>
    there.has(email)
      ? { fate: "there", says: "Has an account." }
      : { fate: "create", says: "Gets an account.", steps: [{ method: "POST", path: "/users", body, isKeyed: false }] };
}

/** What would become of the people, in their order. */
export function outlookOf(
  people: readonly Person[],
  { purpose, event }: { readonly purpose: Purpose; readonly event?: TableEvent | undefined },
  present: Present,
  at: Now,
): readonly Outlook[] {
  const decide =
    purpose === "members"
      ? granting(present, at)
      : purpose === "accounts"
        ? creating(present)
        : registering(event as TableEvent, present, at);
  return people.map((person): Outlook => {
    const { row, email, faults } = person;
    const { steps = [], ...decided }: Decided =
      faults.length > 0 ? { fate: "fault", says: faults.join(" ") } : decide(person);
    return { row, email, ...decided, steps };
  });
}

/** How many rows have each fate. */
export function countsOf(outlooks: readonly Outlook[]): readonly (readonly [Fate, number])[] {
  const counts = new Map<Fate, number>();
  for (const { fate } of outlooks) counts.set(fate, (counts.get(fate) ?? 0) + 1);
  return (Object.keys(fates) as Fate[]).flatMap((fate) => {
    const number = counts.get(fate);
    return number === undefined ? [] : [[fate, number] as const];
  });
}
