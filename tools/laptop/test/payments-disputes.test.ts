/** Disputes and payouts of the payment provider, as its official client and its webhook see them. */
import { afterEach, describe, expect, test } from "@jest/globals";
import type Stripe from "stripe";
import type { PaymentsOptions } from "../payments/index.ts";
import {
  closeAll,
  dinner,
  everyEvent,
  givenFolderOf,
  givenKilled,
  givenPayments,
  problemOf,
  type World,
} from "./payments.ts";

afterEach(closeAll);

async function paid({ stripe, payments, webhook }: World, more: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  const { id } = await stripe.checkout.sessions.create(dinner(more));
  const { payment_intent } = payments.pay(id);
  await payments.settled();
  webhook.heard.length = 0;
  return { id, intent: String(payment_intent) };
}

/** A paid dinner of CAD 30.00. */
async function givenPaid(options: PaymentsOptions = {}) {
  const world = await givenPayments({ enabledEvents: everyEvent, ...options });
  return { ...world, ...(await paid(world)) };
}

const linesOf = ({ payments }: Pick<World, "payments">) =>
  payments.balanceTransactions().map(({ type, reporting_category, net }) => [type, reporting_category, net]);

const typesOf = (world: World): string[] =>
  world
    .told()
    .map(([type]) => type)
    .sort();

test("the bank takes the money back, and a fee with it", async () => {
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
  expect(linesOf(world)[1]).toEqual(["adjustment", "dispute", -4500]);
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
});

test("meanwhile nothing is refunded", async () => {
  const { stripe, payments, id, intent } = await givenPaid();
  payments.dispute(id);
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
  expect(linesOf(world).slice(1)).toEqual([
    ["adjustment", "dispute", -4500],
    ["adjustment", "dispute_reversal", 3000],
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
    ["refund", "refund", -500],
    ["refund", "refund", -700],
    ["refund_failure", "refund_failure", 700],
    ["adjustment", "dispute", -4000],
  ]);
  await payments.settled();
  expect(typesOf(world).filter((type) => type === "refund.failed")).toHaveLength(2);
});

test("what is refunded or not paid cannot be disputed", async () => {
  const world = await givenPaid();
  const { stripe, payments, id } = world;
  payments.refundInDashboard(id);
  const { id: open } = await stripe.checkout.sessions.create(dinner());
  for (const one of [id, open]) expect(() => payments.dispute(one)).toThrow("cannot be disputed");
  expect(() => payments.dispute("cs_test_no")).toThrow("No such checkout session");
  expect(() => payments.closeDispute(id, "won")).toThrow("already closed");
  expect(payments.disputes()).toEqual([]);
});

describe("a payout", () => {
  /** Two payments, a refund that succeeds, one that fails, and a dispute that is won. */
  async function givenTrade() {
    const world = await givenPaid();
    const { stripe, payments, intent } = world;
    const other = await paid(world);
    await stripe.refunds.create({ payment_intent: intent, amount: 1000 });
    const { id } = await stripe.refunds.create({ payment_intent: intent, amount: 500 });
    payments.moveRefund(id, "fail");
    payments.dispute(other.id);
    payments.closeDispute(other.id, "won");
    await payments.settled();
    world.webhook.heard.length = 0;
    return world;
  }
  const balance = 2 * 2883 - 1000 - 500 + 500 - 4500 + 3000;

  test("sends all lines to the bank: together they are its amount", async () => {
    const world = await givenTrade();
    const { stripe, payments, told } = world;
    const payout = payments.payOut();
    expect(payout).toMatchObject({
      id: expect.stringMatching(/^po_/),
      object: "payout",
      amount: balance,
      currency: "cad",
      status: "paid",
      reconciliation_status: "completed",
      automatic: true,
    });
    const lines: Stripe.BalanceTransaction[] = [];
    const listed = stripe.balanceTransactions.list({ payout: payout.id, limit: 3, expand: ["data.source"] });
    for await (const line of listed) lines.push(line);
    expect(lines.map(({ type }) => type)).toEqual([
      "payout",
      "adjustment",
      "adjustment",
      "refund_failure",
      "refund",
      "refund",
      "charge",
      "charge",
    ]);
    const [own, ...rest] = lines;
    expect(rest.reduce((sum, { net }) => sum + net, 0)).toBe(payout.amount);
    expect(own).toMatchObject({ id: payout.balance_transaction, net: -payout.amount, source: { id: payout.id } });
    expect(rest.every(({ amount, fee, net }) => net === amount - fee)).toBe(true);
    expect(await stripe.payouts.retrieve(payout.id)).toEqual(expect.objectContaining({ ...payout }));
    expect((await stripe.payouts.list({ limit: 1 })).data).toEqual([payout]);
    await payments.settled();
    expect(told().sort()).toEqual([
      ["payout.paid", payout.id],
      ["payout.reconciliation_completed", payout.id],
    ]);
    expect(payments.deliveries().at(-1)?.sessionId).toBeUndefined();
  });

  test("does not contain what an earlier one has paid out", async () => {
    const world = await givenTrade();
    const { stripe, payments } = world;
    payments.payOut();
    const { intent } = await paid(world);
    const second = payments.payOut();
    expect(second.amount).toBe(2883);
    const { data } = await stripe.balanceTransactions.list({ payout: second.id });
    expect(data.map(({ type }) => type)).toEqual(["payout", "charge"]);
    expect((await stripe.payouts.list()).data.map(({ id }) => id)).toEqual(
      payments
        .payouts()
        .map(({ id }) => id)
        .reverse(),
    );
    const all = await stripe.balanceTransactions.list({ limit: 100 });
    expect(all.data.reduce((sum, { net }) => sum + net, 0)).toBe(0);
    expect((await stripe.paymentIntents.retrieve(intent)).status).toBe("succeeded");
  });

  test("waits until the balance is more than nothing", async () => {
    const world = await givenPaid();
    const { payments, id } = world;
    payments.dispute(id);
    expect(() => payments.payOut()).toThrow("insufficient funds");
    payments.closeDispute(id, "won");
    expect(payments.payOut().amount).toBe(1383);
    expect(() => payments.payOut()).toThrow("insufficient funds");
  });

  test("is in one currency", async () => {
    const world = await givenPaid();
    const { payments } = world;
    await paid(world, {
      line_items: [{ price_data: { currency: "jpy", unit_amount: 1000, product_data: { name: "A" } }, quantity: 1 }],
    });
    expect(payments.payOut("jpy")).toMatchObject({ amount: 941, currency: "jpy" });
    expect(payments.payOut()).toMatchObject({ amount: 2883, currency: "cad" });
  });
});

test("disputes, lines and payouts survive a kill", async () => {
  const directory = await givenFolderOf();
  const world = await givenPaid({ directory });
  const { payments, id, clock } = world;
  await paid(world);
  payments.dispute(id);
  payments.closeDispute(id, "won");
  payments.payOut();
  const other = await paid(world);
  payments.dispute(other.id);

  const between = await givenKilled(directory, clock.now());
  const after = (await givenKilled(between.folder, clock.now())).payments;
  expect(after.disputes()).toEqual(payments.disputes());
  expect(after.balanceTransactions()).toEqual(payments.balanceTransactions());
  expect(after.payouts()).toEqual(payments.payouts());
  expect(after.closeDispute(other.id, "won")).toMatchObject({ status: "won" });
  expect(after.payOut()).toMatchObject({ amount: 1383 });
});
