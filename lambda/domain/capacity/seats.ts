/**
 * The seats of an event: one small item with capacity, counters, gate and the holders of workshop choices. Every
 * admission writes it (`docs/design.md`, "The capacity protocol"). `allocate.ts` decides who gets a seat, `demands.ts`
 * builds the write.
 */

import { type Consistency, getItem, type Key, putIf, type TransactItem, updateIf } from "#kit/table/table.ts";
import { keyOf } from "#outbox/stored-kinds.ts";

/** Id and year identify an event. An id may be reused in another year. */
export interface EventKey {
  readonly id: string;
  readonly year: number;
}

/** "No limit" or "never". A number, because a condition on an absent attribute is false. */
export const noLimit = 9e15;

/** The workshops that a person chose: choices by question id. */
export type Choices = Readonly<Record<string, string>>;

/**
 * The seats that a person takes. Absent: those of the attendees, and of everybody where partners have none. Those of the
 * allotment are for people with a code, and have no line: who finds none free takes one of the others, or waits for it.
 */
export type Pool = "partners" | "allotment" | undefined;
/** The pools with a line. */
export const pools: readonly Pool[] = [undefined, "partners"];

/** How a person gets a seat: immediately, by paying, or by an admin's decision. */
export type SeatMode = "free" | "priced" | "application";

/** The counters of an event without registrations. */
export const zeroCounters = {
  /** Seats of the attendees that are taken. The next four split them, and those of the allotment. */
  seats: 0,
  registered: 0,
  checkedIn: 0,
  incomplete: 0,
  accepted: 0,
  applicants: 0,
  /** Partners among the seat holders, of both pools. */
  partners: 0,
};

/** The counters of the partners' seats. Absent in an item of earlier times. */
const zeroPartnerCounters = { partnerSeats: 0, partnersCheckedIn: 0 };

/** The seats of the allotment that are taken. Absent in an event that has given none. */
const zeroAllotment = { allotmentSeats: 0 };

export type Counters = Readonly<
  typeof zeroCounters & Partial<typeof zeroPartnerCounters> & Partial<typeof zeroAllotment>
>;
export const counterNames = Object.keys({
  ...zeroCounters,
  ...zeroPartnerCounters,
  ...zeroAllotment,
}) as (keyof Counters)[];

/** Direct: newcomers get seats. Queued: newcomers join the line. */
export type Gate = "direct" | "queued";

/** The part of the seats that is copied from the event. */
export interface SeatSettings {
  /** The generation of the event. */
  readonly generation: string;
  /** Counts changes of the event that affect admission. */
  readonly termsVersion: number;
  /** Without the allotment. */
  readonly capacity: number;
  /** Of the allotment. Absent where there is none. */
  readonly allotmentCapacity?: number | undefined;
  /** Of the partners' seats; 0 where they have none of their own. */
  readonly partnerCapacity: number;
  readonly state: "OPEN" | "CLOSED" | "DELETED";
  readonly mode: SeatMode;
  /**
   * Whether members and others must pay. Without `nonMember` the event has no price for others. It may then have one for
   * partners, who otherwise pay like others.
   */
  readonly mustPay: { readonly member: boolean; readonly nonMember?: boolean; readonly partner?: boolean };
  /** Epoch milliseconds. 0, or absent in an item of earlier times: registration is open from the beginning. */
  readonly opensAt?: number;
  /** Epoch milliseconds. */
  readonly deadline: number;
  readonly startsAt: number;
  /** Limit of each single choice, by question. */
  readonly choiceLimits: Readonly<Record<string, number>>;
}

/** Holders by question and choice. A choice that never had a holder is absent. */
export type ChoiceHolders = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface Seats extends SeatSettings, Counters {
  /** The line may contain places of an earlier generation. */
  readonly recreated: boolean;
  /** Changes from direct to queued when a person has to wait, and never back. */
  readonly gate: Gate;
  /** Present as soon as a partner has to wait, also at an application-based event. */
  readonly partnerGate?: "queued";
  /** Set by `poolOf`, and never stored. */
  readonly pool?: Pool;
  readonly choiceHolders: ChoiceHolders;
  /** How many people got a seat after they had waited for it, for the report. Absent: none. */
  readonly promoted?: number;
}

export type CounterChanges = Partial<Counters>;

/** A person as the seats count them. */
export interface Holder {
  readonly choices: Choices;
  readonly counters: CounterChanges;
}

