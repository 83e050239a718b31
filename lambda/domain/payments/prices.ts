/** The stage's price of a membership, in cents, and its currency. */
import { requiredEnv, type SettingName } from "#kit/env.ts";
import type { Prices } from "./open-checkout.ts";

function cents(name: SettingName): number {
  const value = Number(requiredEnv(name));
  if (!Number.isSafeInteger(value) || value <= 0) throw new Error(`${name} must be a number of cents.`);
  return value;
}

function currency(name: SettingName): string {
  const value = requiredEnv(name);
  if (!/^[A-Z]{3}$/i.test(value)) throw new Error(`${name} must be three letters.`);
  return value;
}

/** Read when the function starts, so that a function without valid prices fails at once. */
export const prices: Prices = { membership: cents("MEMBERSHIP_PRICE"), currency: currency("CURRENCY") };
