/** Maps all rows before anything is written: what is imported, what is changed and why, and what is refused. */

import type { MemberRecord } from "#domain/people/members/member.ts";
import type { ProfileRecord } from "#domain/people/profiles/profile.ts";
import type { UserRecord } from "#domain/people/users/store.ts";
import type { PrizeRecord } from "#domain/prizes/prize.ts";
import { holdsSeat } from "#domain/registrations/record/registration.ts";
import { stateOf } from "#domain/registrations/record/statuses.ts";
import { type MappedEvent, mapEvent } from "../map/event.ts";
import { type MappedSubmission, mapSubmission } from "../map/feedback.ts";
import { eventName } from "../map/keys.ts";
import { mapMember } from "../map/member.ts";
import { mapPrize } from "../map/prize.ts";
import { mapProfile } from "../map/profile.ts";
import type { Change, Mapped, Row } from "../map/reading.ts";
import { type MappedRegistration, mapRegistration, partnersSeatIn } from "../map/registration.ts";
import { mapUser } from "../map/user.ts";
import type { NamedRow, Source } from "./source.ts";
import { type Kind, kinds } from "./tables.ts";
import type { StageValues } from "./values.ts";

/** The records of each kind, without versions and generations, which depend on the table. */
export interface Records {
  readonly events: MappedEvent;
  readonly users: UserRecord;
  readonly members: MemberRecord;
  readonly profiles: ProfileRecord;
  readonly registrations: MappedRegistration;
  readonly feedback: MappedSubmission;
  readonly prizes: PrizeRecord;
}

/** A record with its name. */
export interface Taken<R> {
  readonly record: R;
  /** The name of the record in the source: email, `<id>;<year>`, both, or an id. */
  readonly name: string;
}

/** The outcome of one row. */
export interface Outcome {
  readonly kind: Kind;
  readonly file: string;
  readonly name?: string | undefined;
  readonly changes: readonly Change[];
  /** Why the row is refused. */
  readonly refused?: string;
  readonly row?: unknown;
}

export interface Summary {
  /** Of all rows. */
  readonly outcomes: readonly Outcome[];
  /** Registrations by status. */
  readonly statuses: Map<string, number>;
  /** Events over capacity: by how many. */
  readonly overCapacity: ReadonlyMap<string, number>;
}

const count = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};

export class Mapping {
  readonly source: Source;
  readonly values: StageValues;
  /** Epoch milliseconds of the import. */
  readonly now: number;
  readonly events = new Map<string, MappedEvent>();
  readonly #marked = new Set<string>();
  /** Partners with a seat, by event. */
  readonly #partners = new Map<string, number>();

  constructor(source: Source, values: StageValues, now: number) {
    this.source = source;
    this.values = values;
    this.now = now;
    for (const one of source.all("registrations")) {
      const event = "row" in one && one.passedOver === undefined ? partnersSeatIn(one.row) : undefined;
      if (event !== undefined) count(this.#partners, event);
    }
  }

  #map(kind: Kind, row: Row): Mapped<Records[Kind]> {
    const { source, values, now } = this;
    const eventOf = (name: string) => this.events.get(name);
    switch (kind) {
      case "events":
        return mapEvent(row, values, (name) => this.#partners.get(name) ?? 0);
      case "users":
        return mapUser(row, {
          ...values,
          hasMembership: source.hasMembership,
          hasEvent: (name) => this.events.has(name),
        });
      case "members":
        return mapMember(row, values);
      case "profiles":
        return mapProfile(row, { ...values, ownerOf: source.ownerOf });
      case "registrations":
        return mapRegistration(row, { ...values, eventOf, isMember: (email) => this.#marked.has(email), now });
      case "feedback":
        return mapSubmission(row, { ...values, eventOf });
      case "prizes":
        return mapPrize(row, values);
    }
  }

  #mapped(kind: Kind, one: NamedRow): Mapped<Records[Kind]> {
    if (!("row" in one)) return { refused: one.why, changes: [] };
    if (one.passedOver !== undefined) return { refused: one.passedOver, changes: [] };
    return this.#map(kind, one.row);
  }

  /**
   * The records of a kind. Kinds that others depend on must be read first: events, users, members.
   * @param tell receives the outcome of each row
   */
  *records<K extends Kind>(kind: K, tell: (outcome: Outcome) => void = () => undefined): Generator<Taken<Records[K]>> {
    for (const one of this.source.all(kind)) {
      const { name, file } = one;
      const mapped = this.#mapped(kind, one);
      const base = { kind, file, name, changes: mapped.changes };
      if ("refused" in mapped) {
        tell({ ...base, refused: mapped.refused, row: "row" in one ? one.row : one.broken.slice(0, 2_000) });
        continue;
      }
      this.#learn(kind, mapped.record);
      tell(base);
      yield { record: mapped.record as Records[K], name: name ?? "" };
    }
  }

  #learn(kind: Kind, record: Records[Kind]): void {
    if (kind === "events") {
      const { event } = record as MappedEvent;
      this.events.set(eventName(event), record as MappedEvent);
    }
    if (kind === "users" && (record as UserRecord).isMember) this.#marked.add((record as UserRecord).email);
    if (kind === "members") this.#marked.add((record as MemberRecord).email);
  }
}

/** Maps every row once, and counts. */
export function survey(mapping: Mapping): Summary {
  const outcomes: Outcome[] = [];
  const statuses = new Map<string, number>();
  const holders = new Map<string, number>();
  for (const kind of kinds) {
    for (const { record } of mapping.records(kind, (outcome) => outcomes.push(outcome))) {
      if (kind !== "registrations") continue;
      const registration = record as MappedRegistration;
      count(statuses, stateOf(registration));
      if (!holdsSeat(registration)) continue;
      const event = eventName({ id: registration.eventID, year: registration.year });
      if (!registration.pool) count(holders, event);
    }
  }
  return {
    outcomes,
    statuses,
    overCapacity: tooMany(holders, (event) => mapping.events.get(event)?.event.capac),
  };
}

const tooMany = (counts: ReadonlyMap<string, number>, most: (name: string) => number | undefined) =>
  new Map(
    [...counts].flatMap(([name, number]) => {
      const more = number - (most(name) ?? Number.POSITIVE_INFINITY);
      return more > 0 ? [[name, more] as const] : [];
    }),
  );
