/** Price of a share and effect of a trade (`docs/contract.md`, "Investment game"). Pure, in whole cents. */
import { roundedHalfUp } from "./money.ts";

/** Cash of a new account, in cents. */
export const startingCash = 250_000;
/** In cents. No base is lower. The number of shares is never negative, so no price is lower either. */
export const lowestPrice = 10;
/**
 * In cents. New money appears only when the base of a project rises while people hold its shares, and n shares cost n²
 * cents. With this limit all amounts that can ever appear are exact integers.
 */
export const highestBase = 10_000_000;
/** Most shares of one trade. */
export const mostShares = 100_000;
/** Cents by which each bought share raises the price. An even number, so that the mean of two prices is whole cents. */
const slope = 2;
const feePercent = 2;

/** The direction of a trade, seen from the trader. */
export type Side = "BUY" | "SELL";

/** The values that a price depends on. */
export interface PriceState {
  /** The price while no person holds a share, in cents. */
  readonly basePrice: number;
  /** Number of shares that all people hold together. */
  readonly netShares: number;
}

/** The price of one share, in cents. */
export const priceOf = ({ basePrice, netShares }: PriceState): number => basePrice + slope * netShares;

/** The effect of a trade at the present price. Money in cents. */
export interface Quote {
  /** Change of the number of shares that all people hold. */
  readonly change: number;
  /** Price of one share: the mean of the prices before and after the trade. */
  readonly price: number;
  /** Price times shares. */
  readonly gross: number;
  readonly fee: number;
  /** Change of the trader's cash, with the fee. */
  readonly cashDelta: number;
  readonly priceAfter: number;
}

/**
 * The price rises linearly with the shares, and a trade pays the mean of the prices before and after. Thus a trade in
 * parts costs the same as one trade, apart from the rounding of the fees. A person who buys and sells again never gains
 * by it.
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
