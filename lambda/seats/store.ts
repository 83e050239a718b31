/** Keys, items and transaction members of an event's seats and of its line. */
import { countItems, getItem, type Key, queryOnce, type TransactItem, tableName, writeIf } from "#kit/table.ts";
import type { EventKey } from "../events/event.ts";
import {
  type Choices,
  type Counters,
  type FullChoice,
  incarnationStart,
  noLimit,
  type Place,
  type SeatSettings,
  type Seats,
} from "./seats.ts";

/** The key names the pool: a rush can later be split over several. */
export const seatsKey = ({ id, year }: EventKey): Key => ({ PK: `SEAT#${id}#${year}#00`, SK: "POOL" });
const linePartition = ({ id, year }: EventKey): string => `WAIT#${id}#${year}`;
const placeKey = (event: EventKey, waitKey: string): Key => ({ PK: linePartition(event), SK: waitKey });

export const readSeats = (event: EventKey, consistency: "eventual" | "strong") =>
  getItem<Seats>(seatsKey(event), consistency);

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

/** Parts of an update of the seats: what it sets, what it demands, and the placeholders both use. */
interface Parts {
  readonly set: readonly string[];
  readonly demand: readonly string[];
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

const nothing: Parts = { set: [], demand: [], names: {}, values: {} };

const join = (...parts: Parts[]): Parts => ({
  set: parts.flatMap(({ set }) => set),
  demand: parts.flatMap(({ demand }) => demand),
  names: Object.assign({}, ...parts.map(({ names }) => names)),
  values: Object.assign({}, ...parts.map(({ values }) => values)),
});

/** Counters for choices that are offered for the first time; those that exist are left alone. */
function newChoiceParts(counted: Seats["taken"], wanted: Seats["taken"]): Parts {
  const parts = Object.entries(wanted).map(([question, choices], index): Parts => {
    const names = { [`#nq${index}`]: question };
    if (!counted[question]) {
      return {
        set: [`taken.#nq${index} = if_not_exists(taken.#nq${index}, :zeroes${index})`],
        demand: [],
        names,
        values: { [`:zeroes${index}`]: choices },
      };
    }
    const added = Object.keys(choices).filter((choice) => counted[question]?.[choice] === undefined);
    const path = (n: number) => `taken.#nq${index}.#nc${index}x${n}`;
    return {
      set: added.map((_, n) => `${path(n)} = if_not_exists(${path(n)}, :zero)`),
      demand: [],
      names: added.length > 0 ? { ...names, ...Object.fromEntries(added.map((c, n) => [`#nc${index}x${n}`, c])) } : {},
      values: added.length > 0 ? { ":zero": 0 } : {},
    };
  });
  return join(nothing, ...parts);
}

const noneRegistered = "seats = :none AND applicants = :none";

/**
 * Makes the seats follow a changed event. Who holds one keeps it.
 * @param onlyIfEmpty demands that nobody holds a seat or has applied
 */
export function adjustSeats(
  event: EventKey,
  settings: SeatSettings,
  choices: { readonly counted: Seats["taken"]; readonly wanted: Seats["taken"] },
  onlyIfEmpty: boolean,
): TransactItem {
  const { incarnation, cfg, cap, state, mode, deadline, startsAt, choiceCaps } = settings;
  const added = newChoiceParts(choices.counted, choices.wanted);
  const set = [
    "cfg = :cfg, cap = :cap, #state = :state, #mode = :mode",
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

/** Which choices gain or lose a holder, and by how many. */
function choiceChanges(joining: readonly Choices[], leaving: readonly Choices[]) {
  const changes = new Map<string, { question: string; choice: string; by: number; gains: boolean }>();
  const add = (choices: Choices, by: 1 | -1) => {
    for (const [question, choice] of Object.entries(choices)) {
      const key = JSON.stringify([question, choice]);
      const change = changes.get(key) ?? { question, choice, by: 0, gains: false };
      changes.set(key, { ...change, by: change.by + by, gains: change.gains || by > 0 });
    }
  };
  for (const choices of joining) add(choices, +1);
  for (const choices of leaving) add(choices, -1);
  return [...changes.values()];
}

/** Moves the choice counters. Every choice that gains a holder must have room for it. */
function choiceParts(
  joining: readonly Choices[],
  leaving: readonly Choices[],
  choiceCaps?: Seats["choiceCaps"],
): Parts {
  const parts = choiceChanges(joining, leaving).map(({ question, choice, by, gains }, index): Parts => {
    const taken = `taken.#q${index}.#c${index}`;
    const cap = `choiceCaps.#q${index}`;
    // An expression cannot add: one more holder fits below the cap, none more at it, several below a number.
    const fits = by > 1 ? `${taken} <= :fits${index}` : `${taken} ${by === 1 ? "<" : "<="} ${cap}`;
    return {
      set: by === 0 ? [] : [`${taken} = ${taken} + :by${index}`],
      demand: gains ? [`(attribute_not_exists(${cap}) OR ${fits})`] : [],
      names: { [`#q${index}`]: question, [`#c${index}`]: choice },
      values: {
        ...(by !== 0 && { [`:by${index}`]: by }),
        ...(by > 1 && { [`:fits${index}`]: (choiceCaps?.[question] ?? noLimit) - by }),
      },
    };
  });
  return join(nothing, ...parts);
}

/** Demands that the choices of people who were passed over are as full as they were found. */
const passedOverParts = (passedOver: readonly FullChoice[]): Parts =>
  join(
    nothing,
    ...passedOver.map(({ question, choice, taken }, index) => ({
      set: [],
      demand: [`taken.#pq${index}.#pc${index} >= :pt${index}`],
      names: { [`#pq${index}`]: question, [`#pc${index}`]: choice },
      values: { [`:pt${index}`]: taken },
    })),
  );

/** One update of the seats item. A failed one answers with the item as it is. */
function updateSeats(event: EventKey, counters: CounterChanges, condition: string, parts: Parts): TransactItem {
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

/**
 * A newcomer takes a seat: only while nobody has had to wait, below the capacity, before the deadline, and under the
 * configuration that the decision was made on.
 */
export function takeSeat(event: EventKey, decided: Decided, newcomer: Holder, now: number): TransactItem {
  const condition =
    "incarnation = :incarnation AND cfg = :cfg AND gate = :open AND seats < cap AND #state = :OPEN AND deadline > :now";
  return updateSeats(
    event,
    newcomer.counters,
    condition,
    join(choiceParts([newcomer.choices], []), {
      ...nothing,
      names: stateName,
      values: { ":incarnation": decided.incarnation, ":cfg": decided.cfg, ":open": "O", ":OPEN": "OPEN", ":now": now },
    }),
  );
}

/** The same by an admin, who may do so after the deadline and in a completed event, but never above the capacity. */
export function takeSeatByAdmin(event: EventKey, decided: Decided, newcomer: Holder): TransactItem {
  const condition = "incarnation = :incarnation AND cfg = :cfg AND gate = :open AND seats < cap AND #state <> :DELETED";
  return updateSeats(
    event,
    newcomer.counters,
    condition,
    join(choiceParts([newcomer.choices], []), {
      ...nothing,
      names: stateName,
      values: { ":incarnation": decided.incarnation, ":cfg": decided.cfg, ":open": "O", ":DELETED": "DELETED" },
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
): TransactItem {
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
      passedOverParts(passedOver),
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
 */
export function swapSeat(
  event: EventKey,
  incarnation: string,
  leaver: Holder,
  heir: Holder,
  passedOver: readonly FullChoice[],
  now: number,
): TransactItem {
  const condition =
    "incarnation = :incarnation AND seats <= cap AND #state = :OPEN AND #mode = :free AND startsAt > :now";
  return updateSeats(
    event,
    sumCounters([negated(leaver.counters), heir.counters]),
    condition,
    join(choiceParts([heir.choices], [leaver.choices]), passedOverParts(passedOver.map(asBefore(leaver))), {
      ...nothing,
      names: { ...stateName, ...modeName },
      values: { ":incarnation": incarnation, ":OPEN": "OPEN", ":free": "free", ":now": now },
    }),
  );
}

/** People were passed over although the leaver's choice is counted no more; the item still counts it. */
const asBefore =
  ({ choices }: Holder) =>
  (full: FullChoice): FullChoice =>
    choices[full.question] === full.choice ? { ...full, taken: full.taken + 1 } : full;

/** Somebody leaves; whatever the event's state, the seat is free. */
export const releaseSeat = (event: EventKey, incarnation: string, leaver: Holder): TransactItem =>
  updateSeats(
    event,
    negated(leaver.counters),
    "incarnation = :incarnation",
    join(choiceParts([], [leaver.choices]), { ...nothing, values: { ":incarnation": incarnation } }),
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
    UpdateExpression: "SET gate = :waiting",
    ConditionExpression: "gate = :open AND seats >= cap",
    ExpressionAttributeValues: { ":open": "O", ":waiting": "W" },
  });
}

export const joinLine = (event: EventKey, place: Place): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: { ...placeKey(event, place.waitKey), ...place },
    ConditionExpression: "attribute_not_exists(PK)",
  },
});

/** Takes somebody out of the line who is in it exactly as it was read. */
export const leaveLine = (event: EventKey, { waitKey, version }: Pick<Place, "waitKey" | "version">): TransactItem => ({
  Delete: {
    TableName: tableName,
    Key: placeKey(event, waitKey),
    ConditionExpression: "version = :version",
    ExpressionAttributeValues: { ":version": version },
  },
});

const sinceKey = (incarnation: string): string => String(incarnationStart(incarnation));

/** The line from its head, in pages, strongly consistent. Places of an earlier incarnation of the event are left out. */
export async function* readLine(event: EventKey, incarnation: string, pageSize: number): AsyncGenerator<Place[]> {
  let last: Key | undefined;
  do {
    const page = await queryOnce<Place>({
      KeyConditionExpression: "PK = :line AND SK >= :since",
      ExpressionAttributeValues: { ":line": linePartition(event), ":since": sinceKey(incarnation) },
      ConsistentRead: true,
      Limit: pageSize,
      ExclusiveStartKey: last,
    });
    yield page.items;
    last = page.last;
  } while (last);
}

/** The first place in line, of whichever incarnation; strongly consistent. */
export async function readHead(event: EventKey): Promise<Place | undefined> {
  const { items } = await queryOnce<Place>({
    KeyConditionExpression: "PK = :line",
    ExpressionAttributeValues: { ":line": linePartition(event) },
    ConsistentRead: true,
    Limit: 1,
  });
  return items[0];
}

/** Whether somebody waits for a seat of this incarnation; strongly consistent. */
export async function isAnybodyWaiting(event: EventKey, incarnation: string): Promise<boolean> {
  const { value: places } = await readLine(event, incarnation, 1).next();
  return places !== undefined && places.length > 0;
}

/** How many people stand in line up to and including this arrival: 1 is the head. */
export const positionInLine = (event: EventKey, waitKey: string, incarnation: string): Promise<number> =>
  countItems({
    KeyConditionExpression: "PK = :line AND SK BETWEEN :since AND :me",
    ExpressionAttributeValues: { ":line": linePartition(event), ":since": sinceKey(incarnation), ":me": waitKey },
    ConsistentRead: true,
  });

/** How many people wait. Without an incarnation, also those of an earlier one who have not been cleared away yet. */
export const lineLength = (event: EventKey, incarnation?: string): Promise<number> =>
  countItems({
    KeyConditionExpression: "PK = :line AND SK >= :since",
    ExpressionAttributeValues: { ":line": linePartition(event), ":since": incarnation ? sinceKey(incarnation) : "0" },
  });
