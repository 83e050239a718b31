/**
 * The minimum amount that the payment provider accepts, in cents, for each currency with cents. A seat with a lower
 * price could be held, but never paid.
 * https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts (looked up 2026-11-24)
 */
export const minimumCharges: Readonly<Record<string, number>> = {
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
 * Whether the provider accepts this amount. The minimum of a currency without an entry is unknown; the provider refuses
 * a smaller amount itself.
 * @param cents from 0
 * @param currency ISO 4217
 */
export const isChargeable = (cents: number, currency: string): boolean =>
  cents >= (minimumCharges[currency.toUpperCase()] ?? 1);

/** The sentence about an amount that is too small: `at least 0.50 CAD, the least that the payment provider takes`. */
export const minimumChargeText = (currency: string): string =>
  `at least ${((minimumCharges[currency.toUpperCase()] ?? 1) / 100).toFixed(2)} ${currency.toUpperCase()}, the least that the payment provider takes`;
