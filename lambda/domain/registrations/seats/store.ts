/** The seats of an event: one small hot item, and every transaction member that moves it. */

import type { EventKey } from "#domain/events/event.ts";
import { type Consistency, getItem, type Key, type TransactItem, tableName, writeIf } from "#kit/table.ts";
import { choiceParts, join, newQuestionParts, nothing, type Parts, passedOverParts } from "./choice-expressions.ts";
import { type Choices, type Counters, type FullChoice, gates, type SeatSettings, type Seats } from "./seats.ts";

/** The key names the pool: a rush can later be split over several. */
export const seatsKey = ({ id, year }: EventKey): Key => ({ PK: `SEAT#${id}#${year}#00`, SK: "POOL" });

export const readSeats = (event: EventKey, consistency: Consistency) => getItem<Seats>(seatsKey(event), consistency);

/** The seats of a new event. An earlier event of the same id and year must have been deleted. */
export const putSeats = (event: EventKey, seats: Seats): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: { ...seatsKey(event), ...seats },
    ConditionExpression: "attribute_not_exists(PK) OR #state = :deleted",
    ExpressionAttributeNames: { "#state": "state" },
    ExpressionAttributeValues: { ":deleted": "DELETED" },
  },
});

const stateName = { "#state": "state" };
const modeName = { "#mode": "mode" };

const noneRegistered = "seats = :none AND applicants = :none";

/**
 * Makes the seats follow a changed event. Who holds one keeps it.
 * @param onlyIfEmpty demands that nobody holds a seat or has applied
 */
export function adjustSeats(
  event: EventKey,
  settings: SeatSettings,
  choices: { readonly counted: Seats["taken"]; readonly questions: readonly string[] },
  onlyIfEmpty: boolean,
): TransactItem {
  const { incarnation, cfg, cap, state, mode, pays, deadline, startsAt, choiceCaps } = settings;
  const added = newQuestionParts(choices.counted, choices.questions);
  const set = [
    "cfg = :cfg, cap = :cap, #state = :state, #mode = :mode, pays = :pays",
    "deadline = :deadline, startsAt = :startsAt, choiceCaps = :choiceCaps",
    ...added.set,
  ];
  return {
    Update: {
      TableName: tableName,
      Key: seatsKey(event),
      UpdateExpression: `SET ${set.join(", ")}`,
      ConditionExpression: `incarnation = :incarnation AND #state <> :DELETED${onlyIfEmpty ? ` AND ${noneRegistered}` : ""}`,
      ExpressionAttributeNames: { ...stateName, ...modeName, ...added.names },
      ExpressionAttributeValues: {
        ":incarnation": incarnation,
        ":cfg": cfg,
        ":cap": cap,
        ":state": state,
        ":mode": mode,
        ":pays": pays,
        ":deadline": deadline,
        ":startsAt": startsAt,
        ":choiceCaps": choiceCaps,
        ":DELETED": "DELETED",
        ...(onlyIfEmpty && { ":none": 0 }),
        ...added.values,
      },
    },
  };
}

/** No seat is given any more, and who joins the line is sent away. */
export const markSeatsDeleted = (event: EventKey, incarnation: string, onlyIfEmpty: boolean): TransactItem => ({
  Update: {
    TableName: tableName,
    Key: seatsKey(event),
    UpdateExpression: "SET #state = :DELETED",
    ConditionExpression: `incarnation = :incarnation${onlyIfEmpty ? ` AND ${noneRegistered}` : ""}`,
    ExpressionAttributeNames: stateName,
    ExpressionAttributeValues: {
      ":incarnation": incarnation,
      ":DELETED": "DELETED",
      ...(onlyIfEmpty && { ":none": 0 }),
    },
  },
});

/** By how much a change of registrations moves the counters. */
export type CounterChanges = Partial<Counters> & { readonly seats?: number };

/** One update of the seats item. A failed one answers with the item as it is. */
function updateSeats(event: EventKey, counters: CounterChanges, condition: string, parts: Parts): TransactItem<Seats> {
  const changed = Object.entries({ seats: 0, ...counters }).filter(([name, by]) => name === "seats" || by !== 0);
  const set = parts.set.length > 0 ? `SET ${parts.set.join(", ")} ` : "";
  return {
    Update: {
      TableName: tableName,
      Key: seatsKey(event),
      UpdateExpression: `${set}ADD ${changed.map(([name]) => `${name} :${name}`).join(", ")}`,
      ConditionExpression: [condition, ...parts.demand].join(" AND "),
      ...(Object.keys(parts.names).length > 0 && { ExpressionAttributeNames: parts.names }),
      ExpressionAttributeValues: {
        ...parts.values,
        ...Object.fromEntries(changed.map(([name, by]) => [`:${name}`, by])),
      },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    },
  };
}

/** Who takes or leaves a seat, as far as the counters care. */
export interface Holder {
  readonly choices: Choices;
  readonly counters: CounterChanges;
}

/** The event as it was when the decision to seat somebody was made. */
type Decided = Pick<Seats, "incarnation" | "cfg">;

