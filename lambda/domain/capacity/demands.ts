/**
 * Key of the seats item, and all transaction members that change it. Their conditions are listed in `docs/design.md`,
 * "The capacity protocol".
 */

import type { EventKey } from "#domain/events/event.ts";
import { type Consistency, getItem, type Key, type TransactItem, tableName, writeIf } from "#kit/table.ts";
import { choiceParts, join, newQuestionParts, nothing, type Parts, passedOverParts } from "./choice-expressions.ts";
import type { Choices, Counters, FullChoice, SeatSettings, Seats } from "./seats.ts";

/** The key ends with a number, so that the seats of an event could later be split over several items. */
export const seatsKey = ({ id, year }: EventKey): Key => ({ PK: `SEAT#${id}#${year}#00`, SK: "POOL" });

export const readSeats = (event: EventKey, consistency: Consistency) => getItem<Seats>(seatsKey(event), consistency);

/** Puts the seats of a new event. Refused when an event of the same id and year exists. */
export const putSeats = (event: EventKey, seats: Seats): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: { ...seatsKey(event), ...seats },
    ConditionExpression: "attribute_not_exists(PK) OR #state = :deleted",
    ExpressionAttributeNames: { "#state": "state" },
    ExpressionAttributeValues: { ":deleted": "DELETED" },
  },
});

// These three are reserved words of DynamoDB.
const stateName = { "#state": "state" };
const modeName = { "#mode": "mode" };
const capacityName = { "#capacity": "capacity" };

const noneRegistered = "seats = :none AND applicants = :none";

/**
 * Changes the seats after a change of the event. No person loses a seat.
 * @param onlyIfEmpty demands that no person holds a seat or has applied
 */
export function adjustSeats(
  event: EventKey,
  settings: SeatSettings,
  choices: { readonly counted: Seats["choiceHolders"]; readonly questions: readonly string[] },
  onlyIfEmpty: boolean,
): TransactItem {
  const { generation, termsVersion, capacity, state, mode, mustPay, deadline, startsAt, choiceLimits } = settings;
  const added = newQuestionParts(choices.counted, choices.questions);
  const set = [
    "termsVersion = :termsVersion, #capacity = :capacity, #state = :state, #mode = :mode, mustPay = :mustPay",
    "deadline = :deadline, startsAt = :startsAt, choiceLimits = :choiceLimits",
    ...added.set,
  ];
  return {
    Update: {
      TableName: tableName,
      Key: seatsKey(event),
      UpdateExpression: `SET ${set.join(", ")}`,
      ConditionExpression: `generation = :generation AND #state <> :DELETED${onlyIfEmpty ? ` AND ${noneRegistered}` : ""}`,
      ExpressionAttributeNames: { ...stateName, ...modeName, ...capacityName, ...added.names },
      ExpressionAttributeValues: {
        ":generation": generation,
        ":termsVersion": termsVersion,
        ":capacity": capacity,
        ":state": state,
        ":mode": mode,
        ":mustPay": mustPay,
        ":deadline": deadline,
        ":startsAt": startsAt,
        ":choiceLimits": choiceLimits,
        ":DELETED": "DELETED",
        ...(onlyIfEmpty && { ":none": 0 }),
        ...added.values,
      },
    },
  };
}

/**
 * Marks the seats of a deleted event. No seat is given any more, and a person who joins the line afterwards leaves it
 * again.
 * @param onlyIfEmpty demands that no person holds a seat or has applied
 */
export const markSeatsDeleted = (event: EventKey, generation: string, onlyIfEmpty: boolean): TransactItem => ({
  Update: {
    TableName: tableName,
    Key: seatsKey(event),
    UpdateExpression: "SET #state = :DELETED",
    ConditionExpression: `generation = :generation${onlyIfEmpty ? ` AND ${noneRegistered}` : ""}`,
    ExpressionAttributeNames: stateName,
    ExpressionAttributeValues: {
      ":generation": generation,
      ":DELETED": "DELETED",
      ...(onlyIfEmpty && { ":none": 0 }),
    },
  },
});

/** The changes of the counters and of the seats taken. */
export type CounterChanges = Partial<Counters> & { readonly seats?: number };

