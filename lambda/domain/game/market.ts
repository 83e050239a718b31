/** What a share costs, and what a trade does (`contract.md`, section 7). Pure, in whole cents. */
import { roundedHalfUp } from "./money.ts";

/** In cents. Everybody starts with it. */
export const startingCash = 250_000;
/** In cents. No base is lower, and nobody holds less than no shares, so no price is lower either. */
export const lowestPrice = 10;
/**
 * In cents. Money comes into being only when a base rises under shares that somebody holds, and n shares cost n² cents:
 * below this base all the money that could ever be made stays an exact integer.
 */
export const highestBase = 10_000_000;
/** In one trade. */
export const mostShares = 100_000;
/** Cents by which each share that is bought raises the price. Even, so that the mean of two prices is whole cents. */
const slope = 2;
const feePercent = 2;

/** Which way a trade goes, as its person sees it. */
export type Side = "BUY" | "SELL";

/** All that a price depends on. */
export interface PriceState {
  /** Price without a single share sold, in cents. */
  readonly basePrice: number;
  /** Shares in all hands. */
  readonly netShares: number;
}

/** In cents. */
export const priceOf = ({ basePrice, netShares }: PriceState): number => basePrice + slope * netShares;

/** What a trade would do. Money in cents. */
export interface Quote {
  /** Change of the shares in all hands. */
  readonly change: number;
  /** Of one share: the mean of the prices before and after. */
  readonly price: number;
  /** Price times shares. */
  readonly gross: number;
  readonly fee: number;
  /** What the trader's cash changes by, fee included. */
  readonly cashDelta: number;
  readonly priceAfter: number;
}

/**
 * The price is a straight line and a trade pays the mean, which is the area under it: a trade in parts costs what it
 * costs in one, but for the rounding of each part's fee, and buying and selling back never pays more than it cost.
 */
export function quote(side: Side, shares: number, state: PriceState): Quote {
  const change = side === "BUY" ? shares : -shares;
  const priceAfter = priceOf({ ...state, netShares: state.netShares + change });
  const price = (priceOf(state) + priceAfter) / 2;
  const gross = price * shares;
  const percent = side === "BUY" ? 100 + feePercent : 100 - feePercent;
  const total = roundedHalfUp(gross * percent, 100);
  const fee = Math.abs(total - gross);
  return { change, price, gross, fee, cashDelta: side === "BUY" ? -total : total, priceAfter };
}
