/** Lines of a bill, out of counts and one table of prices. Pure. */

/** One line of a bill. */
export interface Line {
  readonly what: string;
  /** Quantity, in the unit of `prices`. */
  readonly count: number;
  readonly usd: number;
}

export const line = (what: string, count: number, price: { readonly usd: number }): Line => ({
  what,
  count,
  usd: count * price.usd,
});

export const totalOf = (lines: readonly Line[]): number => lines.reduce((sum, { usd }) => sum + usd, 0);
