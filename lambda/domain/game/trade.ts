/** A trade, and the points of a project's price history. Pure. */
import type { Side } from "./market.ts";
import { shown } from "./money.ts";

/** Money in cents. */
export interface Trade {
  readonly tradeId: string;
  readonly projectId: string;
  readonly eventId: string;
  readonly email: string;
  /** The name of the trader at that time, for others to see. */
  readonly displayName: string;
  readonly side: Side;
  readonly shares: number;
  readonly price: number;
  readonly fee: number;
  readonly cashDelta: number;
  /** The project's price after it: every trade is a point of the price history. */
  readonly priceAfter: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** @param self who looks: only they are named by their email */
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
  /** What moved it. */
  readonly source: string;
  readonly createdAt: number;
}

const pointAnswer = ({ projectId, priceAfter, source, createdAt }: PricePoint) => ({
  projectId,
  price: shown(priceAfter),
  source,
  createdAt,
});

/** Both in one line, oldest first; of too many the newest. */
export function priceHistory(trades: readonly Trade[], points: readonly PricePoint[], limit: number) {
  return [...trades.map((trade) => ({ ...trade, source: "TRADE" })), ...points]
    .sort((a, b) => a.createdAt - b.createdAt)
    .slice(-limit)
    .map(pointAnswer);
}
