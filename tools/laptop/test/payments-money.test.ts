/**
 * Refunds, disputes and payouts: what each way tells the webhook and does to the balance, and what the provider refuses. How
 * they meet the club's service: test/model/refunds.test.ts and test/service/treasurer.test.ts.
 */
import { afterEach, expect, test } from "@jest/globals";
import Stripe from "stripe";
import type { DisputeStatus } from "../payments/dispute.ts";
import type { NewDispute } from "../payments/disputes.ts";
import { closeAll, dinner, givenPaid, givenPayments, linesOf, problemOf, typesOf, type World } from "./payments.ts";

afterEach(closeAll);

// biome-ignore format: one row a way
const disputes: readonly (readonly [name: string, details: NewDispute, then: readonly DisputeStatus[], lines: readonly number[], refund: string, told: readonly string[]])[] = [
  ["an inquiry, closed", { status: "warning_needs_response" }, ["warning_under_review", "warning_closed"], [], "succeeded", ["created", "updated", "closed"]],
  ["an inquiry that becomes a dispute", { status: "warning_needs_response" }, ["needs_response", "lost"], [-4500], "charge_disputed", ["created", "updated", "funds_withdrawn", "closed"]],
  ["an appeal that is lost", {}, ["under_review", "won", "appeal_needs_response", "appeal_under_review", "lost"], [-4500, 3000, -4500], "charge_disputed", ["created", "funds_withdrawn", "updated", "closed", "funds_reinstated", "updated", "funds_withdrawn", "updated", "closed"]],
  ["a part that is won", { amount: 1000 }, ["won"], [-2500, 1000], "succeeded", ["created", "funds_withdrawn", "closed", "funds_reinstated"]],
  ["a prevented one", { status: "prevented" }, [], [-4500], "charge_disputed", ["created", "funds_withdrawn"]],
];

test.each(disputes)("dispute, %s", async (_, details, then, lines, refund, told) => {
  const world = await givenPaid();
  const { payments, stripe, id, intent } = world;
  const { id: dispute } = payments.dispute(id, details);
  for (const status of then) expect(payments.moveDispute(dispute, status).status).toBe(status);
  const { balance_transactions } = await stripe.disputes.retrieve(dispute);
  expect(balance_transactions.map(({ net }) => net)).toEqual(lines);
  await payments.settled();
  expect(typesOf(world)).toEqual(told.map((one) => `charge.dispute.${one}`).sort());
  const refunded = stripe.refunds.create({ payment_intent: intent }).then(
    ({ status }) => status,
    ({ code }) => code,
  );
  expect(await refunded).toBe(refund);
});

test("only what is left of a payment is disputed, and pending refunds of it fail", async () => {
  const world = await givenPaid();
  const { stripe, payments, id, intent } = world;
  await stripe.refunds.create({ payment_intent: intent, amount: 500 });
  payments.refundsWait(true);
  await stripe.refunds.create({ payment_intent: intent, amount: 700 });
  expect(payments.dispute(id)).toMatchObject({ amount: 2500 });
  const failed = { status: "failed", failure_reason: "charge_for_pending_refund_disputed" };
  expect(payments.refunds()).toMatchObject([{ status: "succeeded" }, failed]);
  const lines = [-500, -700, 700, -4000];
  expect(linesOf(world).slice(1)).toEqual(lines.map((net) => [expect.any(String), net]));
  expect(() => payments.dispute(id)).toThrow("cannot be disputed");
});

test.each<["pending" | "paid", readonly ("in_transit" | "paid" | "failed")[], readonly string[]]>([
  ["paid", [], ["created", "paid", "reconciliation_completed"]],
  ["paid", ["failed"], ["created", "failed", "paid", "reconciliation_completed"]],
  ["pending", ["in_transit", "paid"], ["created", "paid", "reconciliation_completed", "updated"]],
  ["pending", ["in_transit", "failed"], ["created", "failed", "reconciliation_completed", "updated"]],
])("a payout that is %s, then %j", async (first, then, told) => {
  const world = await givenPaid();
  const { payments } = world;
  const { id } = payments.payOut(first);
  for (const status of then) payments.movePayout(id, status);
  const back = then.at(-1) === "failed" ? [["payout_failure", 2883]] : [];
  expect(linesOf(world)).toEqual([["charge", 2883], ["payout", -2883], ...back]);
  await payments.settled();
  expect(typesOf(world)).toEqual(told.map((one) => `payout.${one}`));
});

/** Refunds that are refused, each after what has happened before; the payment is CAD 30.00. */
// biome-ignore format: one row a refusal
const refusals: readonly (readonly [name: string, before: (world: World & { intent: string }) => unknown, wish: object, code: string | undefined, message: string])[] = [
  ["more than the charge", () => {}, { amount: 3001 }, undefined, "Refund amount ($30.01) is greater than charge amount ($30.00)"],
  ["more than is left", ({ stripe, intent }) => stripe.refunds.create({ payment_intent: intent, amount: 1000 }), { amount: 2001 }, undefined, "Refund amount ($20.01) is greater than unrefunded amount on charge ($20.00)"],
  ["nothing is left", ({ stripe, intent }) => stripe.refunds.create({ payment_intent: intent }), {}, "charge_already_refunded", "has already been refunded."],
  ["nothing", () => {}, { amount: 0 }, "parameter_invalid_integer", "greater than or equal to 1"],
  ["an unknown payment", () => {}, { payment_intent: "pi_no" }, "resource_missing", "No such payment_intent: 'pi_no'"],
  ["an unknown parameter", () => {}, { colour: "red" }, "parameter_unknown", "Received unknown parameter: colour"],
];

test.each(refusals)("a refund is refused: %s", async (_, before, wish, code, message) => {
  const world = await givenPaid();
  await before(world);
  const refund = { payment_intent: world.intent, ...wish } as Stripe.RefundCreateParams;
  const problem = await problemOf(world.stripe.refunds.create(refund));
  expect(problem).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
  expect([problem.code, problem.message]).toEqual([code, expect.stringContaining(message)]);
});

test("a payment that is on its way has no charge to refund", async () => {
  const { stripe, payments } = await givenPayments();
  const { id } = await stripe.checkout.sessions.create(dinner());
  const intent = String(payments.payLater(id).payment_intent);
  const { message } = await problemOf(stripe.refunds.create({ payment_intent: intent }));
  expect(message).toBe(`This PaymentIntent (${intent}) does not have a successful charge to refund.`);
  payments.arrive(id);
  expect(await stripe.refunds.create({ payment_intent: intent })).toMatchObject({ status: "succeeded", amount: 3000 });
});

test("refunds wait for a developer, or for a balance that covers them", async () => {
  const { stripe, payments, intent } = await givenPaid();
  const refund = async (amount: number) => (await stripe.refunds.create({ payment_intent: intent, amount })).id;
  payments.refundsWait(true);
  const [processing] = [await refund(100)];
  payments.refundsWait(false);
  payments.poorBalance(true);
  const [, poor] = [await refund(2700), await refund(150)];
  expect(payments.refunds()).toMatchObject([
    { status: "pending", pending_reason: "processing" },
    { status: "succeeded" },
    { status: "pending", pending_reason: "insufficient_funds" },
  ]);
  expect(payments.moveRefund(processing, "succeed")).toMatchObject({ status: "succeeded" });
  expect(payments.moveRefund(poor, "fail")).toMatchObject({ failure_reason: "insufficient_funds" });
  expect(() => payments.moveRefund(processing, "succeed")).toThrow("This refund has a status of succeeded.");
});
