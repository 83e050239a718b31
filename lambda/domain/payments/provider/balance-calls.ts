/** What the provider owes the club, asked live: https://docs.stripe.com/api/balance and https://docs.stripe.com/api/payouts/list */
import { classified } from "./classified.ts";
import { limit, stripe } from "./provider.ts";

/** Money in one currency. */
export interface InCurrency {
  /** In cents. */
  readonly amount: number;
  /** ISO 4217, upper case. */
  readonly currency: string;
}

/** A payout that has not arrived. */
export interface ExpectedPayout extends InCurrency {
  readonly payoutId: string;
  /** Epoch milliseconds. */
  readonly arrivesAt: number;
}

export interface ProviderPosition {
  /** What could be paid out now, by currency. */
  readonly available: readonly InCurrency[];
  /** What will be available in some days. */
  readonly pending: readonly InCurrency[];
  readonly payouts: readonly ExpectedPayout[];
}

const upper = ({ amount, currency }: InCurrency): InCurrency => ({ amount, currency: currency.toUpperCase() });

/** Milliseconds by which a payout may arrive later than it was announced. */
const late = 7 * 86_400_000;

/** @param now epoch milliseconds @throws Unavailable the provider does not answer */
export async function providerPosition(now: number): Promise<ProviderPosition> {
  const client = await stripe();
  try {
    const [balance, payouts] = await Promise.all([
      client.balance.retrieve(),
      client.payouts.list({ arrival_date: { gte: Math.floor((now - late) / 1_000) }, limit }),
    ]);
    return {
      available: balance.available.map(upper),
      pending: balance.pending.map(upper),
      payouts: payouts.data
        .filter(({ status }) => status === "pending" || status === "in_transit")
        .map(({ id, arrival_date, ...money }) => ({ payoutId: id, ...upper(money), arrivesAt: arrival_date * 1_000 })),
    };
  } catch (error) {
    throw classified(error);
  }
}
