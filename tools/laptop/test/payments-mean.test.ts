/** What the provider does to an integration that is too trusting: inquiries, prevented disputes, payouts, late events. */
import { afterEach, expect, test } from "@jest/globals";
import { closeAll, givenPayments, type World } from "./payments.ts";

afterEach(closeAll);

async function givenPaid(world: World) {
  const session = await world.stripe.checkout.sessions.create({
    mode: "payment",
    success_url: "https://club.example/",
    line_items: [
      { quantity: 1, price_data: { currency: "cad", unit_amount: 1_000, product_data: { name: "Dinner" } } },
    ],
  });
  const { payment_intent } = world.payments.pay(session.id);
  return { id: session.id, payment_intent: String(payment_intent) };
}
const balance = ({ payments }: World) => payments.balanceTransactions().map(({ type, net }) => [type, net]);

test("an inquiry takes no money, can be refunded, and ends with the whole refund", async () => {
  const world = await givenPayments();
  const { id, payment_intent } = await givenPaid(world);
  expect(world.payments.dispute(id, { as: "inquiry" })).toMatchObject({
    ...{ status: "warning_needs_response", balance_transactions: [], is_charge_refundable: true },
  });
  world.payments.advanceDispute(id, "under review");
  await world.stripe.refunds.create({ payment_intent, amount: 300 });
  expect(world.payments.disputes()).toMatchObject([{ status: "warning_under_review" }]);
  await world.stripe.refunds.create({ payment_intent });
  expect(world.payments.disputes()).toMatchObject([{ status: "warning_closed" }]);
  expect(balance(world)).toEqual([
    ["charge", 941],
    ["refund", -300],
    ["refund", -700],
  ]);
});

test("an inquiry without an answer becomes a dispute with its fee", async () => {
  const world = await givenPayments();
  const { id, payment_intent } = await givenPaid(world);
  world.payments.dispute(id, { as: "inquiry" });
  expect(world.payments.advanceDispute(id, "dispute")).toMatchObject({ status: "needs_response" });
  expect(balance(world)).toContainEqual(["adjustment", -2_500]);
  await expect(world.stripe.refunds.create({ payment_intent })).rejects.toMatchObject({ code: "charge_disputed" });
});

test.each([
  ["prevented, a line", ["adjustment", -1_000]],
  ["prevented, a refund", ["refund", -1_000]],
] as const)("the network gives the money back without a fee: %s", async (as, line) => {
  const world = await givenPayments();
  const { id } = await givenPaid(world);
  expect(world.payments.dispute(id, { as })).toMatchObject({ status: "prevented" });
  expect(balance(world)).toEqual([["charge", 941], line]);
});

test("a bank disputes the whole although a part was refunded", async () => {
  const world = await givenPayments();
  const { id } = await givenPaid(world);
  world.payments.refundInDashboard(id, 400);
  expect(world.payments.dispute(id, { isWhole: true })).toMatchObject({ amount: 1_000 });
});

test("a canceled refund frees its amount", async () => {
  const world = await givenPayments();
  const { id, payment_intent } = await givenPaid(world);
  world.payments.refundsWait(true);
  const { id: refund } = await world.stripe.refunds.create({ payment_intent });
  expect(world.payments.moveRefund(refund, "cancel")).toMatchObject({ status: "canceled" });
  expect(world.payments.refundInDashboard(id)).toMatchObject({ amount: 1_000 });
});

test("a manual payout names no lines, and a failed one brings its amount back", async () => {
  const world = await givenPayments();
  await givenPaid(world);
  const manual = world.payments.payOut("cad", true);
  expect(manual).toMatchObject({ automatic: false, reconciliation_status: "not_applicable" });
  await expect(world.stripe.balanceTransactions.list({ payout: manual.id })).rejects.toThrow(/not manual/);
  expect(world.payments.failPayout(manual.id)).toMatchObject({ status: "failed", failure_code: "account_closed" });
  expect(world.payments.payOut()).toMatchObject({ amount: 941, automatic: true });
});

test("lists begin at a time", async () => {
  const world = await givenPayments();
  const first = await givenPaid(world);
  await world.clock.advance(60_000);
  const second = await givenPaid(world);
  const { created } = world.payments.sessions()[1] ?? { created: 0 };
  const ids = async (interval: object) =>
    (await world.stripe.checkout.sessions.list({ created: interval })).data.map(({ id }) => id);
  expect(await ids({ gte: created })).toEqual([second.id]);
  expect(await ids({ lt: created })).toEqual([first.id]);
});

test("events are late by the hour", async () => {
  const world = await givenPayments();
  world.payments.deliverTo(world.webhook.url);
  world.payments.deliverLate(3_600_000);
  await givenPaid(world);
  await world.payments.settled();
  expect(world.told()).toEqual([]);
  await world.clock.advance(3_600_000);
  await world.payments.settled();
  expect(world.told().map(([type]) => type)).toEqual(["checkout.session.completed"]);
});
