/** A project of the game, as stored and as answered (`docs/contract.md`, "Investment game"). Pure. */
import type { Edited } from "#kit/request/etag.ts";
import { type PriceState, priceOf } from "./market.ts";
import { shown } from "./money.ts";
import { seedDecimals, type Worth } from "./worth.ts";

/**
 * The part of a project that an admin writes. Its edit version also changes when the project is removed or activated
 * again, but not with trades or other changes of the price.
 */
export interface Description extends Edited {
  readonly projectId: string;
  readonly eventId: string;
  readonly ticker: string;
  readonly name: string;
  readonly description: string;
}

/**
 * The prices and counts of a project. Every trade writes this item, so it is small and in no index; the description is
 * in another item.
 */
export interface Market extends Worth, PriceState {
  readonly projectId: string;
  readonly eventId: string;
  readonly totalBuyShares: number;
  readonly totalSellShares: number;
  readonly totalTrades: number;
  /** Sum of price times shares over all trades, in cents. */
  readonly totalVolume: number;
  /** Only active projects are listed and traded. */
  readonly isActive: boolean;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
}

export interface Project {
  readonly text: Description;
  readonly market: Market;
}

/** The event whose game a request refers to, by default `kickstart` (`docs/contract.md`, "Investment game"). */
export const gameEventOf = ({ eventId = "kickstart" }: { readonly eventId?: string }): string => eventId;

/** The text of a project after an edit. */
export const editedText = (
  text: Description,
  changes: Partial<Pick<Description, "ticker" | "name" | "description">>,
): Description => ({ ...text, ...changes, version: text.version + 1 });

/** The market of a project before its first trade. @param now epoch milliseconds */
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

/** A project as the API returns it. */
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

/** A project with the value of all its shares at the current price. */
export const withMarketCap = (project: Project) => ({
  ...projectAnswer(project),
  marketCap: shown(priceOf(project.market) * project.market.netShares),
});
