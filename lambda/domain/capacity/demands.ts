/**
 * The conditions of each claim on the seats item, as a table, and the update expression built from them
 * (`docs/design.md`, "The capacity protocol"). Every transaction that changes a seat has exactly one such member.
 */
import { type TransactItem, updateIf, writeIf } from "#kit/table/table.ts";
import type { FullChoice, Turn } from "./allocate.ts";
import {
  type ChoiceHolders,
  type Choices,
  type CounterChanges,
  type EventKey,
  type Holder,
  noLimit,
  type Pool,
  type Seats,
  seatsKey,
} from "./seats.ts";

/** The conditions of a claim, in addition to the generation of the event. */
interface Demands {
  /** The terms version is unchanged since the decision. */
  readonly terms?: true;
  /**
   * `forAll`: a seat is free for each person who joins. `notOver`: at most `capacity` seats are taken, so those of the leaver
   * may be passed on, and more are free if more people join.
   */
  readonly free?: "forAll" | "notOver";
  /** `open`: neither closed nor deleted. `exists`: not deleted. */
  readonly state?: "open" | "exists";
  /** Registration has started. */
  readonly opened?: true;
  readonly before?: "deadline" | "start";
  /** Unchanged choices need no room. Otherwise each choice of a person who joins does. */
  readonly keepsChoices?: true;
  /** The allocation's reason for this person's turn still holds. */
  readonly turn?: true;
  /** Sets the gate to queued. */
  readonly queues?: true;
}

/** All claims. Those of the first group allocate a seat, or refuse an application because no seat is free. */
export const claims = {
  newcomer: { terms: true, free: "forAll", state: "open", opened: true, before: "deadline", turn: true },
  newcomerByAdmin: { terms: true, free: "forAll", state: "exists", turn: true },
  /** An application takes no seat, but is refused when no seat is free. */
  applicant: { terms: true, free: "forAll", state: "open", opened: true, before: "deadline" },
  applicantByAdmin: { terms: true, free: "forAll", state: "exists" },
  line: { terms: true, free: "forAll", state: "open", before: "start", turn: true },
  heir: { terms: true, free: "notOver", state: "open", before: "start", turn: true },
  latePayment: { terms: true, free: "forAll", state: "open", before: "start", turn: true },
  /** An admin's decision allocates a seat regardless of the line. */
  decision: { terms: true, free: "forAll", state: "exists" },

  /**
   * The first person who joins the line: later newcomers join it too. Unconditional, because a person who has joined
   * the line reads the seats again.
   */
  wait: { queues: true },
  /** A person changes to the other pool's line, or gives up a seat for a place there. */
  regroup: { terms: true, state: "exists", queues: true },
  /** A change of state or choices that takes and frees no seat. */
  recount: { state: "exists", keepsChoices: true },
  /** As `recount`, for a move that depends on the price. */
  recountUnderTerms: { terms: true, state: "exists", keepsChoices: true },
  /** As `recount`, for payments and for registrations that end without a seat, also of a deleted event. */
  recountAlways: { keepsChoices: true },
  /** A seat goes from its person to another one. It was never free, so neither capacity nor line count. */
  transfer: { terms: true, state: "open", before: "start", keepsChoices: true },
  /** Frees a seat, in any state of the event. */
  release: {},
  /** The person cancels, which is allowed until the event starts. */
  releaseOwn: { before: "start" },
} as const satisfies Readonly<Record<string, Demands>>;

export type ClaimName = keyof typeof claims;

/** The seats as the decision read them. */
type Decided = Pick<Seats, "generation"> & Partial<Pick<Seats, "termsVersion" | "capacity" | "choiceLimits" | "pool">>;

export interface SeatsChange {
  readonly decided: Decided;
  readonly leaving?: readonly Holder[];
  readonly joining?: readonly Holder[];
  readonly turn?: Turn;
  /** How many of those who join have waited for their seat. */
  readonly promoted?: number;
  /** Epoch milliseconds; required by claims with `opened` or `before`. */
  readonly now?: number;
}

/** DynamoDB's reserved words. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ReservedWords.html */
const reserved = { "#state": "state", "#capacity": "capacity" };

/**
 * The transaction member that changes the seats of an event for people who leave or join. Refused when a condition of
 * the claim fails; the refusal returns the current item.
 */