/** How a newcomer comes to a seat: `direct` while nobody has had to wait, else as the next in line. */
export type Turn =
  | { readonly kind: "direct" }
  | {
      readonly kind: "next";
      /** Choices of the people ahead who cannot take the seat, and the counters that say so. */
      readonly passedOver: readonly FullChoice[];
      readonly counted: Seats["taken"];
    };

const turnParts = (turn: Turn): Parts =>
  turn.kind === "next"
    ? passedOverParts(turn.passedOver, turn.counted)
    : { ...nothing, demand: ["gate = :direct"], values: { ":direct": gates.direct } };

/**
 * A newcomer takes a seat: below the capacity, before the deadline, under the configuration that the decision was made
 * on, and without overtaking anybody who could take it.
 */
export function takeSeat(
  event: EventKey,
  decided: Decided,
  newcomer: Holder,
  turn: Turn,
  now: number,
): TransactItem<Seats> {
  const condition = "incarnation = :incarnation AND cfg = :cfg AND seats < cap AND #state = :OPEN AND deadline > :now";
  return updateSeats(
    event,
    newcomer.counters,
    condition,
    join(turnParts(turn), choiceParts([newcomer.choices], []), {
      ...nothing,
      names: stateName,
      values: { ":incarnation": decided.incarnation, ":cfg": decided.cfg, ":OPEN": "OPEN", ":now": now },
    }),
  );
}

/** The same by an admin, who may do so after the deadline and in a completed event, but never above the capacity. */
export function takeSeatByAdmin(event: EventKey, decided: Decided, newcomer: Holder, turn: Turn): TransactItem<Seats> {
  const condition = "incarnation = :incarnation AND cfg = :cfg AND seats < cap AND #state <> :DELETED";
  return updateSeats(
    event,
    newcomer.counters,
    condition,
    join(turnParts(turn), choiceParts([newcomer.choices], []), {
      ...nothing,
      names: stateName,
      values: { ":incarnation": decided.incarnation, ":cfg": decided.cfg, ":DELETED": "DELETED" },
    }),
  );
}

/** Somebody applies: their application takes no seat, but it comes in only while there are some. */
export const applyForSeat = (event: EventKey, decided: Decided, applicant: Holder, now: number): TransactItem<Seats> =>
  updateSeats(
    event,
    applicant.counters,
    "incarnation = :incarnation AND cfg = :cfg AND seats < cap AND #state = :OPEN AND deadline > :now",
    {
      ...nothing,
      names: stateName,
      values: { ":incarnation": decided.incarnation, ":cfg": decided.cfg, ":OPEN": "OPEN", ":now": now },
    },
  );

/** The same by an admin, who may do so after the deadline and in a completed event. */
export const applyForSeatByAdmin = (event: EventKey, decided: Decided, applicant: Holder): TransactItem<Seats> =>
  updateSeats(
    event,
    applicant.counters,
    "incarnation = :incarnation AND cfg = :cfg AND seats < cap AND #state <> :DELETED",
    {
      ...nothing,
      names: stateName,
      values: { ":incarnation": decided.incarnation, ":cfg": decided.cfg, ":DELETED": "DELETED" },
    },
  );

/**
 * An admin's decision gives somebody a seat, whoever waits: never above the capacity, and under the configuration that
 * the decision was made on.
 */
export const grantSeat = (event: EventKey, decided: Decided, before: Holder, after: Holder): TransactItem<Seats> =>
  updateSeats(
    event,
    sumCounters([negated(before.counters), after.counters]),
    "incarnation = :incarnation AND cfg = :cfg AND seats < cap AND #state <> :DELETED",
    join(choiceParts([after.choices], [before.choices]), {
      ...nothing,
      names: stateName,
      values: { ":incarnation": decided.incarnation, ":cfg": decided.cfg, ":DELETED": "DELETED" },
    }),
  );

/** A payment that comes late takes a seat, as a newcomer would: without overtaking anybody who could take it. */
export const takeSeatLate = (
  event: EventKey,
  incarnation: string,
  holder: Holder,
  turn: Turn,
  now: number,
): TransactItem<Seats> =>
  updateSeats(
    event,
    holder.counters,
    "incarnation = :incarnation AND seats < cap AND #state = :OPEN AND startsAt > :now",
    join(turnParts(turn), choiceParts([holder.choices], []), {
      ...nothing,
      names: stateName,
      values: { ":incarnation": incarnation, ":OPEN": "OPEN", ":now": now },
    }),
  );

/** The choices that are not the same in `others`: a choice that is kept is not asked for room again. */
const without = (choices: Choices, others: Choices): Choices =>
  Object.fromEntries(Object.entries(choices).filter(([question, choice]) => others[question] !== choice));

/** What a recount demands of the event besides being the one that the registration belongs to. */
export interface RecountDemands {
  /** The configuration that the decision was made on, where it makes a difference. */
  readonly cfg?: number | undefined;
  /** The event must not be deleted. Clearing up and settling go on after that. */
  readonly mustExist?: boolean;
}

/**
 * A registration stays, in another state or with other choices: one seat before, one after, or none before and after.
 */
