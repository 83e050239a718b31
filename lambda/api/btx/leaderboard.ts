import { contestants, readMarkets } from "#domain/game/store.ts";
import { leaderboardAnswer, pricesOf } from "#domain/game/valuation.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { gameEventOf } from "./game-event.ts";
import * as routes from "./routes.ts";

/**
 * What an account is worth changes whenever anybody trades in one of its projects, so it is computed when it is asked
 * for: from one small item for each person and one for each project that somebody holds, never from trades.
 */
export const leaderboard = api(routes.leaderboard, async ({ query, caller }) => {
  const { limitTop = 5, limitBottom = 5 } = query;
  const accounts = await contestants(gameEventOf(query));
  const held = new Set(accounts.flatMap(({ holdings }) => Object.keys(holdings)));
  const prices = pricesOf(await readMarkets([...held]));
  const data = leaderboardAnswer(accounts, prices, { self: caller.email, limitTop, limitBottom });
  return ok({ message: "The leaderboard.", data });
});
