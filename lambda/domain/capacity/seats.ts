/**
 * Rules for the seats of an event: capacity, counters, gate and the order of the line (`docs/design.md`, "The
 * capacity protocol"). Pure. The store keeps the seats in one small hot item.
 */

import type { EventRecord } from "#domain/events/event.ts";
import { amountOwed, isPriced, priceFor } from "#domain/events/pricing.ts";
import { longestForCaller } from "#kit/context.ts";

/** Means "no limit" or "never". A number is needed, because a condition on an absent attribute is false. */
export const noLimit = 9e15;

/** The workshops that a person chose: choices by question id. */
export type Choices = Readonly<Record<string, string>>;

/** How a person gets a seat: at once, after paying, or by an admin's decision. */
export type SeatMode = "free" | "priced" | "application";

/** The counts besides the seats taken. */
export interface Counters {
  readonly registered: number;
  readonly checkedIn: number;
  readonly incomplete: number;
  readonly accepted: number;
  readonly applicants: number;
  /** Partners among the seat holders. */
  readonly partners: number;
}

/** Direct: newcomers take seats. Queued: newcomers stand in line behind the people who wait. */
export type Gate = "direct" | "queued";

export interface Seats extends Counters {
  /** The generation of the event. */
  readonly generation: string;
  /** The line may still hold places of an earlier generation. */
  readonly recreated: boolean;
  /** The terms version of the event (`EventRecord.termsVersion`). */
  readonly termsVersion: number;
  /** Capacity. */
  readonly capacity: number;
  /** Seats taken. */
  readonly seats: number;
  /** Changes from direct to queued when a person has to wait, and never back. */
  readonly gate: Gate;
  readonly state: "OPEN" | "CLOSED" | "DELETED";
  readonly mode: SeatMode;
  /** Whether members pay and whether others pay. Without `nonMember` the event has no price for others. */
  readonly mustPay: { readonly member: boolean; readonly nonMember?: boolean };
  /** Epoch milliseconds. */
  readonly deadline: number;
  readonly startsAt: number;
  /** Limit of each single choice, by question. */
  readonly choiceLimits: Readonly<Record<string, number>>;
  /** Holders by question and choice. A choice without a holder so far is absent. */
  readonly choiceHolders: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export const isFull = ({ seats, capacity }: Seats): boolean => seats >= capacity;

/** Whether waiting people get free seats without an admin's decision. */
const movesUp = ({ state, mode, startsAt }: Seats, now: number): boolean =>
  state === "OPEN" && mode !== "application" && startsAt > now;

/** Whether a waiting person may get a free seat. @param now epoch milliseconds */
export const mayPromote = (seats: Seats, now: number): boolean => movesUp(seats, now) && !isFull(seats);

/**
 * Whether a waiting person may take over the seat of a leaver. Not when there are more seats taken than the capacity.
 */
export const mayInherit = (seats: Seats, now: number): boolean => movesUp(seats, now) && seats.seats <= seats.capacity;

const modeOf = (event: EventRecord): SeatMode => {
  if (event.isApplicationBased) return "application";
  return isPriced(event) ? "priced" : "free";
};

const milliseconds = (date: string | undefined): number => (date === undefined ? noLimit : Date.parse(date));

const questionsOf = (event: EventRecord) => [
  ...(event.registrationQuestions ?? []),
  ...(event.partnerRegistrationQuestions ?? []),
];

/** The workshop questions. Their choices are counted also without a limit, because an admin may set one later. */
export const workshopQuestions = (event: EventRecord) =>
  questionsOf(event).filter(({ type }) => type === "WORKSHOP_SELECTION");

/** Whether members and others pay, by the rule of `amountOwed`. */
function payersOf(event: EventRecord): Seats["mustPay"] {
  const others = priceFor(event, false);
  return {
    member: amountOwed(event, true, undefined) > 0,
    ...(others !== "members-only" && { nonMember: others > 0 }),
  };
}

/**
 * The settings that the seats take from an event. Without `deadline` registration ends at `endDate`, without that at
 * `startDate`, and without both never (`docs/contract.md`, "Registrations").
 */
export function seatSettings(event: EventRecord) {
  return {
    generation: event.generation,
    termsVersion: event.termsVersion,
    capacity: event.capac ?? noLimit,
    state: event.isCompleted ? ("CLOSED" as const) : ("OPEN" as const),
    mode: modeOf(event),
    mustPay: payersOf(event),
    deadline: milliseconds(event.deadline ?? event.endDate ?? event.startDate),
    startsAt: milliseconds(event.startDate),
    choiceLimits: Object.fromEntries(
      workshopQuestions(event).flatMap(({ questionId, participantCap }) =>
        participantCap === undefined ? [] : [[questionId, participantCap]],
      ),
    ),
  };
}

export type SeatSettings = ReturnType<typeof seatSettings>;

/** The ids of the workshop questions. A removed question keeps its counters, because an admin may add it again. */
export const countedQuestions = (event: EventRecord): string[] =>
  workshopQuestions(event).map(({ questionId }) => questionId);

/** The seats of a new event. @param recreated the line may still hold places of an earlier generation */
export const newSeats = (event: EventRecord, recreated: boolean): Seats => ({
  ...seatSettings(event),
  recreated,
  seats: 0,
  gate: "direct",
  registered: 0,
  checkedIn: 0,
  incomplete: 0,
  accepted: 0,
  applicants: 0,
  partners: 0,
  choiceHolders: Object.fromEntries(countedQuestions(event).map((question) => [question, {}])),
});

/** Whether every limited choice has room. A question without a limit always has room. */
export const roomFor = (
  choices: Choices,
  { choiceLimits, choiceHolders }: Pick<Seats, "choiceLimits" | "choiceHolders">,
): boolean =>
  Object.entries(choices).every(([question, choice]) => {
    const limit = choiceLimits[question];
    return limit === undefined || (choiceHolders[question]?.[choice] ?? 0) < limit;
  });

/** The seats with one holder of these choices more or less. */
function withHolder<S extends Pick<Seats, "choiceHolders">>(seats: S, choices: Choices, by: 1 | -1): S {
  const choiceHolders = { ...seats.choiceHolders };
  for (const [question, choice] of Object.entries(choices)) {
    choiceHolders[question] = { ...choiceHolders[question], [choice]: (choiceHolders[question]?.[choice] ?? 0) + by };
  }
  return { ...seats, choiceHolders };
}

/** A place in line: a person who waits. */
export interface Place {
  readonly email: string;
  /** The queueKey, which is the order of the line: `<epoch ms>#<ulid>`. */
  readonly queueKey: string;
  readonly choices: Choices;
  readonly isPartner: boolean;
  readonly fname: string;
  /** The entry price of the registration, in integer cents. */
  readonly entryPrice?: number;
  /** The generation of the event that the registration belongs to. */
  readonly generation: string;
  /** The version of the waiting registration. A promotion demands it. */
  readonly version: number;
  /** The person joined while a seat was free, and the request waited for that seat. */
  readonly isAsking?: true;
}

/** Whether a person who gets a seat from the line has to pay for it. */
export function paysFor(
  { mustPay }: Pick<Seats, "mustPay">,
  { entryPrice }: Pick<Place, "entryPrice">,
  isMember: boolean,
): boolean {
  if (isMember) return mustPay.member;
  return mustPay.nonMember ?? (entryPrice === undefined ? mustPay.member : entryPrice > 0);
}

/**
 * Milliseconds. A person who gets a seat after a shorter wait is not told of the line (`docs/contract.md`, "Notices").
 */
const noticeableWait = 60_000;

/** Whether a person has waited long enough to be told that a seat came free. The queueKey begins with the time. */
export const hasWaited = ({ queueKey }: Pick<Place, "queueKey">, now: number): boolean =>
  now - Number.parseInt(queueKey, 10) >= noticeableWait;

/**
 * Whether the person's own request still waits for the seat. Then the person hears of it at once, whichever request
 * gives it.
 */
export const isStillAsking = ({ isAsking, queueKey }: Pick<Place, "isAsking" | "queueKey">, now: number): boolean =>
  isAsking === true && now - Number.parseInt(queueKey, 10) < longestForCaller;

/**
 * A choice that kept a person waiting. The transaction that seats people behind demands that it still has so many
 * holders.
 */
export interface FullChoice {
  readonly question: string;
  readonly choice: string;
  readonly holders: number;
}

/** The people who are next, and the full choices that the selection depends on. */
export interface Selection {
  readonly chosen: readonly Place[];
  /** Choices of the people who were passed over. */
  readonly passedOver: readonly FullChoice[];
}

/**
 * Most different choices of the people in one transaction. It is also the most that one person can have. An expression
 * has at most 4,096 bytes, and it also holds the demands for the people who were passed over.
 */
export const maxChoicesAtOnce = 20;

/**
 * The first people in line whose choices have room, at most `count`. A person whose choice is full does not block the
 * line, and no person who could get a seat is passed over.
 */
export function nextInLine(
  line: readonly Place[],
  seats: Pick<Seats, "choiceLimits" | "choiceHolders">,
  count: number,
): Selection {
  const chosen: Place[] = [];
  const passedOver: FullChoice[] = [];
  const choices = new Set<string>();
  let counted = seats;
  for (const place of line) {
    if (chosen.length >= count) break;
    if (!roomFor(place.choices, counted)) {
      passedOver.push(...fullChoices(place, seats, counted));
      continue;
    }
    for (const one of Object.entries(place.choices)) choices.add(JSON.stringify(one));
    if (choices.size > maxChoicesAtOnce && chosen.length > 0) break;
    chosen.push(place);
    counted = withHolder(counted, place.choices, +1);
  }
  return { chosen, passedOver };
}

/** The full choices of a place, with the stored count that is needed to keep them full. */
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

/** The seats after a person with these choices has left. */
export const withoutHolder = <S extends Pick<Seats, "choiceHolders">>(seats: S, choices: Choices): S =>
  withHolder(seats, choices, -1);
