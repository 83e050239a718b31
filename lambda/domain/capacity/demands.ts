/**
 * What each claim demands of the seats, as one table, and the one update of the seats item that is made of it
 * (`docs/design.md`, "The capacity protocol"). Every transaction that changes a seat has exactly one such member.
 */
import { type TransactItem, updateIf, writeIf } from "#kit/table.ts";
import type { FullChoice, Turn } from "./allocate.ts";
import {
  type ChoiceHolders,
  type Choices,
  type CounterChanges,
  type EventKey,
  type Holder,
  noLimit,
  type Seats,
  seatsKey,
} from "./seats.ts";

/** The conditions of a claim, besides the generation of the event. */
interface Demands {
  /** The terms version is the one that the decision was made on. */
  readonly terms?: true;
  /**
   * `forAll`: a seat is free for each person who joins. `notOver`: no more seats are taken than the capacity, so a seat
   * may pass on.
   */
  readonly free?: "forAll" | "notOver";
  /** `open`: neither closed nor deleted. `exists`: not deleted. */
  readonly state?: "open" | "exists";
  readonly before?: "deadline" | "start";
  /** A choice that stays needs no room again. Else each choice of a person who joins needs room. */
  readonly keepsChoices?: true;
  /** What the allocation gave as the reason that it is this person's turn. */
  readonly turn?: true;
  /** The gate is queued from now on. */
  readonly queues?: true;
}

/** All claims. A row of the first group gives a seat, or refuses an application because no seat is free. */
export const claims = {
  newcomer: { terms: true, free: "forAll", state: "open", before: "deadline", turn: true },
  newcomerByAdmin: { terms: true, free: "forAll", state: "exists", turn: true },
  /** An application takes no seat, but it is refused when no seat is free. */
  applicant: { terms: true, free: "forAll", state: "open", before: "deadline" },
  applicantByAdmin: { terms: true, free: "forAll", state: "exists" },
  line: { terms: true, free: "forAll", state: "open", before: "start", turn: true },
  heir: { terms: true, free: "notOver", state: "open", before: "start", turn: true },
  latePayment: { terms: true, free: "forAll", state: "open", before: "start", turn: true },
  /** An admin's decision gives a seat past the people who wait. */
  decision: { terms: true, free: "forAll", state: "exists" },

  /**
   * The first person who joins the line: from now on newcomers join it too. It demands nothing, because a person who has
   * joined the line looks at the seats again.
   */
  wait: { queues: true },
  /** Another state or other choices; the number of seats stays. */
  recount: { state: "exists", keepsChoices: true },
  /** As `recount`, for a move that depends on the price. */
  recountUnderTerms: { terms: true, state: "exists", keepsChoices: true },
  /** As `recount`, for payments and for ends without a seat, which a deleted event has too. */
  recountAlways: { keepsChoices: true },
  /** A seat becomes free, in every state of the event. */
  release: {},
  /** By the person, who may leave only until the event starts. */
  releaseOwn: { before: "start" },
} as const satisfies Readonly<Record<string, Demands>>;

export type ClaimName = keyof typeof claims;

/** The seats as the decision read them. */
type Decided = Pick<Seats, "generation"> & Partial<Pick<Seats, "termsVersion" | "capacity" | "choiceLimits">>;

export interface SeatsChange {
  readonly decided: Decided;
  readonly leaving?: readonly Holder[];
  readonly joining?: readonly Holder[];
  readonly turn?: Turn;
  /** Epoch milliseconds; needed by claims that end with the deadline or the start. */
  readonly now?: number;
}

/** Reserved words of DynamoDB. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ReservedWords.html */
const reserved = { "#state": "state", "#capacity": "capacity" };

/**
 * The transaction member that changes the seats of an event for people who leave or join. Refused when a demand of the
 * claim does not hold; the refusal shows the item as it is.
 */
