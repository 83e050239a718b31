/** Exact amounts: the service computes in integer cents and shares. Only JSON has decimals. Pure. */
import { ValidationFailed } from "#kit/errors.ts";

/** The quotient of two integers, rounded half up. The divisor must be positive. */
export function roundedHalfUp(dividend: number, divisor: number): number {
  const rest = ((dividend % divisor) + divisor) % divisor;
  const whole = (dividend - rest) / divisor;
  return rest * 2 >= divisor ? whole + 1 : whole;
}

/**
 * `amount * part / whole`, rounded half up, exact even when the product exceeds `Number.MAX_SAFE_INTEGER`. Arguments must
 * not be negative.
 */
export function share(amount: number, part: number, whole: number): number {
  const [a, p, w] = [BigInt(amount), BigInt(part), BigInt(whole)];
  return Number((2n * a * p + w) / (2n * w));
}

/** Largest relative rounding error of a decimal that is stored as a double. */
const tolerance = 1e-14;

/**
 * Converts a decimal from JSON to an integer of its smallest unit: 1.15 with 2 decimals is 115.
 * @param path the JSON pointer of the value in the body
 * @throws ValidationFailed when the value has more decimals
 */
export function inUnits(value: number, decimals: number, path: string): number {
  const scaled = value * 10 ** decimals;
  const units = Math.round(scaled);
  if (Math.abs(scaled - units) > Math.max(1, Math.abs(scaled)) * tolerance) {
    throw new ValidationFailed([{ path, message: `must have at most ${decimals} decimals` }]);
  }
  return units + 0;
}

/** Cents as responses show them: a number with at most two decimals. */
export const shown = (cents: number): number => cents / 100;