export function recount(
  event: EventKey,
  incarnation: string,
  before: Holder,
  after: Holder,
  { cfg, mustExist = false }: RecountDemands = {},
): TransactItem<Seats> {
  const demand = [...(cfg === undefined ? [] : ["cfg = :cfg"]), ...(mustExist ? ["#state <> :DELETED"] : [])];
  return updateSeats(
    event,
    sumCounters([negated(before.counters), after.counters]),
    "incarnation = :incarnation",
    join(choiceParts([without(after.choices, before.choices)], [without(before.choices, after.choices)]), {
      set: [],
      demand,
      names: mustExist ? stateName : {},
      values: {
        ":incarnation": incarnation,
        ...(cfg !== undefined && { ":cfg": cfg }),
        ...(mustExist && { ":DELETED": "DELETED" }),
      },
    }),
  );
}

/** Waiters take free seats, in the order of the line as it was read. */
export function seatWaiters(
  event: EventKey,
  seats: Seats,
  waiters: readonly Holder[],
  passedOver: readonly FullChoice[],
  now: number,
): TransactItem<Seats> {
  const condition =
    "incarnation = :incarnation AND cfg = :cfg AND cap = :cap AND seats <= :room AND #state = :OPEN AND startsAt > :now";
  return updateSeats(
    event,
    sumCounters(waiters.map(({ counters }) => counters)),
    condition,
    join(
      choiceParts(
        waiters.map(({ choices }) => choices),
        [],
        seats.choiceCaps,
      ),
      passedOverParts(passedOver, seats.taken),
      {
        ...nothing,
        names: stateName,
        values: {
          ":incarnation": seats.incarnation,
          ":cfg": seats.cfg,
          ":cap": seats.cap,
          ":room": seats.cap - waiters.length,
          ":OPEN": "OPEN",
          ":now": now,
        },
      },
    ),
  );
}

/**
 * Somebody leaves and a waiter takes over: the seat is never visible as free. Not above the capacity: then the seat
 * ceases to exist.
 * @param decided without `cfg` if the waiter is next under any configuration of a free event: the head of the line,
 * without choices
 */
export function swapSeat(
  event: EventKey,
  { incarnation, cfg }: Pick<Decided, "incarnation"> & Partial<Pick<Decided, "cfg">>,
  leaver: Holder,
  heir: Holder,
  { passedOver, counted }: Pick<Extract<Turn, { kind: "next" }>, "passedOver" | "counted">,
  now: number,
): TransactItem<Seats> {
  const condition = "incarnation = :incarnation AND seats <= cap AND #state = :OPEN AND startsAt > :now";
  const demand = cfg === undefined ? "#mode = :free" : "cfg = :cfg";
  return updateSeats(
    event,
    sumCounters([negated(leaver.counters), heir.counters]),
    condition,
    join(choiceParts([heir.choices], [leaver.choices]), passedOverParts(passedOver.map(asBefore(leaver)), counted), {
      ...nothing,
      names: cfg === undefined ? { ...stateName, ...modeName } : stateName,
      demand: [demand],
      values: {
        ":incarnation": incarnation,
        ":OPEN": "OPEN",
        ":now": now,
        ...(cfg === undefined ? { ":free": "free" } : { ":cfg": cfg }),
      },
    }),
  );
}

/** People were passed over although the leaver's choice is counted no more; the item still counts it. */
const asBefore =
  ({ choices }: Holder) =>
  (full: FullChoice): FullChoice =>
    choices[full.question] === full.choice ? { ...full, taken: full.taken + 1 } : full;

/** Somebody leaves; whatever the event's state, the seat is free. */
export const releaseSeat = (event: EventKey, incarnation: string, leaver: Holder): TransactItem<Seats> =>
  updateSeats(
    event,
    negated(leaver.counters),
    "incarnation = :incarnation",
    join(choiceParts([], [leaver.choices]), { ...nothing, values: { ":incarnation": incarnation } }),
  );

/** The same by the person, who may do so only until the event starts. */
export const releaseOwnSeat = (
  event: EventKey,
  incarnation: string,
  leaver: Holder,
  now: number,
): TransactItem<Seats> =>
  updateSeats(
    event,
    negated(leaver.counters),
    "incarnation = :incarnation AND startsAt > :now",
    join(choiceParts([], [leaver.choices]), { ...nothing, values: { ":incarnation": incarnation, ":now": now } }),
  );

const sumCounters = (changes: readonly CounterChanges[]): CounterChanges => {
  const sum: Record<string, number> = {};
  for (const change of changes) {
    for (const [name, by] of Object.entries(change)) sum[name] = (sum[name] ?? 0) + by;
  }
  return sum;
};

const negated = (changes: CounterChanges): CounterChanges =>
  Object.fromEntries(Object.entries(changes).map(([name, by]) => [name, -by]));

/** From now on newcomers wait. Does nothing when a seat has become free meanwhile. */
export async function closeGate(event: EventKey): Promise<void> {
  await writeIf({
    Key: seatsKey(event),
    UpdateExpression: "SET gate = :queued",
    ConditionExpression: "gate = :direct AND seats >= cap",
    ExpressionAttributeValues: { ":direct": gates.direct, ":queued": gates.queued },
  });
}
