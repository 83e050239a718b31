/** Invariants of an event's seats and line. Pure. */
import { isDeepStrictEqual } from "node:util";
import { type Counters, counterNames, type Place, type Pool, type Seats } from "#domain/capacity/seats.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { seatSettings } from "#domain/events/seat-settings.ts";
import {
  codeInUse,
  countersOf,
  holdsSeat,
  placeOf,
  type RegistrationRecord,
} from "#domain/registrations/record/registration.ts";

type CounterName = keyof Counters;

type CountedRegistration = Pick<
  RegistrationRecord,
  "status" | "applicant" | "isPartner" | "pool" | "choices" | "plusOnes" | "code"
>;

const choiceKey = (question: string, choice: string): string => JSON.stringify([question, choice]);

/** Accumulates the expected counters from the registrations of one generation. */
export class Counts {
  readonly counters = Object.fromEntries(counterNames.map((name) => [name, 0])) as Record<CounterName, number>;
  /** Holders by question and choice. */
  readonly choices = new Map<string, number>();
  /** Uses by the id of a code. */
  readonly uses = new Map<string, number>();
  /** The lines in which a person has to be. */
  readonly lines = new Set<Pool>();

  add(registration: CountedRegistration): void {
    for (const [name, by] of Object.entries(countersOf(registration))) this.counters[name as CounterName] += by;
    if (registration.status === "waitlist") this.lines.add(registration.pool);
    const code = codeInUse(registration);
    if (code) this.uses.set(code.id, (this.uses.get(code.id) ?? 0) + 1);
    if (!holdsSeat(registration)) return;
    for (const [question, choice] of Object.entries(registration.choices)) {
      const key = choiceKey(question, choice);
      this.choices.set(key, (this.choices.get(key) ?? 0) + 1);
    }
  }
}

/** A counter that differs from the registrations. `by`: the amount to add. */
export interface CountDifference {
  /** A counter of the event, the holders of one choice, or the uses of one code. */
  readonly of: CounterName | { readonly question: string; readonly choice: string } | { readonly code: string };
  readonly counted: number;
  readonly stored: number;
  readonly by: number;
}

/** The stored uses of a code. */
export interface StoredUses {
  readonly id: string;
  readonly used: number;
}

/**
 * All differences between the counters and the registrations. A choice without a counter has no holder.
 * @param codes of the same generation. A removed one counts no uses
 */
export function countDifferences(
  counts: Counts,
  seats: Pick<Seats, CounterName | "choiceHolders">,
  codes: readonly StoredUses[] = [],
): CountDifference[] {
  const differences: CountDifference[] = [];
  const compare = (of: CountDifference["of"], counted: number, stored: number) => {
    if (counted !== stored) differences.push({ of, counted, stored, by: counted - stored });
  };
  for (const name of counterNames) compare(name, counts.counters[name], seats[name] ?? 0);
  const open = new Map(counts.choices);
  for (const [question, choiceHolders] of Object.entries(seats.choiceHolders)) {
    for (const [choice, stored] of Object.entries(choiceHolders)) {
      const key = choiceKey(question, choice);
      compare({ question, choice }, open.get(key) ?? 0, stored);
      open.delete(key);
    }
  }
  for (const [key, counted] of open) {
    const [question, choice] = JSON.parse(key) as [string, string];
    compare({ question, choice }, counted, 0);
  }
  for (const { id, used } of codes) compare({ code: id }, counts.uses.get(id) ?? 0, used);
  return differences;
}

function nameOf(of: CountDifference["of"]): string {
  if (typeof of === "string") return of;
  return "code" in of ? `uses of the code ${of.code}` : `holders of ${choiceKey(of.question, of.choice)}`;
}

export const differenceText = ({ of, counted, stored }: CountDifference): string =>
  `${nameOf(of)}: ${stored} stored, ${counted} by the registrations`;

/** The settings of the seats that differ from the event. */
export function otherTerms(event: EventRecord, seats: Seats): string[] {
  return Object.entries(seatSettings(event)).flatMap(([name, value]) =>
    isDeepStrictEqual(seats[name as keyof Seats], value) ? [] : [name],
  );
}

/**
 * Whether newcomers may overtake waiting people. Not at an application-based event: seats are given by admins, and an
 * applicant on the waitlist may wait with a direct gate.
 */
export const seatsPassWaiters = ({ gate, mode }: Pick<Seats, "gate" | "mode">): boolean =>
  gate === "direct" && mode !== "application";

/** The fields in which a place in line differs from its registration. */
export function placeDifferences(registration: RegistrationRecord, place: Place): string[] {
  const expected = placeOf(registration);
  return Object.entries(expected).flatMap(([name, value]) =>
    isDeepStrictEqual(place[name as keyof Place], value) ? [] : [name],
  );
}

/** Whether a registration has to be in line. */
export const mustWait = ({ status }: Pick<RegistrationRecord, "status">): boolean => status === "waitlist";
