/**
 * Makes the parts of expressions about the choices in the seats item. Question ids and choices are texts that people
 * wrote, so an expression can name them only by placeholders. The store has the conditions on the seats themselves.
 */
import { type Choices, type FullChoice, noLimit, type Seats } from "./seats.ts";

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

/**
 * Adds an empty map of counters for each question that has none yet. A choice gets its counter with its first holder.
 * Existing counters stay.
 */
export function newQuestionParts(counted: Seats["choiceHolders"], questions: readonly string[]): Parts {
  const added = questions.filter((question) => !counted[question]);
  if (added.length === 0) return nothing;
  return {
    set: added.map((_, index) => `choiceHolders.#nq${index} = if_not_exists(choiceHolders.#nq${index}, :noHolders)`),
    demand: [],
    names: Object.fromEntries(added.map((question, index) => [`#nq${index}`, question])),
    values: { ":noHolders": {} },
  };
}

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

/**
 * The condition that a choice has room for `by` more holders. A condition cannot add numbers, so for several holders it
 * compares with the computed number `limit - by`.
 */
function roomDemand(holders: string, limitPath: string, by: number, index: number, limit: number): string {
  if (by > 1) {
    const fits = `${holders} <= :fits${index}`;
    return `(attribute_not_exists(${limitPath}) OR ${limit >= by ? `attribute_not_exists(${holders}) OR ${fits}` : fits})`;
  }
  return `(attribute_not_exists(${limitPath}) OR attribute_not_exists(${holders}) OR ${holders} ${by === 1 ? "<" : "<="} ${limitPath})`;
}

/**
 * Changes the choice counters. Every choice that gains a holder must have room. The expression stays within DynamoDB's
 * limits for up to `maxChoicesAtOnce` different choices.
 * @param choiceLimits the limits as they were read; needed when several people join the same choice
 */
export function choiceParts(
  joining: readonly Choices[],
  leaving: readonly Choices[],
  choiceLimits?: Seats["choiceLimits"],
): Parts {
  const parts = choiceChanges(joining, leaving).map(({ question, choice, by, gains }, index): Parts => {
    const holders = `choiceHolders.#q${index}.#c${index}`;
    const limit = choiceLimits?.[question] ?? noLimit;
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
  return join(nothing, ...parts);
}

/**
 * One condition replaces more conditions than this, because an expression has at most 4,096 bytes and 300 operators.
 */
const maxDemands = 30;

/** The strictest demand for each choice. A demand for 0 holders is left out, because it is always true. */
function strictest(passedOver: readonly FullChoice[]): FullChoice[] {
  const byChoice = new Map<string, FullChoice>();
  for (const full of passedOver) {
    const key = JSON.stringify([full.question, full.choice]);
    const known = byChoice.get(key);
    if (full.holders > (known?.holders ?? 0)) byChoice.set(key, full);
  }
  return [...byChoice.values()];
}

/**
 * Demands that the choices of the people who were passed over still have at least the holders that were read. Each
 * choice has one demand, also if many people wait for it. If there are too many demands, all counters must be as read.
 * @param counted the counters as they were read
 */
export function passedOverParts(passedOver: readonly FullChoice[], counted: Seats["choiceHolders"] = {}): Parts {
  const demands = strictest(passedOver);
  if (demands.length > maxDemands) {
    return { set: [], demand: ["choiceHolders = :counted"], names: {}, values: { ":counted": counted } };
  }
  return join(
    nothing,
    ...demands.map(({ question, choice, holders }, index) => ({
      set: [],
      demand: [`choiceHolders.#pq${index}.#pc${index} >= :pt${index}`],
      names: { [`#pq${index}`]: question, [`#pc${index}`]: choice },
      values: { [`:pt${index}`]: holders },
    })),
  );
}