/** A waiting person's item in the line. */
export interface Place {
  readonly email: string;
  /** The order of the line: `<epoch ms>#<ulid>`. */
  readonly queueKey: string;
  /** When the person registered, epoch milliseconds. Only for people who were moved to the end of the line since. */
  readonly registeredAt?: number;
  readonly choices: Choices;
  readonly isPartner: boolean;
  readonly pool?: Pool;
  /** The person waits behind all who do not, whenever they join. Part of the key. */
  readonly behindOthers?: true | undefined;
  readonly fname: string;
  /** The entry price of the registration, in integer cents. */
  readonly entryPrice?: number;
  /** What a code promised, in integer cents. */
  readonly agreedPrice?: number;
  /** The generation of the event that the registration belongs to. */
  readonly generation: string;
  /** The version of the waiting registration; a condition of its promotion. */
  readonly version: number;
  /** How many people come along, who get their seats together with the person. Absent: none. */
  readonly brings?: number;
  /** The person joined while a seat was free, and the request still tries to get it. */
  readonly isAsking?: true;
}

/** The seats as people of a pool find them: with its capacity, its seats taken and its gate. */
export function poolOf(all: Seats, pool: Pool): Seats {
  if (pool === undefined) return all;
  if (pool === "partners") {
    const { partnerSeats: seats = 0, partnerCapacity: capacity, partnerGate: gate = "direct" } = all;
    return { ...all, pool, seats, capacity, gate };
  }
  const { allotmentSeats: seats = 0, allotmentCapacity = 0 } = all;
  // While the others have more seats than they may, none is given: all together never exceed the event's capacity.
  const capacity = all.seats > all.capacity ? Math.min(seats, allotmentCapacity) : allotmentCapacity;
  return { ...all, pool, seats, capacity, gate: "direct" };
}

/**
 * The seats that a person with a code for the allotment finds: its own, if there are enough of them.
 * @param seats that the person finds without a code
 * @param wanted seats
 */
export function seatsByCode(seats: Seats, wanted: number): Seats {
  if (seats.pool !== undefined) return seats;
  const allotment = poolOf(seats, "allotment");
  return allotment.capacity - allotment.seats >= wanted ? allotment : seats;
}

/** The pools in whose lines people may wait. */
export const poolsInUse = (seats: Seats): Seats[] =>
  pools.map((pool) => poolOf(seats, pool)).filter(({ pool, gate }) => pool === undefined || gate === "queued");

/** The seats that are taken, of all pools. */
export const seatsIn = ({ seats, partnerSeats = 0, allotmentSeats = 0 }: Counters): number =>
  seats + partnerSeats + allotmentSeats;

/** The people with a seat or an application. */
export const takenIn = (counters: Counters): number => seatsIn(counters) + counters.applicants;

export const isFull = ({ seats, capacity }: Pick<Seats, "seats" | "capacity">): boolean => seats >= capacity;

/** The seats that a person in line needs. */
export const seatsFor = ({ brings = 0 }: Pick<Place, "brings">): number => 1 + brings;

/** Whether every limited choice has room. A question without a limit always has room. */
export const roomFor = (choices: Choices, seats: Pick<Seats, "choiceLimits" | "choiceHolders">): boolean =>
  fullChoiceOf(choices, seats) === undefined;

/** The first choice that has no room. */
export const fullChoiceOf = (
  choices: Choices,
  { choiceLimits, choiceHolders }: Pick<Seats, "choiceLimits" | "choiceHolders">,
): string | undefined =>
  Object.entries(choices).find(([question, choice]) => {
    const limit = choiceLimits[question];
    return limit !== undefined && (choiceHolders[question]?.[choice] ?? 0) >= limit;
  })?.[1];

/** The seats with one holder of these choices more or less. */
export function withHolder<S extends Pick<Seats, "choiceHolders">>(seats: S, choices: Choices, by: 1 | -1): S {
  const choiceHolders = { ...seats.choiceHolders };
  for (const [question, choice] of Object.entries(choices)) {
    choiceHolders[question] = { ...choiceHolders[question], [choice]: (choiceHolders[question]?.[choice] ?? 0) + by };
  }
  return { ...seats, choiceHolders };
}

/** The key ends with a number so that the seats of an event could be split over several items. */
export const seatsKey = (event: EventKey): Key => keyOf("seats", event);

export const readSeats = async (event: EventKey, consistency: Consistency) =>
  getItem<Seats>(seatsKey(event), consistency);

/**
 * The seats of a new event.
 * @param counted the questions whose choices are counted
 * @param recreated the line may contain places of an earlier generation
 */
