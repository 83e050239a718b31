/** Trades and the price history of a project. Pure. */
import type { Side } from "./market.ts";
import { shown } from "./money.ts";

/** Money in cents. */
export interface Trade {
  readonly tradeId: string;
  readonly projectId: string;
  readonly eventId: string;
  readonly email: string;
  /** The trader's name at that time, as other people see it. */
  readonly displayName: string;
  readonly side: Side;
  readonly shares: number;
  readonly price: number;
  readonly fee: number;
  readonly cashDelta: number;
  /** The project's price after the trade, a point of the price history. */
  readonly priceAfter: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** @param self the caller's email; other people appear under their display names */
export const tradeAnswer = (trade: Trade, self: string) => ({
  tradeId: trade.tradeId,
  projectId: trade.projectId,
  userId: trade.email === self ? trade.email : trade.displayName,
  side: trade.side,
  shares: trade.shares,
  price: shown(trade.price),
  fee: shown(trade.fee),
  cashDelta: shown(trade.cashDelta),
  createdAt: trade.createdAt,
});

/** A price that changed without a trade. */
export interface PricePoint {
  readonly projectId: string;
  /** In cents. */
  readonly priceAfter: number;
  /** The cause of the change, such as `RESET`. */
  readonly source: string;
  readonly createdAt: number;
}

const pointAnswer = ({ projectId, priceAfter, source, createdAt }: PricePoint) => ({
  projectId,
  price: shown(priceAfter),
  source,
  createdAt,
  ts: createdAt,
});

/** Trades and other price changes in one list, oldest first. If there are more than `limit`, the newest ones. */
export function priceHistory(trades: readonly Trade[], points: readonly PricePoint[], limit: number) {
  return [...trades.map((trade) => ({ ...trade, source: "TRADE" })), ...points]
    .sort((a, b) => a.createdAt - b.createdAt)
    .slice(-limit)
    .map(pointAnswer);
}