export function changeSeats(event: EventKey, claim: ClaimName, change: SeatsChange): TransactItem<Seats> {
  const demands: Demands = claims[claim];
  const { leaving = [], joining = [], turn } = change;
  const counters = sum([
    ...leaving.map(({ counters }) => negated(counters)),
    ...joining.map(({ counters }) => counters),
  ]);
  const counted = Object.entries({ seats: 0, ...counters }).filter(([name, by]) => name === "seats" || by !== 0);
  const choices = demands.keepsChoices
    ? choiceParts([different(joining, leaving)], [different(leaving, joining)])
    : choiceParts(choicesOf(joining), choicesOf(leaving), change.decided.choiceLimits);
  const { demand, set, names, values } = join(
    seatParts(demands, change),
    choices,
    demands.turn ? turnParts(turn) : nothing,
    demands.queues ? { ...nothing, set: ["gate = :queued"], values: { ":queued": "queued" } } : nothing,
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
 * Queues a direct gate although seats are free, because many people come at once. One update for a whole crowd: a
 * transaction would be one more that contends for the seats. It is right at any time, and the service never undoes it.
 */
export const queueCrowd = (event: EventKey): Promise<boolean> =>
  writeIf({
    Key: seatsKey(event),
    UpdateExpression: "SET gate = :queued",
    ConditionExpression: "gate = :direct",
    ExpressionAttributeValues: { ":direct": "direct", ":queued": "queued" },
  });

/** Parts of an update of the seats: assignments, conditions, and the placeholders of both. */
export interface Parts {
  readonly set: readonly string[];
  readonly demand: readonly string[];
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

export const nothing: Parts = { set: [], demand: [], names: {}, values: {} };

export const join = (...parts: Parts[]): Parts => ({
  set: parts.flatMap(({ set }) => set),
  demand: parts.flatMap(({ demand }) => demand),
  names: Object.assign({}, ...parts.map(({ names }) => names)),
  values: Object.assign({}, ...parts.map(({ values }) => values)),
});

const demanding = (demand: string, values: Parts["values"] = {}): Parts => ({ ...nothing, demand: [demand], values });

/** The conditions on the seats themselves. */
function seatParts({ terms, free, state, before }: Demands, { decided, joining = [], now }: SeatsChange): Parts {
  const { generation, termsVersion, capacity = noLimit } = decided;
  return join(
    demanding("generation = :generation", { ":generation": generation }),
    terms ? demanding("termsVersion = :termsVersion", { ":termsVersion": termsVersion }) : nothing,
    free === "forAll" ? freeFor(joining.length, capacity) : nothing,
    free === "notOver" ? demanding("seats <= #capacity") : nothing,
    state === "open" ? demanding("#state = :OPEN", { ":OPEN": "OPEN" }) : nothing,
    state === "exists" ? demanding("#state <> :DELETED", { ":DELETED": "DELETED" }) : nothing,
    before === "deadline" ? demanding("deadline > :now", { ":now": now }) : nothing,
    before === "start" ? demanding("startsAt > :now", { ":now": now }) : nothing,
  );
}

/** A condition cannot add numbers, so for several people it compares with the capacity that was read. */
const freeFor = (people: number, capacity: number): Parts =>
  people === 1
    ? demanding("seats < #capacity")
    : demanding("#capacity = :capacity AND seats <= :room", { ":capacity": capacity, ":room": capacity - people });

const turnParts = (turn: Turn | undefined): Parts =>
  turn?.kind === "direct"
    ? demanding("gate = :direct", { ":direct": "direct" })
    : passedOverParts(turn?.passedOver ?? [], turn?.counted);

/** A choice whose number of holders may change. `by` is the change; `gains`: at least one person joins the choice. */
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
 * Changes the choice counters. Every choice that gains a holder must have room. Question ids and choices are texts that
 * people wrote, so an expression can name them only by placeholders. It stays within DynamoDB's limits for up to
 * `maxChoicesAtOnce` different choices.
 * @param limits the limits as they were read; needed when several people join the same choice
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
 * One condition replaces more conditions than this, because an expression has at most 4,096 bytes and 300 operators.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
const maxDemands = 30;

/** The strictest demand for each choice. A demand for 0 holders is left out, because it is always true. */
function strictest(passedOver: readonly FullChoice[]): FullChoice[] {
  const byChoice = new Map<string, FullChoice>();
  for (const full of passedOver) {
    const key = JSON.stringify([full.question, full.choice]);
    if (full.holders > (byChoice.get(key)?.holders ?? 0)) byChoice.set(key, full);
  }
  return [...byChoice.values()];
}

/**
 * Demands that the choices of the people who were passed over still have at least the holders that were read. Each
 * choice has one demand, also if many people wait for it. If there are too many demands, all counters must be as read.
 * @param counted the counters as they were read
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

/** The choices of one person that differ from those of the same person before or after. */
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
