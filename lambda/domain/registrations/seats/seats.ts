/**
 * The seats of an event: its capacity, who has taken what, and whether newcomers are seated directly. Pure rules; the
 * store holds them in one small hot item (`design.md`, sections 5 and 6).
 */
import type { EventRecord } from "#domain/events/event.ts";
import { amountOwed, isPriced, priceFor } from "#domain/events/pricing.ts";

/** Stands for "no limit" and "never": conditions on an absent attribute would be false. */
export const noLimit = 9e15;

/** The workshops that somebody chose: question id to choice. */
export type Choices = Readonly<Record<string, string>>;

/** How a seat is had: at once, after paying, or after an admin's decision. */
export type SeatMode = "free" | "priced" | "application";

/** What is counted besides seats. */
export interface Counters {
  readonly registered: number;
  readonly checkedIn: number;
  readonly incomplete: number;
  readonly accepted: number;
  readonly applicants: number;
  /** Partners among the seat holders. */
  readonly partners: number;
}

/** How newcomers come to a seat: they take one, or they queue behind the people who wait. The values are stored. */
export const gates = { direct: "O", queued: "W" } as const;
export type Gate = (typeof gates)[keyof typeof gates];

export interface Seats extends Counters {
  readonly incarnation: string;
  readonly recreated: boolean;
  /** The event configuration that decisions were made under (`EventRecord.cfg`). */
  readonly cfg: number;
  /** Capacity. */
  readonly cap: number;
  /** Seats taken. */
  readonly seats: number;
  /** It turns from direct to queued once, when a person has to wait, and never back. */
  readonly gate: Gate;
  readonly state: "OPEN" | "CLOSED" | "DELETED";
  readonly mode: SeatMode;
  /** Whether members pay, and whether others do. Without `nonMember` the event has no price for others. */
  readonly pays: { readonly member: boolean; readonly nonMember?: boolean };
  /** Epoch milliseconds. */
  readonly deadline: number;
  readonly startsAt: number;
  /** Seats of each single choice, by question. */
  readonly choiceCaps: Readonly<Record<string, number>>;
  /** Taken seats by question and choice. A choice that nobody has taken yet is not there. */
  readonly taken: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export const isFull = ({ seats, cap }: Seats): boolean => seats >= cap;

/** Whether those who wait are seated without an admin's decision, if there is a seat. */
const movesUp = ({ state, mode, startsAt }: Seats, now: number): boolean =>
  state === "OPEN" && mode !== "application" && startsAt > now;

/** Whether somebody who waits may have a free seat. */
export const mayPromote = (seats: Seats, now: number): boolean => movesUp(seats, now) && !isFull(seats);

/** Whether somebody who waits may have the seat of one who leaves: not when it is one too many. */
export const mayInherit = (seats: Seats, now: number): boolean => movesUp(seats, now) && seats.seats <= seats.cap;

const modeOf = (event: EventRecord): SeatMode => {
  if (event.isApplicationBased) return "application";
  return isPriced(event) ? "priced" : "free";
};

const milliseconds = (date: string | undefined): number => (date === undefined ? noLimit : Date.parse(date));

const questionsOf = (event: EventRecord) => [
  ...(event.registrationQuestions ?? []),
  ...(event.partnerRegistrationQuestions ?? []),
];

/** The questions whose choices are counted, whether they are limited now or may be later. */
export const workshopQuestions = (event: EventRecord) =>
  questionsOf(event).filter(({ type }) => type === "WORKSHOP_SELECTION");

/** The rule of `amountOwed`, as far as the seats need it. */
function payersOf(event: EventRecord): Seats["pays"] {
  const others = priceFor(event, false);
  return {
    member: amountOwed(event, true, undefined) > 0,
    ...(others !== "members-only" && { nonMember: others > 0 }),
  };
}

/** What an event says about its seats. Without a deadline, registration ends with the event, else at its start. */
export function seatSettings(event: EventRecord) {
  return {
    incarnation: event.incarnation,
    cfg: event.cfg,
    cap: event.capac ?? noLimit,
    state: event.isCompleted ? ("CLOSED" as const) : ("OPEN" as const),
    mode: modeOf(event),
    pays: payersOf(event),
    deadline: milliseconds(event.deadline ?? event.endDate ?? event.startDate),
    startsAt: milliseconds(event.startDate),
    choiceCaps: Object.fromEntries(
      workshopQuestions(event).flatMap(({ questionId, participantCap }) =>
        participantCap === undefined ? [] : [[questionId, participantCap]],
      ),
    ),
  };
}

export type SeatSettings = ReturnType<typeof seatSettings>;

/** The questions that have counters: every workshop on offer. A removed one keeps its counters, it may come back. */
export const countedQuestions = (event: EventRecord): string[] =>
  workshopQuestions(event).map(({ questionId }) => questionId);

/** @param recreated the line may still hold places of an earlier incarnation of the event */
export const newSeats = (event: EventRecord, recreated: boolean): Seats => ({
  ...seatSettings(event),
  recreated,
  seats: 0,
  gate: gates.direct,
  registered: 0,
  checkedIn: 0,
  incomplete: 0,
  accepted: 0,
  applicants: 0,
  partners: 0,
  taken: Object.fromEntries(countedQuestions(event).map((question) => [question, {}])),
});

/** Whether every limited choice still has room. A question whose limit was lifted has always room. */
export const roomFor = (choices: Choices, { choiceCaps, taken }: Pick<Seats, "choiceCaps" | "taken">): boolean =>
  Object.entries(choices).every(([question, choice]) => {
    const cap = choiceCaps[question];
    return cap === undefined || (taken[question]?.[choice] ?? 0) < cap;
  });

/** Seats with the counts of one more holder of these choices. */
function withHolder<S extends Pick<Seats, "taken">>(seats: S, choices: Choices, by: 1 | -1): S {
  const taken = { ...seats.taken };
  for (const [question, choice] of Object.entries(choices)) {
    taken[question] = { ...taken[question], [choice]: (taken[question]?.[choice] ?? 0) + by };
  }
  return { ...seats, taken };
}

/** Somebody who waits. */
export interface Place {
  readonly email: string;
  /** EntryState, and the order of the line: `<epoch ms>#<ulid>`. */
  readonly waitKey: string;
  readonly choices: Choices;
  readonly isPartner: boolean;
  readonly fname: string;
  /** As of the registration. */
  readonly entryPrice?: number;
  /** The creation of the event that the registration belongs to. */
  readonly incarnation: string;
  /** The version of the registration that waits. */
  readonly version: number;
}

/** Whether a person who gets a seat from the line has to pay for it. */
export function paysFor(
  { pays }: Pick<Seats, "pays">,
  { entryPrice }: Pick<Place, "entryPrice">,
  isMember: boolean,
): boolean {
  if (isMember) return pays.member;
  return pays.nonMember ?? (entryPrice === undefined ? pays.member : entryPrice > 0);
}

/** Milliseconds in line after which a person is told that a seat came free; before, it is as if there were no line. */
const noticeableWait = 60_000;

/** Whether a person has been in line for so long that a seat is news to them. The place begins with its time. */
export const hasWaited = ({ waitKey }: Pick<Place, "waitKey">, now: number): boolean =>
  now - Number.parseInt(waitKey, 10) >= noticeableWait;

/** A choice that kept somebody waiting: it must still have this many taken when the others are seated. */
export interface FullChoice {
  readonly question: string;
  readonly choice: string;
  readonly taken: number;
}

/** Who is next, and on what that rests. */
export interface Selection {
  readonly chosen: readonly Place[];
  /** Choices of the people who were passed over. */
  readonly passedOver: readonly FullChoice[];
}

/**
 * How many different choices one transaction seats people in at most: as many as one person can have. An expression has
 * at most 4,096 bytes, and the demands of those who are passed over stand in the same one.
 */
export const maxChoicesAtOnce = 20;

/**
 * The first people in line whose choices have room, at most `count`: nobody blocks the line, and nobody is overtaken
 * who could have been seated.
 */
export function nextInLine(
  line: readonly Place[],
  seats: Pick<Seats, "choiceCaps" | "taken">,
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

/** The full choices of a place, with the count in the store that makes them full. */
function fullChoices(
  place: Place,
  stored: Pick<Seats, "choiceCaps" | "taken">,
  counted: Pick<Seats, "taken">,
): FullChoice[] {
  return Object.entries(place.choices).flatMap(([question, choice]) => {
    const cap = stored.choiceCaps[question];
    const now = counted.taken[question]?.[choice] ?? 0;
    if (cap === undefined || now < cap) return [];
    const chosenBefore = now - (stored.taken[question]?.[choice] ?? 0);
    return [{ question, choice, taken: cap - chosenBefore }];
  });
}

/** The seats as somebody who leaves will have left them. */
export const withoutHolder = <S extends Pick<Seats, "taken">>(seats: S, choices: Choices): S =>
  withHolder(seats, choices, -1);
