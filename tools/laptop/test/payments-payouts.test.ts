/** Payouts and the balance of the payment provider, as its official client and its webhook see them. */
import { afterEach, expect, test } from "@jest/globals";
import { closeAll, givenPaid, linesOf, paid, typesOf } from "./payments.ts";

afterEach(closeAll);

type Way = readonly [
  first: "pending" | "paid",
  then: readonly ("in_transit" | "paid" | "failed")[],
  told: readonly string[],
];
test.each<Way>([
  ["paid", [], ["created", "paid", "reconciliation_completed"]],
  ["paid", ["failed"], ["created", "failed", "paid", "reconciliation_completed"]],
  ["pending", ["in_transit", "paid"], ["created", "paid", "reconciliation_completed", "updated"]],
  ["pending", ["in_transit", "failed"], ["created", "failed", "reconciliation_completed", "updated"]],
])("a payout that is %s, then %j", async (first, then, told) => {
  const world = await givenPaid();
  const { stripe, payments, clock } = world;
  const { id, arrival_date } = payments.payOut(first);
  expect(arrival_date - clock.now() / 1000).toBe(first === "paid" ? 0 : 2 * 86_400);
  const expected = await stripe.payouts.list({ arrival_date: { gte: clock.now() / 1000 + 1 } });
  expect(expected.data.map(({ status }) => status)).toEqual(first === "paid" ? [] : ["pending"]);
  for (const status of then) payments.movePayout(id, status);
  const status = then.at(-1) ?? first;
  const hasFailed = status === "failed";
  expect((await stripe.payouts.list({ status })).data).toMatchObject([
    { id, status, amount: 2883, automatic: true, failure_code: hasFailed ? "account_closed" : null },
  ]);
  expect((await stripe.payouts.list({ status: hasFailed ? "paid" : "failed" })).data).toEqual([]);
  const back = hasFailed ? [["payout_failure", 2883]] : [];
  expect(linesOf(world)).toEqual([["charge", 2883], ["payout", -2883], ...back]);
  const { available, pending } = await stripe.balance.retrieve();
  const cad = { currency: "cad", amount: 2883, source_types: { card: 2883 } };
  expect([available, pending.map(({ amount }) => amount)]).toEqual(hasFailed ? [[cad], [0]] : [[], []]);
  await payments.settled();
  expect(typesOf(world)).toEqual(told.map((one) => `payout.${one}`));
  expect(() => payments.movePayout(id, hasFailed || status === "paid" ? "in_transit" : "paid")).toThrow(
    "has a status of",
  );
});

test("what a failed payout has brought back is in the next one", async () => {
  const world = await givenPaid();
  const { payments, stripe } = world;
  payments.movePayout(payments.payOut().id, "failed");
  await paid(world);
  const { id } = payments.payOut();
  const { data } = await stripe.balanceTransactions.list({ payout: id });
  expect(data.map(({ type, net }) => [type, net])).toEqual([
    ["payout", -5766],
    ["charge", 2883],
    ["payout_failure", 2883],
  ]);
  expect(() => payments.payOut()).toThrow("insufficient funds");
});
