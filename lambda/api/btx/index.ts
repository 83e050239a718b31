import { accountAnswer, initialAccount } from "#domain/game/account.ts";
import { removeProject, saveProject, type WantedProject } from "#domain/game/edit-project.ts";
import { type Executed, executeTrade } from "#domain/game/execute-trade.ts";
import type { Side } from "#domain/game/market.ts";
import { gameEventOf, projectAnswer, withMarketCap } from "#domain/game/project.ts";
import { resetEvent, resetOne } from "#domain/game/reset-accounts.ts";
import * as store from "#domain/game/store.ts";
import { priceHistory, tradeAnswer } from "#domain/game/trade.ts";
import { leaderboardAnswer, portfolioAnswer, pricesOf } from "#domain/game/valuation.ts";
import { NotFound, ValidationFailed } from "#kit/errors.ts";
import { ok } from "#kit/request/answer.ts";
import { apiOnce } from "#kit/request/answered-once.ts";
import { api, dispatch } from "#kit/request/api.ts";
import { etagOf } from "#kit/request/etag.ts";
import { bumpPhase, investmentImpact, seedProject } from "./move-price.ts";
import * as routes from "./routes.ts";
import type { NewProject } from "./schemas.ts";

const inTheGame = async (query: { readonly eventId?: string }) =>
  (await store.projectsOfEvent(gameEventOf(query))).filter(({ market }) => market.isActive);

/**
 * Reads about a project, and checks at the same time that the project exists.
 * @throws NotFound
 */
async function ofProject<T>(projectId: string, read: Promise<T>): Promise<T> {
  const [exists, found] = await Promise.all([store.projectExists(projectId), read]);
  if (!exists) throw new NotFound("Project");
  return found;
}

/** The handler of a trading route. */
const trading = (route: typeof routes.buy | typeof routes.sell, side: Side, message: string) => {
  const tradedAnswer = ({ trade, project, account }: Executed) =>
    ok({
      message,
      data: {
        trade: tradeAnswer(trade, trade.email),
        project: projectAnswer(project),
        account: accountAnswer(account),
      },
    });
  return apiOnce(route, async ({ body, caller, context, claimed }) => {
    const order = { ...body, side, email: caller.email };
    return tradedAnswer(await executeTrade(order, context, claimed?.keeping(tradedAnswer)));
  });
};

/**
 * The requested project: a field of the body takes precedence over the same field of the query.
 * @throws ValidationFailed
 */
function wantedFrom(query: NewProject, body: NewProject): WantedProject {
  const wanted = { ...query, ...body };
  const missing = (["projectId", "ticker", "name"] as const).filter((name) => wanted[name] === undefined);
  if (missing.length > 0)
    throw new ValidationFailed(missing.map((name) => ({ path: `/${name}`, message: "is required" })));
  // Project ids are keys of holdings, so a property of every object (`constructor`) cannot be an id.
  if (String(wanted.projectId) in {})
    throw new ValidationFailed([{ path: "/projectId", message: "is a reserved word" }]);
  return wanted as WantedProject;
}

export const handler = dispatch([
  api(routes.listProjects, async ({ query }) =>
    ok({ message: "Projects.", data: (await inTheGame(query)).map(projectAnswer) }),
  ),
  api(routes.snapshot, async ({ query }) =>
    ok({ message: "The market now.", data: { projects: (await inTheGame(query)).map(withMarketCap) } }),
  ),
  trading(routes.buy, "BUY", "Shares bought."),
  trading(routes.sell, "SELL", "Shares sold."),
  api(routes.portfolio, async ({ query, caller: { email } }) => {
    const eventId = gameEventOf(query);
    const account = (await store.readAccount(email, eventId)) ?? initialAccount(email, eventId);
    const projects = await store.readProjects(Object.keys(account.holdings), "eventual");
    return ok({ message: "Your portfolio.", data: portfolioAnswer(account, projects) });
  }),
  api(routes.listTrades, async ({ query: { projectId, limit = 20 }, caller: { email } }) => {
    const trades =
      projectId === undefined
        ? await store.tradesOfPerson(email, limit)
        : await ofProject(projectId, store.tradesOfProject(projectId, limit));
    return ok({ message: "Trades.", data: trades.map((trade) => tradeAnswer(trade, email)) });
  }),
  api(routes.priceHistory, async ({ query: { projectId, limit = 500, since = 0 } }) => {
    const { trades, points } = await ofProject(projectId, store.priceChanges(projectId, since, limit));
    return ok({ message: "Prices.", data: priceHistory(trades, points, limit) });
  }),
  // Every trade changes the worth of the holders' accounts, so the leaderboard is computed for each request.
  // It reads one small item for each person and one for each project that people hold, and no trades.
  api(routes.leaderboard, async ({ query, caller }) => {
    const { limitTop = 5, limitBottom = 5 } = query;
    const accounts = await store.contestants(gameEventOf(query));
    const held = new Set(accounts.flatMap(({ holdings }) => Object.keys(holdings)));
    const prices = pricesOf(await store.readMarkets([...held], "eventual"));
    const data = leaderboardAnswer(accounts, prices, { self: caller.email, limitTop, limitBottom });
    return ok({ message: "The leaderboard.", data });
  }),
  api(routes.saveProject, async ({ query, body, ifMatch, context }) => {
    const project = await saveProject(wantedFrom(query, body), ifMatch, context);
    return ok({ message: "Project saved.", data: projectAnswer(project) }, etagOf(project.text));
  }),
  api(routes.getProject, async ({ params }) => {
    const project = await store.readProjectToEdit(params.projectId);
    if (!project) throw new NotFound("Project");
    return ok({ message: "Project.", data: projectAnswer(project) }, etagOf(project.text));
  }),
  seedProject,
  bumpPhase,
  investmentImpact,
  api(routes.deleteProject, async ({ params, ifMatch, context }) => {
    const project = await removeProject(params.projectId, ifMatch, context);
    return ok({ message: "Project removed from the game.", data: projectAnswer(project) }, etagOf(project.text));
  }),
  api(routes.reset, async ({ body: { eventId, userId }, context }) => {
    if (userId === undefined) {
      const { accounts, complete } = await resetEvent(eventId, context);
      const message = complete ? "All accounts are reset." : "Not all accounts are reset yet. Please ask again.";
      return ok({ message, data: { eventId, accounts, complete } });
    }
    if (!(await resetOne(userId, eventId, context))) throw new NotFound("Account");
    return ok({ message: "The account is reset.", data: { eventId, accounts: 1, complete: true } });
  }),
]);
