/** The capacity protocol under every order of its calls that chance finds, and each of its rules taken out once. */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { mutants } from "./mutants.ts";
import { type Mutant, runOnce, type Situation } from "./protocol.ts";
import { large, situations } from "./situations.ts";
import { closeWorld, openWorld, quiet } from "./world.ts";

beforeAll(openWorld);
afterAll(closeWorld);

/** Sequences of each situation; the deep run asks for many. */
const runsEach = Number(process.env.MODEL_RUNS ?? 12);
let sequences = 0;

/** The order of the calls, and dice for everything else. */
const chance = fc.record({
  order: fc.scheduler({
    act: async (release) => {
      await release();
      await quiet();
    },
  }),
  dice: fc.infiniteStream(fc.nat(99)),
});

const violated =
  (situation: Situation, mutant: Mutant) => async (drawn: { order: fc.Scheduler; dice: fc.Stream<number> }) => {
    sequences += 1;
    return runOnce(situation, mutant, { order: drawn.order, dice: () => drawn.dice.next().value as number });
  };

describe("the protocol", () => {
  test.each([...situations, ...large].map((situation) => [situation.name, situation] as const))(
    "%s",
    async (_name, situation) => {
      const run = violated(situation, {});
      await fc.assert(
        fc.asyncProperty(chance, async (drawn) => expect(await run(drawn)).toEqual([])),
        { numRuns: runsEach, endOnFailure: true },
      );
    },
    60_000 + runsEach * 2_000,
  );
});

describe("without one of its rules", () => {
  test.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
    "%s: is caught",
    async (_name, mutant) => {
      const { where = [""] } = mutant;
      const tried = [...situations, ...large].filter(({ name }) => where.some((word) => name.includes(word)));
      const found = new Set<string>();
      for (let round = 0; round < 60 && !mutant.breaks.some((name) => found.has(name)); round += 1) {
        for (const situation of tried) {
          const [drawn] = fc.sample(chance, 1) as [{ order: fc.Scheduler; dice: fc.Stream<number> }];
          // What a mutant makes impossible is as good as a violation only if it is named.
          const names = await violated(situation, mutant)(drawn).catch((error: Error) => [`ERROR ${error.message}`]);
          for (const name of names) found.add(name);
        }
      }
      expect(mutant.breaks).toContain([...found].find((name) => mutant.breaks.includes(name)) ?? [...found].join());
    },
    120_000,
  );
});

afterAll(() => console.log(`${sequences} sequences`));
