import { priceChanges, projectExists, tradesOfPerson, tradesOfProject } from "#domain/game/store.ts";
import { priceHistory as history, tradeAnswer } from "#domain/game/trade.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { NotFound } from "#kit/errors.ts";
import * as routes from "./routes.ts";

/**
 * Reads about a project, and checks at the same time that the project exists.
 * @throws NotFound
 */
async function ofProject<T>(projectId: string, read: Promise<T>): Promise<T> {
  const [exists, found] = await Promise.all([projectExists(projectId), read]);
  if (!exists) throw new NotFound("Project");
  return found;
}

export const listTrades = api(routes.listTrades, async ({ query: { projectId, limit = 20 }, caller }) => {
  const trades =
    projectId === undefined
      ? await tradesOfPerson(caller.email, limit)
      : await ofProject(projectId, tradesOfProject(projectId, limit));
  return ok({ message: "Trades.", data: trades.map((trade) => tradeAnswer(trade, caller.email)) });
});

export const priceHistory = api(routes.priceHistory, async ({ query: { projectId, limit = 500, since = 0 } }) => {
  const { trades, points } = await ofProject(projectId, priceChanges(projectId, since, limit));
  return ok({ message: "Prices.", data: history(trades, points, limit) });
});
