/**
 * Decides who gets the next seat: for newcomers, people in line, the heir of a leaver and late payments. Nothing else
 * decides it (`docs/design.md`, "The capacity protocol"). Pure; `demands.ts` turns a decision into a write.
 */
import {
  type ChoiceHolders,
  type Choices,
  fullChoiceOf,
  isFull,
  type Place,
  roomFor,
  type Seats,
  seatsFor,
  withHolder,
} from "./seats.ts";

/** The beginning of the line, in order. */
export interface Line {
  readonly places: readonly Place[];
  /** The line ends with these people. */
  readonly isWhole: boolean;
}

/** Who requests a seat, as far as the line is concerned. */
export type LineClaim =
  /** A person who is not in line: a newcomer, or a person whose payment came late. */
  | { readonly kind: "newcomer" }
  /** The people in line request free seats. */
  | { readonly kind: "line" }
  /** The people in line request what a person who leaves gives up. `frees`: its seats; absent: 1. */
  | { readonly kind: "heir"; readonly leaver: Choices; readonly frees?: number };

export type Claim = Exclude<LineClaim, { kind: "newcomer" }> | { readonly kind: "newcomer"; readonly person: Place };

/**
 * A choice that kept a person waiting. The transaction that seats people behind requires that it still has at least
 * `holders`.
 */
export interface FullChoice {
  readonly question: string;
  readonly choice: string;
  readonly holders: number;
}

/** Why it is a person's turn; a condition of the transaction. */
export type Turn =
  /** The gate is direct. */
  | { readonly kind: "direct" }
  /**
   * The choices of all people ahead are full, by these counters; or they are more than the event has seats for, as long as its
   * capacity is below this.
   */
  | {
      readonly kind: "next";
      readonly passedOver: readonly FullChoice[];
      readonly counted: ChoiceHolders;
      readonly below?: number;
    };

export type Allocation =
  | { readonly kind: "seated"; readonly people: readonly Place[]; readonly turn: Turn }
  /** A person ahead may take the seat, or no person in line can. */
  | { readonly kind: "waits" }
  /** No seat is available. */
  | { readonly kind: "full" }
  /** Seats are free, but this choice has no room for the person. */
  | { readonly kind: "choiceFull"; readonly choice: string };

/**
 * Maximum people in one transaction. Its items together are limited to 4 MB, and a registration may have 200 KB of
 * answers. The limit of 100 members would allow 24 people: four members for each, and one for the seats.
 */
export const maxAtOnce = 16;

/**
 * Maximum different choices in one transaction, and of one person. An expression is limited to 4,096 bytes, which also
 * include the conditions for the people who were passed over.
 */
export const maxChoicesAtOnce = 20;

/** Whether waiting people get free seats without an admin's decision. */
const movesUp = ({ state, mode, startsAt }: Seats, now: number): boolean =>
  state === "OPEN" && mode !== "application" && startsAt > now;

/** Whether a waiting person may get a free seat. @param now epoch milliseconds */
export const mayPromote = (seats: Seats, now: number): boolean => movesUp(seats, now) && !isFull(seats);

/** Whether a waiting person may take over the seat of a leaver: not while more seats are taken than the capacity. */
const mayInherit = (seats: Seats, now: number): boolean => movesUp(seats, now) && seats.seats <= seats.capacity;

/**
 * How many places in line this claim can seat; 0 if the line does not matter.
 * @param now epoch milliseconds
 */
export function maxToSeat(seats: Seats, { kind }: LineClaim, now: number): number {
  if (kind === "newcomer") return seats.gate === "queued" && seats.mode !== "application" && !isFull(seats) ? 1 : 0;
  if (kind === "heir") return mayInherit(seats, now) ? 1 : 0;
  return mayPromote(seats, now) ? Math.min(seats.capacity - seats.seats, maxAtOnce) : 0;
}

/** The seats without the leaver, whom the heir replaces. */
function countedFor(seats: Seats, claim: LineClaim): Seats {
  if (claim.kind !== "heir") return seats;
  return withHolder({ ...seats, seats: seats.seats - (claim.frees ?? 1) }, claim.leaver, -1);
}

/** Whether these places are enough to decide the claim. */
export const isEnough = (seats: Seats, claim: LineClaim, places: readonly Place[], now: number): boolean => {
  const wanted = maxToSeat(seats, claim, now);
  const { chosen, isBlocked } = nextInLine(places, countedFor(seats, claim), wanted);
  return isBlocked || chosen.length >= wanted;
};

/**
 * Decides a claim.
 * @param line as much as the claim needs; undefined when the line does not matter
 * @param now epoch milliseconds
 */