/** One update of the seats item. A refusal returns the item as it is. */
function updateSeats(event: EventKey, counters: CounterChanges, condition: string, parts: Parts): TransactItem<Seats> {
  const changed = Object.entries({ seats: 0, ...counters }).filter(([name, by]) => name === "seats" || by !== 0);
  const set = parts.set.length > 0 ? `SET ${parts.set.join(", ")} ` : "";
  const names = { ...parts.names, ...(condition.includes("#capacity") && capacityName) };
  return {
    Update: {
      TableName: tableName,
      Key: seatsKey(event),
      UpdateExpression: `${set}ADD ${changed.map(([name]) => `${name} :${name}`).join(", ")}`,
      ConditionExpression: [condition, ...parts.demand].join(" AND "),
      ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
      ExpressionAttributeValues: {
        ...parts.values,
        ...Object.fromEntries(changed.map(([name, by]) => [`:${name}`, by])),
      },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    },
  };
}

/** A person who takes or leaves a seat, as the seats count this person. */
export interface Holder {
  readonly choices: Choices;
  readonly counters: CounterChanges;
}

/** Generation and terms version of the event at the time of the decision. */
type Decided = Pick<Seats, "generation" | "termsVersion">;

/** How a newcomer gets a seat: `direct` while the gate is direct, else `next`, as the next person in line. */
export type Turn =
  | { readonly kind: "direct" }
  | {
      readonly kind: "next";
      /** The full choices of the people ahead, and the counters that were read. */
      readonly passedOver: readonly FullChoice[];
      readonly counted: Seats["choiceHolders"];
    };

const turnParts = (turn: Turn): Parts =>
  turn.kind === "next"
    ? passedOverParts(turn.passedOver, turn.counted)
    : { ...nothing, demand: ["gate = :direct"], values: { ":direct": "direct" } };

/**
 * A newcomer takes a seat. Refused above the capacity, after the deadline, when the event or its terms are others than
 * at the decision, and when a person ahead may take the seat.
 */
export function takeSeat(
  event: EventKey,
  decided: Decided,
  newcomer: Holder,
  turn: Turn,
  now: number,
): TransactItem<Seats> {
  const condition =
    "generation = :generation AND termsVersion = :termsVersion AND seats < #capacity AND #state = :OPEN AND deadline > :now";
  return updateSeats(
    event,
    newcomer.counters,
    condition,
    join(turnParts(turn), choiceParts([newcomer.choices], []), {
      ...nothing,
      names: stateName,
      values: {
        ":generation": decided.generation,
        ":termsVersion": decided.termsVersion,
        ":OPEN": "OPEN",
        ":now": now,
      },
    }),
  );
}

/** As `takeSeat`, by an admin: allowed after the deadline and in a completed event, but not above the capacity. */
export function takeSeatByAdmin(event: EventKey, decided: Decided, newcomer: Holder, turn: Turn): TransactItem<Seats> {
  const condition =
    "generation = :generation AND termsVersion = :termsVersion AND seats < #capacity AND #state <> :DELETED";
  return updateSeats(
    event,
    newcomer.counters,
    condition,
    join(turnParts(turn), choiceParts([newcomer.choices], []), {
      ...nothing,
      names: stateName,
      values: { ":generation": decided.generation, ":termsVersion": decided.termsVersion, ":DELETED": "DELETED" },
    }),
  );
}

/** Counts an application. It takes no seat, but it is refused when no seat is free. */
export const applyForSeat = (event: EventKey, decided: Decided, applicant: Holder, now: number): TransactItem<Seats> =>
  updateSeats(
    event,
    applicant.counters,
    "generation = :generation AND termsVersion = :termsVersion AND seats < #capacity AND #state = :OPEN AND deadline > :now",
    {
      ...nothing,
      names: stateName,
      values: {
        ":generation": decided.generation,
        ":termsVersion": decided.termsVersion,
        ":OPEN": "OPEN",
        ":now": now,
      },
    },
  );

/** As `applyForSeat`, by an admin: allowed after the deadline and in a completed event. */
export const applyForSeatByAdmin = (event: EventKey, decided: Decided, applicant: Holder): TransactItem<Seats> =>
  updateSeats(
    event,
    applicant.counters,
    "generation = :generation AND termsVersion = :termsVersion AND seats < #capacity AND #state <> :DELETED",
    {
      ...nothing,
      names: stateName,
      values: { ":generation": decided.generation, ":termsVersion": decided.termsVersion, ":DELETED": "DELETED" },
    },
  );

