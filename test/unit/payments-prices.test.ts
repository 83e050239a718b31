/**
 * The prices of a stage. A missing or invalid variable stops the function at its first start, and the error names the
 * variable.
 */
import { expect, jest, test } from "@jest/globals";
import { membershipPriceFor } from "#domain/payments/checkout/membership-price.ts";
import type { MembershipForm } from "#domain/people/members/form.ts";

const load = async (variables: Readonly<Record<string, string>>) => {
  jest.resetModules();
  Object.assign(process.env, { MEMBERSHIP_PRICE: "1500", MEMBERSHIP_PRICES: "{}", CURRENCY: "CAD", ...variables });
  return (await import("#domain/payments/checkout/prices.ts")).prices;
};

test("an amount in cents and a currency are accepted", async () => {
  expect(await load({})).toEqual({ membership: 1_500, memberships: {}, currency: "CAD" });
});

test.each<[string, MembershipForm, number]>([
  ["a value with a price", { education: "UBC" }, 1_200],
  ["the value between spaces", { education: " UBC " }, 1_200],
  ["another value", { education: "UNI" }, 1_500],
  ["a name of every object", { education: "constructor" }, 1_500],
  ["no value", {}, 1_500],
  ["two values with a price: the first field counts", { education: "UBC", year: "1st Year" }, 1_200],
  ["the second field", { education: "UNI", year: "1st Year" }, 1_000],
])("a membership costs what its form says: %s", (_, form, price) => {
  expect(membershipPriceFor(form, 1_500, { education: { UBC: 1_200 }, year: { "1st Year": 1_000 } })).toBe(price);
});

test.each([
  ["MEMBERSHIP_PRICE", ["", "0", "-1", "15.5", "fifteen", "1e400"]],
  ["CURRENCY", ["", "$", "CADS"]],
])("an invalid %s is named in the error", async (name, values) => {
  for (const value of values) await expect(load({ [name]: value })).rejects.toThrow(`${name} must be`);
});