export function allocate(seats: Seats, line: Line | undefined, claim: Claim, now: number): Allocation {
  if (claim.kind === "newcomer") return allocateTo(claim.person, seats, line);
  const wanted = maxToSeat(seats, claim, now);
  if (wanted === 0) return { kind: "full" };
  const next = nextInLine(line?.places ?? [], countedFor(seats, claim), wanted);
  if (next.chosen.length === 0) return { kind: "waits" };
  const passedOver = claim.kind === "heir" ? next.passedOver.map(withLeaver(claim.leaver)) : next.passedOver;
  return { kind: "seated", people: next.chosen, turn: turnOf({ ...next, passedOver }, seats) };
}

/** Adds the leaver, whom the stored item still counts and the selection did not. */
const withLeaver =
  (leaver: Choices) =>
  (full: FullChoice): FullChoice =>
    leaver[full.question] === full.choice ? { ...full, holders: full.holders + 1 } : full;

const turnOf = ({ passedOver, below }: Selection, { choiceHolders }: Seats): Turn => ({
  kind: "next",
  passedOver,
  counted: choiceHolders,
  ...(below !== undefined && { below }),
});

const nobodyAhead: Turn = { kind: "next", passedOver: [], counted: {} };

/** The people ahead of a newcomer, in order: all, or for most people those who do not wait behind others. */
const peopleAhead = ({ places }: Line, { behindOthers }: Place): readonly Place[] =>
  behindOthers ? places : places.filter((place) => !place.behindOthers);

/** Decides for a person who is behind the people in line. */
function allocateTo(person: Place, seats: Seats, line: Line | undefined): Allocation {
  if (isFull(seats)) return { kind: "full" };
  const people = [person];
  // At an application-based event, admins allocate the seats, not the line.
  const isLineless = seats.mode === "application" || seats.gate === "direct";
  const ahead = !isLineless && line ? peopleAhead(line, person) : [];
  // Who waits behind others is at the end, so a line that was read up to them shows all who do not.
  const isKnown = line !== undefined && (line.isWhole || ahead.length < line.places.length);
  if (!isLineless && !isKnown) return { kind: "waits" };
  const next = nextInLine([...ahead, person], seats, 1);
  const choice = fullChoiceOf(person.choices, seats);
  if (next.chosen.length === 0 && choice !== undefined) return { kind: "choiceFull", choice };
  if (next.chosen[0] !== person) return { kind: "waits" };
  if (seats.mode === "application") return { kind: "seated", people, turn: nobodyAhead };
  if (seats.gate === "direct") return { kind: "seated", people, turn: { kind: "direct" } };
  return { kind: "seated", people, turn: turnOf(next, seats) };
}

/** The people who are next, and the full choices for which others were passed over. */
export interface Selection {
  readonly chosen: readonly Place[];
  readonly passedOver: readonly FullChoice[];
  /** The next one needs more seats than are left, and may not be overtaken. */
  readonly isBlocked: boolean;
  /** The seats of the smallest group that was passed over because the event is too small for it. */
  readonly below?: number | undefined;
}

/**
 * The first people in line whose choices have room, at most `count` places. A person whose choice is full does not block the
 * line, and no person who could get a seat is passed over. Who brings others waits for seats for all, and the line behind
 * waits with them: smaller groups would overtake for ever. Only a group for which the event has become too
 * small is passed over.
 */
export function nextInLine(
  line: readonly Place[],
  seats: Pick<Seats, "choiceLimits" | "choiceHolders" | "seats" | "capacity">,
  count: number,
): Selection {
  const chosen: Place[] = [];
  let free = seats.capacity - seats.seats;
  let below: number | undefined;
  const passedOver: FullChoice[] = [];
  const choices = new Set<string>();
  let counted = seats;
  for (const place of line) {
    if (chosen.length >= count) break;
    const wanted = seatsFor(place);
    if (wanted > 1 && wanted > seats.capacity) {
      below = Math.min(wanted, below ?? wanted);
      continue;
    }
    if (!roomFor(place.choices, counted)) {
      passedOver.push(...fullChoices(place, seats, counted));
      continue;
    }
    if (wanted > free) return { chosen, passedOver, below, isBlocked: true };
    for (const one of Object.entries(place.choices)) choices.add(JSON.stringify(one));
    if (choices.size > maxChoicesAtOnce && chosen.length > 0) break;
    chosen.push(place);
    counted = withHolder(counted, place.choices, +1);
    free -= wanted;
  }
  return { chosen, passedOver, below, isBlocked: false };
}

/** The full choices of a place, each with the stored count at which it remains full. */
function fullChoices(
  place: Place,
  stored: Pick<Seats, "choiceLimits" | "choiceHolders">,
  counted: Pick<Seats, "choiceHolders">,
): FullChoice[] {
  return Object.entries(place.choices).flatMap(([question, choice]) => {
    const limit = stored.choiceLimits[question];
    const now = counted.choiceHolders[question]?.[choice] ?? 0;
    if (limit === undefined || now < limit) return [];
    const chosenBefore = now - (stored.choiceHolders[question]?.[choice] ?? 0);
    return [{ question, choice, holders: limit - chosenBefore }];
  });
}
