/**
 * The least amount that the payment provider takes, in the smallest unit of each currency that has cents (1/100). A
 * lower price could never be paid.
 * https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts (looked up 2026-11-24)
 */
export const leastCharges: Readonly<Record<string, number>> = {
  AED: 200,
  AUD: 50,
  BGN: 100,
  BRL: 50,
  CAD: 50,
  CHF: 50,
  CZK: 1_500,
  DKK: 250,
  EUR: 50,
  GBP: 30,
  HKD: 400,
  HUF: 17_500,
  INR: 50,
  MXN: 1_000,
  MYR: 200,
  NOK: 300,
  NZD: 50,
  PLN: 200,
  RON: 200,
  SEK: 300,
  SGD: 50,
  THB: 1_000,
  USD: 50,
};

/**
 * Whether the provider takes this amount. Of a currency without an entry no least amount is known, and the provider itself
 * refuses what is too small.
 * @param cents from 0
 * @param currency ISO 4217
 */
export const isChargeable = (cents: number, currency: string): boolean =>
  cents >= (leastCharges[currency.toUpperCase()] ?? 1);

/** The sentence about an amount that is too small: `at least 0.50 CAD, the least that the payment provider takes`. */
export const leastChargeOf = (currency: string): string =>
  `at least ${((leastCharges[currency.toUpperCase()] ?? 1) / 100).toFixed(2)} ${currency.toUpperCase()}, the least that the payment provider takes`;