export const emptySeats = (settings: SeatSettings, counted: readonly string[], recreated: boolean): Seats => ({
  ...settings,
  ...zeroCounters,
  ...zeroPartnerCounters,
  ...(settings.allotmentCapacity !== undefined && zeroAllotment),
  recreated,
  gate: "direct",
  choiceHolders: Object.fromEntries(counted.map((question) => [question, {}])),
});

/** Stores the seats of a new event. Refused when an event with the same id and year exists. */
export const putSeats = (event: EventKey, seats: Seats): TransactItem =>
  putIf(
    { ...seatsKey(event), ...seats },
    {
      ConditionExpression: "attribute_not_exists(PK) OR #state = :deleted",
      ExpressionAttributeNames: { "#state": "state" },
      ExpressionAttributeValues: { ":deleted": "DELETED" },
    },
  );

/** All settings but the generation, which never changes. */
const adjusted = [
  "termsVersion",
  "capacity",
  "partnerCapacity",
  "state",
  "mode",
  "mustPay",
  "opensAt",
  "deadline",
  "startsAt",
  "choiceLimits",
] as const satisfies readonly (keyof SeatSettings)[];

/** Whom a change of the event is allowed without: people with a seat or an application, or partners with seats of their own. */
export type OnlyWithout = "anybody" | "partners' seats" | undefined;

const noPartners = "(attribute_not_exists(partnerSeats) OR partnerSeats = :none)";
const noAllotment = "(attribute_not_exists(allotmentSeats) OR allotmentSeats = :none)";
const conditions = {
  anybody: `seats = :none AND applicants = :none AND ${noPartners} AND ${noAllotment}`,
  "partners' seats": noPartners,
} as const;
const without = (whom: OnlyWithout) => (whom ? ` AND ${conditions[whom]}` : "");

/**
 * Updates the seats after a change of the event. No person loses a seat, and the allotment keeps those that are taken. A newly
 * counted question gets an empty map; existing counters stay.
 */
export function adjustSeats(
  event: EventKey,
  settings: SeatSettings,
  choices: { readonly counted: ChoiceHolders; readonly questions: readonly string[] },
  onlyWithout: OnlyWithout,
): TransactItem {
  const added = choices.questions.filter((question) => !choices.counted[question]);
  const { allotmentCapacity } = settings;
  const allotted = "(attribute_not_exists(allotmentSeats) OR allotmentSeats <= :allotment)";
  const set = [
    ...adjusted.map((name) => `#${name} = :${name}`),
    "partnerSeats = if_not_exists(partnerSeats, :zero)",
    ...(allotmentCapacity === undefined
      ? []
      : ["allotmentCapacity = :allotment", "allotmentSeats = if_not_exists(allotmentSeats, :zero)"]),
    ...added.map((_, n) => `choiceHolders.#q${n} = if_not_exists(choiceHolders.#q${n}, :noHolders)`),
  ];
  return updateIf(seatsKey(event), {
    UpdateExpression: `SET ${set.join(", ")}${allotmentCapacity === undefined ? " REMOVE allotmentCapacity" : ""}`,
    ConditionExpression: `generation = :generation AND #state <> :DELETED AND ${allotted}${without(onlyWithout)}`,
    ExpressionAttributeNames: {
      ...Object.fromEntries(adjusted.map((name) => [`#${name}`, name])),
      ...Object.fromEntries(added.map((question, n) => [`#q${n}`, question])),
    },
    ExpressionAttributeValues: {
      ":generation": settings.generation,
      ...Object.fromEntries(adjusted.map((name) => [`:${name}`, settings[name]])),
      ":DELETED": "DELETED",
      ":zero": 0,
      ":allotment": allotmentCapacity ?? 0,
      ...(onlyWithout && { ":none": 0 }),
      ...(added.length > 0 && { ":noHolders": {} }),
    },
  });
}

/**
 * Marks the seats of a deleted event: no more seats are allocated, and a person who joins the line afterwards is removed
 * from it.
 * @param onlyIfEmpty requires that no person holds a seat or has applied
 */
export const markSeatsDeleted = (event: EventKey, generation: string, onlyIfEmpty: boolean): TransactItem =>
  updateIf(seatsKey(event), {
    UpdateExpression: "SET #state = :DELETED",
    ConditionExpression: `generation = :generation${without(onlyIfEmpty ? "anybody" : undefined)}`,
    ExpressionAttributeNames: { "#state": "state" },
    ExpressionAttributeValues: {
      ":generation": generation,
      ":DELETED": "DELETED",
      ...(onlyIfEmpty && { ":none": 0 }),
    },
  });