/**
 * Gives a seat by an admin's decision, also past the people who wait. Refused above the capacity, and when the event or
 * its terms are others than at the decision.
 */
export const grantSeat = (event: EventKey, decided: Decided, before: Holder, after: Holder): TransactItem<Seats> =>
  updateSeats(
    event,
    sumCounters([negated(before.counters), after.counters]),
    "generation = :generation AND termsVersion = :termsVersion AND seats < #capacity AND #state <> :DELETED",
    join(choiceParts([after.choices], [before.choices]), {
      ...nothing,
      names: stateName,
      values: { ":generation": decided.generation, ":termsVersion": decided.termsVersion, ":DELETED": "DELETED" },
    }),
  );

/**
 * Takes a seat for a late payment, on the same turn as a newcomer. Refused after the start of the event, and when the
 * terms are others than at the decision: a choice that kept a person waiting may have more room now.
 */
export const takeSeatLate = (
  event: EventKey,
  decided: Decided,
  holder: Holder,
  turn: Turn,
  now: number,
): TransactItem<Seats> =>
  updateSeats(
    event,
    holder.counters,
    "generation = :generation AND termsVersion = :termsVersion AND seats < #capacity AND #state = :OPEN AND startsAt > :now",
    join(turnParts(turn), choiceParts([holder.choices], []), {
      ...nothing,
      names: stateName,
      values: {
        ":generation": decided.generation,
        ":termsVersion": decided.termsVersion,
        ":OPEN": "OPEN",
        ":now": now,
      },
    }),
  );

/** The choices that differ from `others`. A choice that stays needs no room again. */
const without = (choices: Choices, others: Choices): Choices =>
  Object.fromEntries(Object.entries(choices).filter(([question, choice]) => others[question] !== choice));

/** The demands of a recount besides the generation of the event. */
export interface RecountDemands {
  /** The terms version of the decision, if the decision depends on the terms. */
  readonly termsVersion?: number | undefined;
  /** The event must not be deleted. Removal of registrations and settling of payments do not ask for this. */
  readonly mustExist?: boolean;
}

/**
 * Changes the counters for a registration in another state or with other choices. The number of seats stays: one before
 * and after, or none before and after.
 */
export function recount(
  event: EventKey,
  generation: string,
  before: Holder,
  after: Holder,
  { termsVersion, mustExist = false }: RecountDemands = {},
): TransactItem<Seats> {
  const demand = [
    ...(termsVersion === undefined ? [] : ["termsVersion = :termsVersion"]),
    ...(mustExist ? ["#state <> :DELETED"] : []),
  ];
  return updateSeats(
    event,
    sumCounters([negated(before.counters), after.counters]),
    "generation = :generation",
    join(choiceParts([without(after.choices, before.choices)], [without(before.choices, after.choices)]), {
      set: [],
      demand,
      names: mustExist ? stateName : {},
      values: {
        ":generation": generation,
        ...(termsVersion !== undefined && { ":termsVersion": termsVersion }),
        ...(mustExist && { ":DELETED": "DELETED" }),
      },
    }),
  );
}

/** Waiting people take free seats, in the order of the line as it was read. */
export function seatWaiters(
  event: EventKey,
  seats: Seats,
  waiters: readonly Holder[],
  passedOver: readonly FullChoice[],
  now: number,
): TransactItem<Seats> {
  const condition =
    "generation = :generation AND termsVersion = :termsVersion AND #capacity = :capacity AND seats <= :room AND #state = :OPEN AND startsAt > :now";
  return updateSeats(
    event,
    sumCounters(waiters.map(({ counters }) => counters)),
    condition,
    join(
      choiceParts(
        waiters.map(({ choices }) => choices),
        [],
        seats.choiceLimits,
      ),
      passedOverParts(passedOver, seats.choiceHolders),
      {
        ...nothing,
        names: stateName,
        values: {
          ":generation": seats.generation,
          ":termsVersion": seats.termsVersion,
          ":capacity": seats.capacity,
          ":room": seats.capacity - waiters.length,
          ":OPEN": "OPEN",
          ":now": now,
        },
      },
    ),
  );
}

