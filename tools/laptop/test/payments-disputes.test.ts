/** Disputes of the payment provider, as its official client and its webhook see them. */
import { afterEach, expect, test } from "@jest/globals";
import type { DisputeStatus } from "../payments/dispute.ts";
import type { NewDispute } from "../payments/disputes.ts";
import { chargeOf, closeAll, givenPaid, linesOf, problemOf, typesOf } from "./payments.ts";

afterEach(closeAll);

test("the bank takes the money back, and a fee with it; meanwhile nothing is refunded", async () => {
  const world = await givenPaid();
  const { stripe, payments, id, intent, clock } = world;
  const dispute = payments.dispute(id);
  expect(dispute).toMatchObject({
    ...{ id: expect.stringMatching(/^du_/), object: "dispute", amount: 3000, currency: "cad", payment_intent: intent },
    ...{ charge: expect.stringMatching(/^ch_/), created: clock.now() / 1000, is_charge_refundable: false },
    balance_transactions: [{ amount: -3000, fee: 1500, net: -4500, source: dispute.id }],
  });
  expect(await chargeOf(world, intent)).toMatchObject({ disputed: true, amount_refunded: 0 });
  expect((await stripe.disputes.list()).data).toEqual([dispute]);
  const problem = await problemOf(stripe.refunds.create({ payment_intent: intent }));
  expect([problem.statusCode, problem.code, problem.message]).toEqual([
    400,
    "charge_disputed",
    expect.stringMatching(/^Charge ch_\w+ has been charged back; cannot issue a refund\.$/),
  ]);
  expect(() => payments.refundInDashboard(id)).toThrow("has been charged back");
  expect(() => payments.dispute(id)).toThrow("cannot be disputed");
});

type Way = readonly [
  name: string,
  details: NewDispute,
  then: readonly DisputeStatus[],
  lines: readonly number[],
  isRefundable: boolean,
  told: readonly string[],
];
// biome-ignore format: one row a way
const ways: readonly Way[] = [
  ["an inquiry, closed", { status: "warning_needs_response" }, ["warning_under_review", "warning_closed"], [], true, ["created", "updated", "closed"]],
  ["an inquiry that becomes a dispute", { status: "warning_needs_response" }, ["needs_response", "lost"], [-4500], false, ["created", "updated", "funds_withdrawn", "closed"]],
  ["an appeal that is lost", {}, ["under_review", "won", "appeal_needs_response", "appeal_under_review", "lost"], [-4500, 3000, -4500], false, ["created", "funds_withdrawn", "updated", "closed", "funds_reinstated", "updated", "funds_withdrawn", "updated", "closed"]],
  ["a part that is won", { amount: 1000 }, ["won"], [-2500, 1000], true, ["created", "funds_withdrawn", "closed", "funds_reinstated"]],
  ["a prevented one", { status: "prevented" }, [], [-4500], false, ["created", "funds_withdrawn"]],
];

test.each(ways)("%s: its lines in the balance, its events and whether the rest can be refunded", async (...way) => {
  const [, details, then, lines, isRefundable, told] = way;
  const world = await givenPaid();
  const { payments, stripe, id, intent } = world;
  const { id: dispute } = payments.dispute(id, details);
  for (const status of then) expect(payments.moveDispute(dispute, status).status).toBe(status);
  const now = await stripe.disputes.retrieve(dispute);
  expect([now.balance_transactions.map(({ net }) => net), now.is_charge_refundable]).toEqual([lines, isRefundable]);
  await payments.settled();
  expect(typesOf(world)).toEqual(told.map((one) => `charge.dispute.${one}`).sort());
  const refund = stripe.refunds.create({ payment_intent: intent });
  expect(
    await refund.then(
      ({ status }) => status,
      ({ code }) => code,
    ),
  ).toBe(isRefundable ? "succeeded" : "charge_disputed");
});

test("a payment is disputed again as long as something is left of it", async () => {
  const { payments, id } = await givenPaid();
  const first = payments.dispute(id, { amount: 1000 });
  expect(() => payments.dispute(id, { amount: 2001 })).toThrow("cannot be disputed");
  expect(payments.dispute(id)).toMatchObject({ amount: 2000 });
  expect(payments.moveDispute(first.id, "lost")).toMatchObject({ id: first.id });
  expect(payments.closeDispute(id, "won")).toMatchObject({ amount: 2000, status: "won" });
  expect(() => payments.closeDispute(id, "lost")).toThrow("This dispute is already closed");
});

test("of a payment that was refunded while the bank asked, nothing is taken", async () => {
  const { payments, id } = await givenPaid();
  payments.dispute(id, { status: "warning_needs_response" });
  payments.refundInDashboard(id, 2900);
  expect(payments.moveDispute(id, "needs_response").balance_transactions).toMatchObject([{ amount: -100 }]);
  payments.moveDispute(id, "won");
  payments.refundInDashboard(id);
  expect(payments.moveDispute(id, "appeal_needs_response").balance_transactions).toHaveLength(2);
});

test("only what is left of a payment is disputed, and pending refunds of it fail", async () => {
  const world = await givenPaid();
  const { stripe, payments, id, intent } = world;
  await stripe.refunds.create({ payment_intent: intent, amount: 500 });
  payments.refundsWait(true);
  const processing = await stripe.refunds.create({ payment_intent: intent, amount: 700 });
  expect(payments.dispute(id, { status: "warning_needs_response" })).toMatchObject({ amount: 2500 });
  expect(payments.refunds()).toMatchObject([{ status: "succeeded" }, { id: processing.id, status: "pending" }]);
  payments.moveDispute(id, "needs_response");
  const failed = { status: "failed", failure_reason: "charge_for_pending_refund_disputed" };
  expect(payments.refunds()).toMatchObject([{ status: "succeeded" }, failed]);
  expect(linesOf(world).slice(1)).toEqual([
    ["refund", -500],
    ["refund", -700],
    ["refund_failure", 700],
    ["adjustment", -4000],
  ]);
  await payments.settled();
  expect(typesOf(world).filter((type) => type === "refund.failed")).toHaveLength(1);
});
