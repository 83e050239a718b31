/** A project of the game: as it is stored and as it is shown. Pure. */
import { type PriceState, priceOf } from "./market.ts";
import { shown } from "./money.ts";
import { seedDecimals, type Worth } from "./worth.ts";

/** What an admin says of a project. */
export interface Description {
  readonly projectId: string;
  readonly eventId: string;
  readonly ticker: string;
  readonly name: string;
  readonly description: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/**
 * What the market makes of a project. An item of its own, small and in no index: every trade writes it, however much
 * there is to read about the project.
 */
export interface Market extends Worth, PriceState {
  readonly projectId: string;
  readonly eventId: string;
  readonly totalBuyShares: number;
  readonly totalSellShares: number;
  readonly totalTrades: number;
  /** Price times shares of all trades, in cents. */
  readonly totalVolume: number;
  /** Only active projects are listed and traded. */
  readonly isActive: boolean;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
}

/** A project whole: what is said of it, and what the market makes of it. */
export interface Project {
  readonly text: Description;
  readonly market: Market;
}

/** The market of a project in which nobody has traded yet. */
export const newMarket = (about: Pick<Description, "projectId" | "eventId">, worth: Worth, now: number): Market => ({
  projectId: about.projectId,
  eventId: about.eventId,
  ...worth,
  netShares: 0,
  totalBuyShares: 0,
  totalSellShares: 0,
  totalTrades: 0,
  totalVolume: 0,
  isActive: true,
  updatedAt: now,
});

/** A project as everybody sees it. */
export const projectAnswer = ({ text, market }: Project) => ({
  projectId: text.projectId,
  eventId: text.eventId,
  ticker: text.ticker,
  name: text.name,
  description: text.description,
  basePrice: shown(market.basePrice),
  currentPrice: shown(priceOf(market)),
  netShares: market.netShares,
  totalBuyShares: market.totalBuyShares,
  totalSellShares: market.totalSellShares,
  totalTrades: market.totalTrades,
  totalVolume: shown(market.totalVolume),
  seedAmount: market.seed / 10 ** seedDecimals,
  isActive: market.isActive,
  createdAt: text.createdAt,
  updatedAt: market.updatedAt,
});

/** What all shares together are worth at the current price. */
export const withMarketCap = (project: Project) => ({
  ...projectAnswer(project),
  marketCap: shown(priceOf(project.market) * project.market.netShares),
});
