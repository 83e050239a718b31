/** The tests of the capacity protocol; how long they look is up to the caller. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { chance, type Drawn, diceOf } from "./chance.ts";
import { mutants, type NamedMutant } from "./mutants.ts";
import { type Finding, type Mutant, openProduct, type Product, runOnce } from "./protocol.ts";
import { large, type Situation, situations } from "./situations.ts";

/** A failure names its seed; with these it is run again. */
const { MODEL_SEED, MODEL_PATH } = process.env;
const replay = { ...(MODEL_SEED && { seed: Number(MODEL_SEED) }), ...(MODEL_PATH && { path: MODEL_PATH }) };

const everything = [...situations, ...large];
const titled = <T extends { readonly name: string }>(all: readonly T[]) => all.map((one) => [one.name, one] as const);

/**
 * @param runsEach sequences of each situation
 * @param maxRounds how often a mutant is tried in every situation that may show it
 */
export function describeCapacity(runsEach: number, maxRounds: number): void {
  let product: Product;

  const run = (situation: Situation, mutant: Mutant, drawn: Drawn) =>
    runOnce(product, situation, mutant, { order: drawn.order, dice: diceOf(drawn) });

  const explained = ({ violations, trace }: Finding): string[] =>
    violations.length === 0 ? [] : [...violations, ...trace];

  async function isCaught({ breaks, where, make }: NamedMutant): Promise<string[]> {
    const tried = everything.filter(({ name }) => where.some((word) => name.includes(word)));
    for (let round = 0; round < maxRounds; round += 1) {
      for (const situation of tried) {
        const [drawn] = fc.sample(chance, 1);
        if (!drawn) continue;
        const { violations } = await run(situation, make(product), drawn);
        const found = violations.filter((name) => breaks.includes(name));
        if (found.length > 0) return found;
      }
    }
    return [];
  }

  beforeAll(async () => {
    product = await openProduct();
  });

  describe("the protocol", () => {
    test.each(titled(everything))(
      "%s",
      (_name, situation) =>
        fc.assert(
          fc.asyncProperty(chance, async (drawn) => expect(explained(await run(situation, {}, drawn))).toEqual([])),
          { numRuns: runsEach, endOnFailure: true, ...replay },
        ),
      600_000,
    );
  });

  describe("without one of its rules", () => {
    test.each(titled(mutants))(
      "%s: is caught",
      async (_name, mutant) => expect(await isCaught(mutant)).not.toEqual([]),
      600_000,
    );
  });
}
