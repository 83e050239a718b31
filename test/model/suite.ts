/** The tests of the capacity protocol. The caller decides how many runs they make. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { draw, replayLine } from "../seeds.ts";
import { chance, type Drawn, diceOf, directed } from "./chance.ts";
import { mutants, type NamedMutant } from "./mutants.ts";
import { type Finding, type Mutant, openProduct, type Product, runOnce } from "./protocol.ts";
import { large, type Situation, situations } from "./situations.ts";

const everything = [...situations, ...large];
const titled = <T extends { readonly name: string }>(all: readonly T[]) => all.map((one) => [one.name, one] as const);

/** A run, and how it shows that it reaches the state that it is kept for. */
export interface KnownRun {
  readonly state: string;
  readonly situation: string;
  /** The order of its calls (`directed`). */
  readonly turns: readonly string[];
  /** Milliseconds of each pause. */
  readonly pause?: number;
  /** The rule that protects the state, and all that is broken in this run without it. */
  readonly without: { readonly make: () => Mutant; readonly breaks: readonly string[] };
}

interface Search {
  /** How many runs each situation gets. */
  readonly runsEach: number;
  /** How often a mutant is tried in each situation that may show it. */
  readonly maxRounds: number;
  /** Whether rare mutants are among them. */
  readonly hasRare: boolean;
  /**
   * Whether the promoter handles two messages beside the requests, in half of the runs. Where requests reach their
   * deadline, it works after them only.
   */
  readonly promotesBeside?: boolean;
}

let product: Product;
beforeAll(async () => {
  product = await openProduct();
});

const run = (situation: Situation, mutant: Mutant, drawn: Drawn) =>
  runOnce(product, situation, mutant, { order: drawn.order, dice: diceOf(drawn) });

const explained = ({ violations, trace }: Finding): string[] =>
  violations.length === 0 ? [] : [...violations, ...trace];

/** Tries a mutant until a run shows one of its violations. The product as it is shows none, so the mutant has caused it. */
async function isCaught({ breaks, where, make }: NamedMutant, maxRounds: number): Promise<boolean> {
  const tried = everything.filter(({ name }) => where.some((word) => name.includes(word)));
  for (let round = 1; round <= maxRounds; round += 1) {
    for (const situation of tried) {
      const { violations } = await run(situation, make(), draw(chance));
      if (violations.some((name) => breaks.includes(name))) return true;
    }
  }
  return false;
}

/**
 * About how many turns an act takes. The acts of a run begin all at once, or at different times, at most as far apart as
 * if one came after the other. So a request of few calls also comes after a request of many. Where requests reach their
 * deadline, they all begin at once, because the pauses of each one move the clock of all.
 */
const turnsOfAct = 3;

export function describeCapacity({ runsEach, maxRounds, hasRare, promotesBeside = false }: Search): void {
  describe("the protocol", () => {
    test.each(titled(everything))(
      "%s",
      (_name, situation) => {
        const holds = fc.asyncProperty(chance, async (drawn) => {
          const dice = diceOf(drawn);
          const promotions = promotesBeside && !situation.isContended && dice() < 50 ? 2 : 0;
          const maxTurnsBefore = situation.isContended ? 0 : dice() % (turnsOfAct * situation.acts.length);
          const chosen = { order: drawn.order, dice, promotions, maxTurnsBefore };
          const found = await runOnce(product, situation, {}, chosen);
          expect(explained(found)).toEqual([]);
        });
        return fc.assert(holds, { numRuns: runsEach, endOnFailure: true });
      },
      600_000,
    );
  });

  describe("without one of its rules", () => {
    test.each(titled(mutants.filter(({ isRare }) => hasRare || !isRare)))(
      "%s: is caught",
      async (_name, mutant) => {
        if (!(await isCaught(mutant, maxRounds)))
          throw new Error(`Not caught in ${maxRounds} rounds. Again: ${replayLine()}`);
      },
      600_000,
    );
  });
}

/** The dice of a run in which no call fails by chance. */
const calm = (): number => 99;

/** Makes a known run once. */
async function again({ situation: name, turns, pause }: KnownRun, mutant: Mutant): Promise<Finding> {
  const situation = everything.find((one) => one.name === name);
  if (!situation) throw new Error(`There is no situation "${name}" any more.`);
  return runOnce(product, situation, mutant, { ...directed(turns), dice: calm, ...(pause && { pause }) });
}

/** Makes single runs with the rule that protects their states, and without it. */
export function describeKnownRuns(all: readonly KnownRun[]): void {
  describe("known runs", () => {
    test.each(all.map((known) => [known.state, known.situation, known] as const))(
      "%s (%s)",
      async (_state, _situation, known) => {
        expect(explained(await again(known, {}))).toEqual([]);
        const { violations, trace } = await again(known, known.without.make());
        if (violations.join() === known.without.breaks.join()) return;
        throw new Error(`The run does not reach its state any more. It breaks: ${violations}\n${trace.join("\n")}`);
      },
      600_000,
    );
  });
}
