/**
 * The prices of a stage. A missing or invalid variable stops the function at its first start, and the error names the
 * variable.
 */
import { expect, jest, test } from "@jest/globals";

const load = async (variables: Readonly<Record<string, string>>) => {
  jest.resetModules();
  Object.assign(process.env, { MEMBERSHIP_PRICE: "1500", CURRENCY: "CAD", ...variables });
  return (await import("#domain/payments/prices.ts")).prices;
};

test("an amount in cents and a currency are accepted", async () => {
  expect(await load({})).toEqual({ membership: 1_500, currency: "CAD" });
});

test.each([
  ["MEMBERSHIP_PRICE", ["", "0", "-1", "15.5", "fifteen", "1e400"]],
  ["CURRENCY", ["", "$", "CADS"]],
])("an invalid %s is named in the error", async (name, values) => {
  for (const value of values) await expect(load({ [name]: value })).rejects.toThrow(`${name} must be`);
});