export function changeSeats(event: EventKey, claim: ClaimName, change: SeatsChange): TransactItem<Seats> {
  const demands: Demands = claims[claim];
  const { leaving = [], joining = [], turn, promoted = 0 } = change;
  const counters = sum([
    ...leaving.map(({ counters }) => negated(counters)),
    ...joining.map(({ counters }) => counters),
  ]);
  const counted = Object.entries({ seats: 0, ...counters, promoted }).filter(
    ([name, by]) => name === "seats" || by !== 0,
  );
  const choices = demands.keepsChoices
    ? choiceParts([different(joining, leaving)], [different(leaving, joining)])
    : choiceParts(choicesOf(joining), choicesOf(leaving), change.decided.choiceLimits);
  const { demand, set, names, values } = join(
    seatParts(demands, change),
    choices,
    demands.turn ? turnParts(turn, change.decided.pool) : nothing,
    demands.queues ? queueParts(change.decided.pool) : nothing,
  );
  const condition = demand.join(" AND ");
  const used = {
    ...Object.fromEntries(Object.entries(reserved).filter(([name]) => condition.includes(name))),
    ...names,
  };
  return updateIf(seatsKey(event), {
    UpdateExpression: `${set.length > 0 ? `SET ${set.join(", ")} ` : ""}ADD ${counted.map(([name]) => `${name} :${name}`).join(", ")}`,
    ConditionExpression: condition,
    ...(Object.keys(used).length > 0 && { ExpressionAttributeNames: used }),
    ExpressionAttributeValues: { ...values, ...Object.fromEntries(counted.map(([name, by]) => [`:${name}`, by])) },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
}

/**
 * Sets a direct gate to queued although seats are free, because many people register at the same time. A single update,
 * because another transaction would contend for the seats item too. It is safe at any time and never undone.
 */
export function queueCrowd(event: EventKey, pool: Pool): Promise<boolean> {
  const { set, values } = queueParts(pool);
  const direct = isDirect(pool);
  return writeIf({
    Key: seatsKey(event),
    UpdateExpression: `SET ${set}`,
    ConditionExpression: direct.demand.join(),
    ExpressionAttributeValues: { ...values, ...direct.values },
  });
}

/** Parts of an update of the seats: assignments, conditions, and the placeholders of both. */
export interface Parts {
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

const demanding = (demand: string, values: Parts["values"] = {}): Parts => ({ ...nothing, demand: [demand], values });

/** The parts of a pool in the item. */
const attributes = {
  attendees: { seats: "seats", capacity: "#capacity", gate: "gate" },
  partners: { seats: "partnerSeats", capacity: "partnerCapacity", gate: "partnerGate" },
  allotment: { seats: "allotmentSeats", capacity: "allotmentCapacity" },
} as const;
const attributesOf = (pool: Pool) => attributes[pool ?? "attendees"];

const queueParts = (pool: Pool): Parts => ({
  ...nothing,
  set: [`${attributes[pool === "partners" ? pool : "attendees"].gate} = :queued`],
  values: { ":queued": "queued" },
});

function isDirect(pool: Pool): Parts {
  if (pool === "allotment") return nothing;
  return pool === undefined
    ? demanding("gate = :direct", { ":direct": "direct" })
    : demanding("attribute_not_exists(partnerGate)");
}

const ownSeats = ({ seats, partnerSeats, allotmentSeats }: CounterChanges): number | undefined =>
  seats ?? partnerSeats ?? allotmentSeats;

/** The seats of these people in their pool. An applicant, who has none, is refused when none is free. */
const seatsOf = (holders: readonly Holder[]): number =>
  holders.reduce((sum, { counters }) => sum + (ownSeats(counters) ?? 1), 0);

/** The conditions on the seats themselves. */
function seatParts(
  { terms, free, state, opened, before }: Demands,
  { decided, leaving = [], joining = [], now }: SeatsChange,
): Parts {
  const { generation, termsVersion, pool } = decided;
  const own = attributesOf(pool);
  const more = seatsOf(joining) - seatsOf(leaving);
  return join(
    demanding("generation = :generation", { ":generation": generation }),
    terms ? demanding("termsVersion = :termsVersion", { ":termsVersion": termsVersion }) : nothing,
    free === "forAll" ? freeFor(seatsOf(joining), decided) : nothing,
    free === "notOver" && more > 0 ? freeFor(more, decided) : nothing,
    free === "notOver" && more <= 0 ? demanding(`${own.seats} <= ${own.capacity}`) : nothing,
    state === "open" ? demanding("#state = :OPEN", { ":OPEN": "OPEN" }) : nothing,
    state === "exists" ? demanding("#state <> :DELETED", { ":DELETED": "DELETED" }) : nothing,
    opened ? demanding("(attribute_not_exists(opensAt) OR opensAt <= :now)", { ":now": now }) : nothing,
    before === "deadline" ? demanding("deadline > :now", { ":now": now }) : nothing,
    before === "start" ? demanding("startsAt > :now", { ":now": now }) : nothing,
  );
}

/** Condition expressions have no arithmetic, so for several seats it compares with the capacity that was read. */
function freeFor(wanted: number, { capacity = noLimit, pool }: Decided): Parts {
  const own = attributesOf(pool);
  // The event's capacity is that of the allotment and of the others, who may have had more of it before.
  const others = pool === "allotment" ? demanding("seats <= #capacity") : nothing;
  if (wanted === 1) return join(demanding(`${own.seats} < ${own.capacity}`), others);
  return join(
    demanding(`${own.capacity} = :capacity`, { ":capacity": capacity }),
    demanding(`${own.seats} <= :room`, { ":room": capacity - wanted }),
    others,
  );
}

function turnParts(turn: Turn | undefined, pool: Pool): Parts {
  if (turn?.kind === "direct") return isDirect(pool);
  const { passedOver = [], counted, below } = turn ?? {};
  const isTooSmall =
    below === undefined ? nothing : demanding(`${attributesOf(pool).capacity} < :below`, { ":below": below });
  return join(passedOverParts(passedOver, counted), isTooSmall);
}

/** A choice whose holders may change. `by`: the change of their number; `gains`: at least one person joins. */
interface ChoiceChange {
  readonly question: string;
  readonly choice: string;
  readonly by: number;
  readonly gains: boolean;
}

/** The choices that gain or lose a holder. */
function choiceChanges(joining: readonly Choices[], leaving: readonly Choices[]): ChoiceChange[] {
  const changes = new Map<string, ChoiceChange>();
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

/** The condition that a choice has room for `by` more holders. */
function roomDemand(holders: string, limitPath: string, by: number, index: number, limit: number): string {
  if (by > 1) {
    const fits = `${holders} <= :fits${index}`;
    return `(attribute_not_exists(${limitPath}) OR ${limit >= by ? `attribute_not_exists(${holders}) OR ${fits}` : fits})`;
  }
  return `(attribute_not_exists(${limitPath}) OR attribute_not_exists(${holders}) OR ${holders} ${by === 1 ? "<" : "<="} ${limitPath})`;
}

/**
 * Changes the choice counters. Every choice that gains a holder must have room. Question ids and choices are free text,
 * so expressions refer to them by placeholders. It stays within DynamoDB's limits for up to `maxChoicesAtOnce` different
 * choices.
 * @param limits the limits that were read; required when several people join the same choice
 */
export function choiceParts(
  joining: readonly Choices[],
  leaving: readonly Choices[],
  limits?: Seats["choiceLimits"],
): Parts {
  const parts = choiceChanges(joining, leaving).map(({ question, choice, by, gains }, index): Parts => {
    const holders = `choiceHolders.#q${index}.#c${index}`;
    const limit = limits?.[question] ?? noLimit;
    return {
      set: by === 0 ? [] : [`${holders} = if_not_exists(${holders}, :zero) + :by${index}`],
      demand: gains ? [roomDemand(holders, `choiceLimits.#q${index}`, by, index, limit)] : [],
      names: { [`#q${index}`]: question, [`#c${index}`]: choice },
      values: {
        ...(by !== 0 && { ":zero": 0, [`:by${index}`]: by }),
        ...(by > 1 && { [`:fits${index}`]: limit - by }),
      },
    };
  });
  return join(...parts);
}

/**
 * Above this number a single condition replaces them: an expression is limited to 4,096 bytes and 300 operators.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
const maxDemands = 30;

/** The strictest condition for each choice. A condition of 0 holders is omitted, because it is always true. */
function strictest(passedOver: readonly FullChoice[]): FullChoice[] {
  const byChoice = new Map<string, FullChoice>();
  for (const full of passedOver) {
    const key = JSON.stringify([full.question, full.choice]);
    if (full.holders > (byChoice.get(key)?.holders ?? 0)) byChoice.set(key, full);
  }
  return [...byChoice.values()];
}

/**
 * Requires that the choices of the people who were passed over still have at least the holders that were read: one
 * condition per choice, or above `maxDemands` one condition that all counters are unchanged.
 * @param counted the counters that were read
 */
export function passedOverParts(passedOver: readonly FullChoice[], counted: ChoiceHolders = {}): Parts {
  const demands = strictest(passedOver);
  if (demands.length > maxDemands) return demanding("choiceHolders = :counted", { ":counted": counted });
  return join(
    ...demands.map(({ question, choice, holders }, index) => ({
      set: [],
      demand: [`choiceHolders.#pq${index}.#pc${index} >= :pt${index}`],
      names: { [`#pq${index}`]: question, [`#pc${index}`]: choice },
      values: { [`:pt${index}`]: holders },
    })),
  );
}

const choicesOf = (holders: readonly Holder[]): Choices[] => holders.map(({ choices }) => choices);

/** The choices of the first holder that the second does not have. */
const different = ([one]: readonly Holder[], [other]: readonly Holder[]): Choices =>
  Object.fromEntries(
    Object.entries(one?.choices ?? {}).filter(([question, choice]) => other?.choices[question] !== choice),
  );

const sum = (changes: readonly CounterChanges[]): CounterChanges => {
  const total: Record<string, number> = {};
  for (const change of changes) {
    for (const [name, by] of Object.entries(change)) total[name] = (total[name] ?? 0) + by;
  }
  return total;
};

const negated = (changes: CounterChanges): CounterChanges =>
  Object.fromEntries(Object.entries(changes).map(([name, by]) => [name, -by]));
