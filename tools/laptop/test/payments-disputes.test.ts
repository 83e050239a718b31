/** Disputes of the payment provider, as its official client and its webhook see them. */
import { afterEach, expect, test } from "@jest/globals";
import { chargeOf, closeAll, givenPaid, linesOf, problemOf, typesOf } from "./payments.ts";

afterEach(closeAll);

test("the bank takes the money back, and a fee with it; meanwhile nothing is refunded", async () => {
  const world = await givenPaid();
  const { stripe, payments, id, intent, clock, told } = world;
  const dispute = payments.dispute(id);
  expect(dispute).toMatchObject({
    id: expect.stringMatching(/^du_/),
    object: "dispute",
    amount: 3000,
    currency: "cad",
    payment_intent: intent,
    charge: expect.stringMatching(/^ch_/),
    created: clock.now() / 1000,
    status: "needs_response",
    reason: "fraudulent",
    is_charge_refundable: false,
    balance_transactions: [{ amount: -3000, fee: 1500, net: -4500, source: dispute.id }],
  });
  expect(linesOf(world)[1]).toEqual(["adjustment", -4500]);
  expect(await chargeOf(world, intent)).toMatchObject({ disputed: true, amount_refunded: 0 });
  expect((await stripe.disputes.list()).data).toEqual([dispute]);
  await payments.settled();
  expect(told().sort()).toEqual([
    ["charge.dispute.created", dispute.id],
    ["charge.dispute.funds_withdrawn", dispute.id],
  ]);
  const problem = await problemOf(stripe.refunds.create({ payment_intent: intent }));
  expect([problem.statusCode, problem.code, problem.message]).toEqual([
    400,
    "charge_disputed",
    expect.stringMatching(/^Charge ch_\w+ has been charged back; cannot issue a refund\.$/),
  ]);
  expect(() => payments.refundInDashboard(id)).toThrow("has been charged back");
  expect(() => payments.dispute(id)).toThrow("cannot be disputed");
});

test("a won dispute brings the amount back, but not the fee, and the charge can be refunded", async () => {
  const world = await givenPaid();
  const { stripe, payments, id, intent, webhook } = world;
  payments.dispute(id);
  await payments.settled();
  webhook.heard.length = 0;
  expect(payments.closeDispute(id, "won")).toMatchObject({
    status: "won",
    is_charge_refundable: true,
    balance_transactions: [{ net: -4500 }, { amount: 3000, fee: 0, net: 3000 }],
  });
  expect(payments.balanceTransactions().map(({ reporting_category }) => reporting_category)).toEqual([
    "charge",
    "dispute",
    "dispute_reversal",
  ]);
  await payments.settled();
  expect(typesOf(world)).toEqual(["charge.dispute.closed", "charge.dispute.funds_reinstated"]);
  expect(await stripe.refunds.create({ payment_intent: intent })).toMatchObject({ status: "succeeded" });
  expect(() => payments.closeDispute(id, "lost")).toThrow("This dispute is already closed");
});

test("only what is left of a payment is disputed, and pending refunds of it fail", async () => {
  const world = await givenPaid();
  const { stripe, payments, id, intent } = world;
  await stripe.refunds.create({ payment_intent: intent, amount: 500 });
  payments.refundsWait(true);
  const processing = await stripe.refunds.create({ payment_intent: intent, amount: 700 });
  expect(payments.dispute(id)).toMatchObject({ amount: 2500 });
  const failed = { status: "failed", failure_reason: "charge_for_pending_refund_disputed" };
  expect(payments.refunds()).toMatchObject([
    { amount: 500, status: "succeeded" },
    { id: processing.id, ...failed },
  ]);
  expect(linesOf(world).slice(1)).toEqual([
    ["refund", -500],
    ["refund", -700],
    ["refund_failure", 700],
    ["adjustment", -4000],
  ]);
  await payments.settled();
  expect(typesOf(world).filter((type) => type === "refund.failed")).toHaveLength(1);
});
