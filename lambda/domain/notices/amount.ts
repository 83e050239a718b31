import type { Money } from "#outbox/catalogue.ts";

/** Formats an amount: `15.00 CAD`. Pure. */
export const amountText = ({ amount, currency }: Pick<Money, "amount" | "currency">): string =>
  `${(amount / 100).toFixed(2)} ${currency}`;
