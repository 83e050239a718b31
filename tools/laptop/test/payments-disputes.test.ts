/** Disputes and payouts of the payment provider, as its official client and its webhook see them. */
import { afterEach, expect, test } from "@jest/globals";
import type Stripe from "stripe";
import { closeAll, dinner, givenPaid, linesOf, paid, problemOf, typesOf } from "./payments.ts";

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
    evidence_details: { due_by: Date.parse("2026-03-09T23:59:59Z") / 1000, has_evidence: false },
  });
  expect(linesOf(world)[1]).toEqual(["adjustment", -4500]);
  const intentNow = await stripe.paymentIntents.retrieve(intent, { expand: ["latest_charge"] });
  expect(intentNow.latest_charge).toMatchObject({ disputed: true, amount_refunded: 0 });
  expect((await stripe.disputes.list({ payment_intent: intent })).data).toEqual([dispute]);
  expect((await stripe.disputes.list({ payment_intent: "pi_no" })).data).toEqual([]);
  expect(await stripe.disputes.retrieve(dispute.id)).toMatchObject({ id: dispute.id });
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

test("after a lost dispute the money is gone, and nothing is refunded", async () => {
  const world = await givenPaid();
  const { stripe, payments, id, intent, webhook } = world;
  payments.dispute(id);
  await payments.settled();
  webhook.heard.length = 0;
  expect(payments.closeDispute(id, "lost")).toMatchObject({ status: "lost", is_charge_refundable: false });
  expect(linesOf(world)).toHaveLength(2);
  await payments.settled();
  expect(typesOf(world)).toEqual(["charge.dispute.closed"]);
  expect(await problemOf(stripe.refunds.create({ payment_intent: intent }))).toMatchObject({ code: "charge_disputed" });
});

test("only what is left of a payment is disputed, and pending refunds of it fail", async () => {
  const world = await givenPaid();
  const { stripe, payments, id, intent } = world;
  await stripe.refunds.create({ payment_intent: intent, amount: 500 });
  payments.refundsWait(true);
  const processing = await stripe.refunds.create({ payment_intent: intent, amount: 700 });
  payments.emptyBalance(true);
  const waiting = await stripe.refunds.create({ payment_intent: intent, amount: 800 });
  expect(payments.dispute(id)).toMatchObject({ amount: 2500 });
  payments.emptyBalance(false);
  const failed = { status: "failed", failure_reason: "charge_for_pending_refund_disputed" };
  expect(payments.refunds()).toMatchObject([
    { amount: 500, status: "succeeded" },
    { id: processing.id, ...failed },
    { id: waiting.id, ...failed },
  ]);
  expect(linesOf(world).slice(1)).toEqual([
    ["refund", -500],
    ["refund", -700],
    ["refund_failure", 700],
    ["adjustment", -4000],
  ]);
  await payments.settled();
  expect(typesOf(world).filter((type) => type === "refund.failed")).toHaveLength(2);
});

test("a bank disputes the whole although a part was refunded", async () => {
  const { payments, id } = await givenPaid();
  payments.refundInDashboard(id, 400);
  expect(payments.dispute(id, { isWhole: true })).toMatchObject({ amount: 3000 });
});

test("what is refunded or not paid cannot be disputed", async () => {
  const { stripe, payments, id } = await givenPaid();
  payments.refundInDashboard(id);
  const { id: open } = await stripe.checkout.sessions.create(dinner());
  for (const one of [id, open]) expect(() => payments.dispute(one)).toThrow("cannot be disputed");
  expect(() => payments.dispute("cs_test_no")).toThrow("No such checkout session");
  expect(() => payments.closeDispute(id, "won")).toThrow("already closed");
  expect(payments.disputes()).toEqual([]);
});

