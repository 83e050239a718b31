/**
 * Expressions about the choices in the seats item. Questions and choices are paths of their own, named by people, so
 * these parts are put together from placeholders; the conditions on the seats themselves are written out in the store.
 */
import { type Choices, type FullChoice, noLimit, type Seats } from "./seats.ts";

/** Parts of an update of the seats: what it sets, what it demands, and the placeholders both use. */
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

/** Counters for choices that are offered for the first time; those that exist are left alone. */
export function newChoiceParts(counted: Seats["taken"], wanted: Seats["taken"]): Parts {
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
export function choiceParts(
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
export const passedOverParts = (passedOver: readonly FullChoice[]): Parts =>
  join(
    nothing,
    ...passedOver.map(({ question, choice, taken }, index) => ({
      set: [],
      demand: [`taken.#pq${index}.#pc${index} >= :pt${index}`],
      names: { [`#pq${index}`]: question, [`#pc${index}`]: choice },
      values: { [`:pt${index}`]: taken },
    })),
  );
