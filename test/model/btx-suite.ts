/** The tests of the investment game in many orders of its calls. The caller decides how many. */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { draw, replayLine } from "../seeds.ts";
import { type Game, openGame, playRound, type Sabotage, type Whim, without } from "./btx-game.ts";
import { chance, diceOf } from "./chance.ts";

/** Each mutant takes one condition out of the product. */
const mutants: readonly (readonly [name: string, sabotage: Sabotage, ...whims: Whim[]])[] = [
  ["the base that was read", without("BTXP#", /basePrice = :base/), "bump"],
  ["the shares that were read", without("BTXP#", /(?<=basePrice = :base AND )netShares = :netShares/)],
  ["a project in the game", without("BTXP#", /isActive = :active/), "remove", "restore"],
  ["the account that was read", without("USER#", /version = :version(?= AND)/)],
  ["enough cash", without("USER#", /cash >= :taken/)],
  ["enough shares", without("USER#", /holdings\.#project\.shares >= :taken/)],
  ["no account yet", without("USER#", /attribute_not_exists\(PK\)/)],
  ["the seed that was read, for a seed", without("BTXP#", /seed = :seedWas/), "seed"],
  ["the bumps that were read, for a bump", without("BTXP#", /bumped = :bumpedWas/), "bump"],
  ["the shares that were read, for a bump", without("BTXP#", /(?<=:bumpedWas AND )netShares = :netShares/), "bump"],
  ["the account that was read, for a reset", without("USER#", /^version = :version$/), "reset"],
  ["no project of that id yet", without("BTXP#", /attribute_not_exists\(PK\)/), "create"],
];

/**
 * @param rounds how many orders are tried
 * @param patience how many orders may pass until a mutant is caught
 */
export function describeGame(rounds: number, patience: number): void {
  let game: Game;
  let trades = 0;
  beforeAll(async () => {
    game = await openGame();
  });

  test("money and shares are conserved in every order of the calls", async () => {
    await fc.assert(
      fc.asyncProperty(chance, async (drawn) => {
        const found = await playRound(game.handler, { order: drawn.order, dice: diceOf(drawn) });
        trades += found.trades;
        expect(found.violations.length === 0 ? [] : [...found.violations, ...found.trace]).toEqual([]);
      }),
      { numRuns: rounds, endOnFailure: true },
    );
    // Rounds without trades would prove nothing.
    expect(trades).toBeGreaterThan(rounds * 3);
  }, 600_000);

  describe("with a token of its own for every try", () => {
    let tokenOf: Game["seam"]["tokenOf"];
    let tries = 0;
    beforeEach(() => {
      tokenOf = game.seam.tokenOf;
      game.seam.tokenOf = (token) => {
        tries += 1;
        return `${token} ${tries}`;
      };
    });
    afterEach(() => {
      game.seam.tokenOf = tokenOf;
    });

    test.each<[string, readonly Whim[]]>([
      ["a request trades once", ["reset"]],
      ["a request moves a price once", ["bump", "seed"]],
    ])(
      "%s: is broken",
      async (rule, whims) => {
        for (let round = 0; round < patience; round += 1) {
          const drawn = draw(chance);
          const { violations } = await playRound(game.handler, { order: drawn.order, dice: diceOf(drawn) }, { whims });
          if (violations.includes(rule)) return;
        }
        throw new Error(`Nobody noticed in ${patience} rounds. Again: ${replayLine()}`);
      },
      600_000,
    );
  });

  describe("without one of its conditions", () => {
    test.each(mutants)(
      "%s: is caught",
      async (_name, sabotage, ...whims) => {
        for (let round = 0; round < patience; round += 1) {
          const drawn = draw(chance);
          const only = { sabotage, ...(whims.length > 0 && { whims }) };
          const { violations } = await playRound(game.handler, { order: drawn.order, dice: diceOf(drawn) }, only);
          if (violations.length > 0) return;
        }
        throw new Error(`Nobody noticed in ${patience} rounds. Again: ${replayLine()}`);
      },
      600_000,
    );
  });
}
