/** What this stage asks for a membership, and in which currency. */
import { requiredEnv } from "#kit/env.ts";
import type { Prices } from "./open-checkout.ts";

function cents(name: string): number {
  const value = Number(requiredEnv(name));
  if (!Number.isSafeInteger(value) || value <= 0) throw new Error(`${name} must be a number of cents.`);
  return value;
}

function currency(name: string): string {
  const value = requiredEnv(name);
  if (!/^[A-Z]{3}$/i.test(value)) throw new Error(`${name} must be three letters.`);
  return value;
}

/** Read at the start: a function without prices does not begin. */
export const prices: Prices = { membership: cents("MEMBERSHIP_PRICE"), currency: currency("CURRENCY") };
