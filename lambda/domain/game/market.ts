/** The price of a share and the effect of a trade, in integer cents (`docs/contract.md`, "Investment game"). Pure. */
import { roundedHalfUp } from "./money.ts";

/** Cash of a new account, in cents. */
export const startingCash = 250_000;
/** Minimum base price, in cents. The number of shares is never negative, so no price is lower either. */
export const lowestPrice = 10;
/**
 * Maximum base price, in cents. New money arises only when the base of a project rises while people hold its shares, and
 * n shares cost n² cents. With this limit all possible amounts are exact integers.
 */
export const highestBase = 10_000_000;
/** Maximum shares of one trade. */
export const maxShares = 100_000;
/** Cents by which each share raises the price. Even, so that the mean of two prices is an integer. */
const slope = 2;
const feePercent = 2;

export type Side = "BUY" | "SELL";

/** The values that a price depends on. */
export interface PriceState {
  /** The price while no player holds a share, in cents. */
  readonly basePrice: number;
  /** Number of shares that all people hold together. */
  readonly netShares: number;
}

/** The price of one share, in cents. */
export const priceOf = ({ basePrice, netShares }: PriceState): number => basePrice + slope * netShares;

/** The effect of a trade at the current price. Money in cents. */
export interface Quote {
  /** Change of the number of shares that all people hold. */
  readonly change: number;
  /** Price of one share: the mean of the prices before and after the trade. */
  readonly price: number;
  /** Price times shares. */
  readonly gross: number;
  readonly fee: number;
  /** Change of the trader's cash, including the fee. */
  readonly cashDelta: number;
  readonly priceAfter: number;
}

/**
 * The price rises linearly with the shares, and a trade pays the mean of the prices before and after. Splitting a trade
 * therefore costs the same, apart from rounded fees, and buying and selling again never makes a profit.
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