/**
 * A leaver's seat goes to a waiting person, and it is never free in between. Refused when more seats are taken than the
 * capacity, because then the seat must end with the leaver.
 * @param decided without `termsVersion` if the heir is next under all terms of a free event: the head of the line, without
 * choices
 */
export function swapSeat(
  event: EventKey,
  { generation, termsVersion }: Pick<Decided, "generation"> & Partial<Pick<Decided, "termsVersion">>,
  leaver: Holder,
  heir: Holder,
  { passedOver, counted }: Pick<Extract<Turn, { kind: "next" }>, "passedOver" | "counted">,
  now: number,
): TransactItem<Seats> {
  const condition = "generation = :generation AND seats <= #capacity AND #state = :OPEN AND startsAt > :now";
  const demand = termsVersion === undefined ? "#mode = :free" : "termsVersion = :termsVersion";
  return updateSeats(
    event,
    sumCounters([negated(leaver.counters), heir.counters]),
    condition,
    join(choiceParts([heir.choices], [leaver.choices]), passedOverParts(passedOver.map(asBefore(leaver)), counted), {
      ...nothing,
      names: termsVersion === undefined ? { ...stateName, ...modeName } : stateName,
      demand: [demand],
      values: {
        ":generation": generation,
        ":OPEN": "OPEN",
        ":now": now,
        ...(termsVersion === undefined ? { ":free": "free" } : { ":termsVersion": termsVersion }),
      },
    }),
  );
}

/**
 * The selection did not count the leaver's choices, but the stored item still counts them, so its number is one higher.
 */
const asBefore =
  ({ choices }: Holder) =>
  (full: FullChoice): FullChoice =>
    choices[full.question] === full.choice ? { ...full, holders: full.holders + 1 } : full;

/** A person leaves, and the seat becomes free. It works in every state of the event. */
export const releaseSeat = (event: EventKey, generation: string, leaver: Holder): TransactItem<Seats> =>
  updateSeats(
    event,
    negated(leaver.counters),
    "generation = :generation",
    join(choiceParts([], [leaver.choices]), { ...nothing, values: { ":generation": generation } }),
  );

/** As `releaseSeat`, by the person, who may leave only until the event starts. */
export const releaseOwnSeat = (event: EventKey, generation: string, leaver: Holder, now: number): TransactItem<Seats> =>
  updateSeats(
    event,
    negated(leaver.counters),
    "generation = :generation AND startsAt > :now",
    join(choiceParts([], [leaver.choices]), { ...nothing, values: { ":generation": generation, ":now": now } }),
  );

/** Makes newcomers join the line. It is right at any time while people wait, and the service never undoes it. */
export const queueNewcomers = (event: EventKey, generation: string): TransactItem<Seats> => ({
  Update: {
    TableName: tableName,
    Key: seatsKey(event),
    UpdateExpression: "SET gate = :queued",
    ConditionExpression: "generation = :generation",
    ExpressionAttributeValues: { ":queued": "queued", ":generation": generation },
  },
});

const sumCounters = (changes: readonly CounterChanges[]): CounterChanges => {
  const sum: Record<string, number> = {};
  for (const change of changes) {
    for (const [name, by] of Object.entries(change)) sum[name] = (sum[name] ?? 0) + by;
  }
  return sum;
};

const negated = (changes: CounterChanges): CounterChanges =>
  Object.fromEntries(Object.entries(changes).map(([name, by]) => [name, -by]));

/**
 * Changes the gate from direct to queued. Does nothing when a seat has become free in between.
 * @param isCrowded so many people come at once that they queue although seats are free
 */
export async function closeGate(event: EventKey, isCrowded: boolean): Promise<void> {
  await writeIf({
    Key: seatsKey(event),
    UpdateExpression: "SET gate = :queued",
    ConditionExpression: isCrowded ? "gate = :direct" : "gate = :direct AND seats >= #capacity",
    ...(!isCrowded && { ExpressionAttributeNames: capacityName }),
    ExpressionAttributeValues: { ":direct": "direct", ":queued": "queued" },
  });
}
