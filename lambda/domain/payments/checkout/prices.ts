/** The stage's prices of a membership, in cents, and their currency. */
import { requiredEnv } from "#kit/env.ts";
import type { MembershipPrices } from "./membership-price.ts";
import type { Prices } from "./open-checkout.ts";

const membership = Number(requiredEnv("MEMBERSHIP_PRICE"));
const currency = requiredEnv("CURRENCY");

// Checked at startup, so that a function without valid prices fails immediately.
if (!Number.isSafeInteger(membership) || membership <= 0) {
  throw new Error("MEMBERSHIP_PRICE must be a number of cents.");
}
if (!/^[A-Z]{3}$/i.test(currency)) throw new Error("CURRENCY must be three letters.");

const memberships: MembershipPrices = JSON.parse(requiredEnv("MEMBERSHIP_PRICES"));

export const prices: Prices = { membership, memberships, currency };
