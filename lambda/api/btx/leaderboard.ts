import { gameEventOf } from "#domain/game/game-event.ts";
import { contestants, readMarkets } from "#domain/game/store.ts";
import { leaderboardAnswer, pricesOf } from "#domain/game/valuation.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import * as routes from "./routes.ts";

/**
 * Every trade in a project changes the worth of its holders' accounts, so the leaderboard is computed for each request.
 * It reads one small item for each person and one for each project that people hold, and never trades.
 */
export const leaderboard = api(routes.leaderboard, async ({ query, caller }) => {
  const { limitTop = 5, limitBottom = 5 } = query;
  const accounts = await contestants(gameEventOf(query));
  const held = new Set(accounts.flatMap(({ holdings }) => Object.keys(holdings)));
  const prices = pricesOf(await readMarkets([...held], "eventual"));
  const data = leaderboardAnswer(accounts, prices, { self: caller.email, limitTop, limitBottom });
  return ok({ message: "The leaderboard.", data });
});
