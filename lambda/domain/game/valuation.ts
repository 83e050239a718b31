/** The value of accounts at the current prices, for the portfolio and the leaderboard. Pure. */
import { type Account, accountAnswer } from "./account.ts";
import { priceOf } from "./market.ts";
import { roundedHalfUp, shown } from "./money.ts";
import type { Market, Project } from "./project.ts";

/** The value of all holdings, in cents. Shares of an unknown project count as 0. */
const equityOf = ({ holdings }: Account, prices: ReadonlyMap<string, number>): number =>
  Object.entries(holdings).reduce((sum, [projectId, { shares }]) => sum + shares * (prices.get(projectId) ?? 0), 0);

/** Prices in cents, by project id. */
export const pricesOf = (markets: Iterable<Market>): ReadonlyMap<string, number> =>
  new Map([...markets].map((market) => [market.projectId, priceOf(market)]));

/** An account with the cost and the current value of each holding, sorted by ticker. */
export function portfolioAnswer(account: Account, projects: ReadonlyMap<string, Project>) {
  const equity = equityOf(account, pricesOf([...projects.values()].map(({ market }) => market)));
  const holdings = Object.entries(account.holdings).flatMap(([projectId, { shares, cost }]) => {
    const project = projects.get(projectId);
    if (!project) return [];
    const price = priceOf(project.market);
    return {
      projectId,
      ticker: project.text.ticker,
      name: project.text.name,
      shares,
      avgPrice: shown(roundedHalfUp(cost, shares)),
      currentPrice: shown(price),
      marketValue: shown(price * shares),
      pnl: shown(price * shares - cost),
    };
  });
  return {
    account: accountAnswer(account),
    totalEquityValue: shown(equity),
    totalPortfolioValue: shown(account.cash + equity),
    holdings: holdings.sort((a, b) => (a.ticker < b.ticker ? -1 : 1)),
  };
}

/** An account as read from the index of an event's accounts. */
export interface Contestant extends Account {
  readonly displayName: string;
}

/** Accounts by current value, highest first, then by email. */
const standings = (accounts: readonly Contestant[], prices: ReadonlyMap<string, number>) =>
  accounts
    .map((account) => ({ account, equity: equityOf(account, prices) }))
    .sort(
      (a, b) => b.account.cash + b.equity - (a.account.cash + a.equity) || (a.account.email < b.account.email ? -1 : 1),
    );

type Standing = ReturnType<typeof standings>[number];

/** A row of the leaderboard. The caller appears by email, other people by display name. */
const rowFor = (self: string, { account, equity }: Standing) => {
  const total = account.cash + equity;
  const gain = total - account.initialCash;
  return {
    userId: account.email === self ? account.email : account.displayName,
    equityValue: shown(equity),
    cashBalance: shown(account.cash),
    totalValue: shown(total),
    totalPnl: shown(gain),
    // From hundredths of a per cent, rounded half up.
    returnPct: shown(roundedHalfUp(gain * 10_000, account.initialCash)),
    positionsCount: Object.keys(account.holdings).length,
  };
};

/** The accounts with the highest values, highest first, and those with the lowest values, lowest first. */
export function leaderboardAnswer(
  accounts: readonly Contestant[],
  prices: ReadonlyMap<string, number>,
  { self, limitTop, limitBottom }: { readonly self: string; readonly limitTop: number; readonly limitBottom: number },
) {
  const all = standings(accounts, prices);
  const row = (one: Standing) => rowFor(self, one);
  return {
    traders: all.length,
    top: all.slice(0, limitTop).map(row),
    bottom: all.toReversed().slice(0, limitBottom).map(row),
  };
}
