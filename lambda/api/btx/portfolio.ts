import { initialAccount } from "#domain/game/account.ts";
import { gameEventOf } from "#domain/game/game-event.ts";
import { readAccount, readProjects } from "#domain/game/store.ts";
import { portfolioAnswer } from "#domain/game/valuation.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import * as routes from "./routes.ts";

export const portfolio = api(routes.portfolio, async ({ query, caller }) => {
  const eventId = gameEventOf(query);
  const account = (await readAccount(caller.email, eventId)) ?? initialAccount(caller.email, eventId);
  const projects = await readProjects(Object.keys(account.holdings), "eventual");
  return ok({ message: "Your portfolio.", data: portfolioAnswer(account, projects) });
});