test("an inquiry takes no money, can be refunded, and ends with the whole refund", async () => {
  const world = await givenPaid();
  const { stripe, payments, id, intent } = world;
  expect(payments.dispute(id, { as: "inquiry" })).toMatchObject({
    status: "warning_needs_response",
    balance_transactions: [],
    is_charge_refundable: true,
  });
  payments.advanceDispute(id, "under review");
  await stripe.refunds.create({ payment_intent: intent, amount: 1000 });
  expect(payments.disputes()).toMatchObject([{ status: "warning_under_review" }]);
  await stripe.refunds.create({ payment_intent: intent });
  expect(payments.disputes()).toMatchObject([{ status: "warning_closed" }]);
  expect(linesOf(world).slice(1)).toEqual([
    ["refund", -1000],
    ["refund", -2000],
  ]);
});

test("an inquiry without an answer becomes a dispute with its fee", async () => {
  const world = await givenPaid();
  const { stripe, payments, id, intent } = world;
  payments.dispute(id, { as: "inquiry" });
  expect(payments.advanceDispute(id, "dispute")).toMatchObject({ status: "needs_response" });
  expect(linesOf(world)[1]).toEqual(["adjustment", -4500]);
  expect(await problemOf(stripe.refunds.create({ payment_intent: intent }))).toMatchObject({ code: "charge_disputed" });
});

test.each([
  ["prevented, a line", ["adjustment", -3000]],
  ["prevented, a refund", ["refund", -3000]],
] as const)("the network gives the money back without a fee: %s", async (as, line) => {
  const world = await givenPaid();
  expect(world.payments.dispute(world.id, { as })).toMatchObject({ status: "prevented" });
  expect(linesOf(world)[1]).toEqual(line);
});

test("a payout sends all lines to the bank that no earlier one has sent: together they are its amount", async () => {
  const world = await givenPaid();
  const { stripe, payments, id, intent, told, webhook } = world;
  await stripe.refunds.create({ payment_intent: intent, amount: 1000 });
  payments.payOut();
  const other = await paid(world);
  const failing = await stripe.refunds.create({ payment_intent: other.intent, amount: 500 });
  payments.moveRefund(failing.id, "fail");
  await payments.settled();
  webhook.heard.length = 0;
  const payout = payments.payOut();
  expect(payout).toMatchObject({
    id: expect.stringMatching(/^po_/),
    object: "payout",
    amount: 2883,
    currency: "cad",
    status: "paid",
    reconciliation_status: "completed",
    automatic: true,
  });
  const lines: Stripe.BalanceTransaction[] = [];
  const listed = stripe.balanceTransactions.list({ payout: payout.id, limit: 3, expand: ["data.source"] });
  for await (const line of listed) lines.push(line);
  expect(lines.map(({ type, net }) => [type, net])).toEqual([
    ["payout", -2883],
    ["refund_failure", 500],
    ["refund", -500],
    ["charge", 2883],
  ]);
  expect(lines[0]).toMatchObject({ id: payout.balance_transaction, source: { id: payout.id } });
  expect(await stripe.payouts.retrieve(payout.id)).toEqual(expect.objectContaining({ ...payout }));
  expect((await stripe.payouts.list()).data).toEqual(payments.payouts().reverse());
  await payments.settled();
  expect(told().sort()).toEqual([
    ["payout.paid", payout.id],
    ["payout.reconciliation_completed", payout.id],
  ]);
  expect(payments.deliveries().at(-1)?.sessionId).toBeUndefined();
  expect(() => payments.payOut()).toThrow("insufficient funds");
  payments.dispute(id);
  expect(() => payments.payOut()).toThrow("insufficient funds");
});

test("a manual payout names no lines, and a failed one brings its amount back", async () => {
  const { stripe, payments } = await givenPaid();
  const manual = payments.payOut("cad", true);
  expect(manual).toMatchObject({ automatic: false, reconciliation_status: "not_applicable" });
  expect((await problemOf(stripe.balanceTransactions.list({ payout: manual.id }))).message).toMatch(/not manual/);
  expect(payments.failPayout(manual.id)).toMatchObject({ status: "failed", failure_code: "account_closed" });
  expect(payments.payOut()).toMatchObject({ amount: 2883, automatic: true });
});
