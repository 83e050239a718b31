/** The tests of the capacity protocol. The caller decides how many runs they make. */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { draw, replayLine } from "../seeds.ts";
import { chance, type Drawn, diceOf } from "./chance.ts";
import { mutants, type NamedMutant } from "./mutants.ts";
import { type Finding, type Mutant, openProduct, type Product, runOnce } from "./protocol.ts";
import { large, type Situation, situations } from "./situations.ts";
import { StateCount, stateOf } from "./states.ts";
import { MemoryTable } from "./table.ts";
import { watched } from "./watched-mutant.ts";

const everything = [...situations, ...large];
const titled = <T extends { readonly name: string }>(all: readonly T[]) => all.map((one) => [one.name, one] as const);

/** A run that has failed once. */
export interface KnownRun {
  readonly situation: string;
  readonly seed: number;
  readonly path: string;
  /** A protection without which the run fails, as it once did, and what it breaks then. */
  readonly without?: { readonly make: () => Mutant; readonly breaks: readonly string[] };
}

interface Search {
  /** How many runs each situation gets. */
  readonly runsEach: number;
  /** How often a mutant is tried in each situation that may show it. */
  readonly maxRounds: number;
  /** Whether to print the number of states in which each situation ended. */
  readonly printsStates?: boolean;
}

let product: Product;
beforeAll(async () => {
  product = await openProduct();
});

const run = (situation: Situation, mutant: Mutant, drawn: Drawn, table = new MemoryTable()) =>
  runOnce(product, situation, mutant, { order: drawn.order, dice: diceOf(drawn) }, table);

const explained = ({ violations, trace }: Finding): string[] =>
  violations.length === 0 ? [] : [...violations, ...trace];

/** Tries a mutant until a run in which it has changed a call shows one of its violations. */
async function hunt({ breaks, where, make }: NamedMutant, maxRounds: number) {
  const tried = everything.filter(({ name }) => where.some((word) => name.includes(word)));
  let changes = 0;
  for (let round = 1; round <= maxRounds; round += 1) {
    for (const situation of tried) {
      const before = changes;
      const mutant = watched(make(), () => {
        changes += 1;
      });
      const { violations } = await run(situation, mutant, draw(chance));
      if (changes > before && violations.some((name) => breaks.includes(name)))
        return { isCaught: true, round, changes };
    }
  }
  return { isCaught: false, round: maxRounds, changes };
}

export function describeCapacity({ runsEach, maxRounds, printsStates = false }: Search): void {
  const count = new StateCount();
  afterAll(() => {
    if (printsStates) process.stdout.write(`${count}\n`);
  });

  describe("the protocol", () => {
    test.each(titled(everything))(
      "%s",
      (_name, situation) => {
        const holds = fc.asyncProperty(chance, async (drawn) => {
          const table = new MemoryTable();
          const found = await run(situation, {}, drawn, table);
          count.add(situation, stateOf(table, situation));
          expect(explained(found)).toEqual([]);
        });
        return fc.assert(holds, { numRuns: runsEach, endOnFailure: true });
      },
      600_000,
    );
  });

  describe("without one of its rules", () => {
    test.each(titled(mutants))(
      "%s: is caught",
      async (_name, mutant) => {
        const { isCaught, round, changes } = await hunt(mutant, maxRounds);
        if (changes === 0) throw new Error(`The mutant changed no call in ${round} rounds: it takes no rule away.`);
        if (!isCaught) throw new Error(`Not caught in ${round} rounds with ${changes} changes. Again: ${replayLine()}`);
      },
      600_000,
    );
  });
}

/** Replays single runs that once showed an error of the product. */
export function describeKnownRuns(known: readonly KnownRun[]): void {
  describe("has failed once", () => {
    test.each(known.map((one) => [one.situation, one.seed, one.path, one.without] as const))(
      "%s, SEED=%d:%s",
      async (name, seed, path, without) => {
        const situation = everything.find((one) => one.name === name);
        if (!situation) throw new Error(`There is no situation "${name}" any more.`);
        const again = (check: (drawn: Drawn) => Promise<void>) =>
          fc.assert(fc.asyncProperty(chance, check), { seed, path, numRuns: 1, endOnFailure: true });
        await again(async (drawn) => expect(explained(await run(situation, {}, drawn))).toEqual([]));
        if (!without) return;
        await again(async (drawn) =>
          expect((await run(situation, without.make(), drawn)).violations).toEqual(without.breaks),
        );
      },
      600_000,
    );
  });
}
