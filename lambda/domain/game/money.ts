/** Exact amounts: whole cents and whole shares inside, decimals only where JSON comes in or goes out. Pure. */
import { ValidationFailed } from "#kit/errors.ts";

/** A fraction of whole numbers, rounded to the nearest whole number; a half goes up. The divisor is positive. */
export function roundedHalfUp(dividend: number, divisor: number): number {
  const rest = ((dividend % divisor) + divisor) % divisor;
  const whole = (dividend - rest) / divisor;
  return rest * 2 >= divisor ? whole + 1 : whole;
}

/** `amount * part / whole`, rounded half up; for amounts whose product is beyond the exact integers. None is negative. */
export function share(amount: number, part: number, whole: number): number {
  const [a, p, w] = [BigInt(amount), BigInt(part), BigInt(whole)];
  return Number((2n * a * p + w) / (2n * w));
}

/** A double that holds a decimal is off by a few units in its last place. */
const tolerance = 1e-14;

/**
 * A decimal from JSON as a whole number of its smallest unit: 1.15 with 2 decimals is 115.
 * @param path where it is in the body
 * @throws ValidationFailed when it has more decimals
 */
export function inUnits(value: number, decimals: number, path: string): number {
  const scaled = value * 10 ** decimals;
  const units = Math.round(scaled);
  if (Math.abs(scaled - units) > Math.max(1, Math.abs(scaled)) * tolerance) {
    throw new ValidationFailed([{ path, message: `must have at most ${decimals} decimals` }]);
  }
  return units + 0;
}

/** Cents as they are shown: a number with two decimals. */
export const shown = (cents: number): number => cents / 100;
