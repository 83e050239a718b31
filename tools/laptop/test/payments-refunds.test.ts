/** Refunds at the payment provider, as its official client and its webhook see them. */
import { afterEach, expect, test } from "@jest/globals";
import Stripe from "stripe";
import { chargeOf, closeAll, dinner, givenPaid, givenPayments, problemOf, typesOf } from "./payments.ts";

afterEach(closeAll);

test("a payment that is on its way has no charge", async () => {
  const { stripe, payments } = await givenPayments();
  const { id } = await stripe.checkout.sessions.create(dinner());
  const intent = String(payments.payLater(id).payment_intent);
  const refused = await problemOf(stripe.refunds.create({ payment_intent: intent }));
  expect([refused.statusCode, refused.message]).toEqual([
    400,
    `This PaymentIntent (${intent}) does not have a successful charge to refund.`,
  ]);
  payments.arrive(id);
  expect(await stripe.refunds.create({ payment_intent: intent })).toMatchObject({ status: "succeeded", amount: 3000 });
});

test("more than the charge is never refunded, and without an amount it is what is left", async () => {
  const world = await givenPaid();
  const { stripe, intent } = world;
  const whole = await problemOf(stripe.refunds.create({ payment_intent: intent, amount: 3001 }));
  expect([whole.statusCode, whole.param, whole.message]).toEqual([
    400,
    "amount",
    "Refund amount ($30.01) is greater than charge amount ($30.00)",
  ]);
  await stripe.refunds.create({ payment_intent: intent, amount: 1000 });
  const part = await problemOf(stripe.refunds.create({ payment_intent: intent, amount: 2001 }));
  expect(part.message).toBe("Refund amount ($20.01) is greater than unrefunded amount on charge ($20.00)");
  expect(await stripe.refunds.create({ payment_intent: intent })).toMatchObject({ amount: 2000, metadata: {} });
  expect(await chargeOf(world, intent)).toMatchObject({ amount_refunded: 3000, refunded: true });
  const again = await problemOf(stripe.refunds.create({ payment_intent: intent }));
  expect([again.statusCode, again.code, again.message]).toEqual([
    400,
    "charge_already_refunded",
    expect.stringMatching(/^Charge ch_\w+ has already been refunded\.$/),
  ]);
});

test.each<[string, object, string, string | undefined]>([
  ["nothing", { amount: 0 }, "amount", "parameter_invalid_integer"],
  ["another reason", { reason: "regret" }, "reason", undefined],
  ["no payment", { payment_intent: undefined }, "payment_intent", "parameter_missing"],
  ["an unknown payment", { payment_intent: "pi_no" }, "payment_intent", "resource_missing"],
  ["an unknown parameter", { colour: "red" }, "colour", "parameter_unknown"],
])("%s: a parameter that the provider would refuse is named", async (_, more, param, code) => {
  const { stripe, payments, intent } = await givenPaid();
  const wrong = { payment_intent: intent, ...more } as Stripe.RefundCreateParams;
  const problem = await problemOf(stripe.refunds.create(wrong));
  expect(problem).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
  expect([problem.param, problem.code]).toEqual([param, code]);
  expect(payments.refunds()).toEqual([]);
});

test("a refund that the balance does not cover waits for it", async () => {
  const { stripe, payments, intent } = await givenPaid();
  payments.poorBalance(true);
  const refund = async (amount: number) => (await stripe.refunds.create({ payment_intent: intent, amount })).id;
  const [, poor, poorer] = [await refund(2800), await refund(100), await refund(50)];
  const waits = { status: "pending", pending_reason: "insufficient_funds" };
  expect(payments.refunds()).toMatchObject([{ status: "succeeded" }, waits, waits]);
  expect(payments.moveRefund(poor, "succeed")).not.toHaveProperty("pending_reason");
  expect(payments.moveRefund(poorer, "fail")).toMatchObject({ failure_reason: "insufficient_funds" });
});

test("when refunds wait, a refund is pending until a developer decides", async () => {
  const world = await givenPaid();
  const { stripe, payments, intent } = world;
  payments.refundsWait(true);
  const { id } = await stripe.refunds.create({ payment_intent: intent, amount: 100 });
  payments.refundsWait(false);
  await stripe.refunds.create({ payment_intent: intent, amount: 300 });
  const processing = { status: "pending", pending_reason: "processing" };
  expect(payments.refunds()).toMatchObject([processing, { status: "succeeded" }]);
  expect(payments.moveRefund(id, "succeed")).toMatchObject({ id, status: "succeeded" });
  expect(payments.refunds()[0]).not.toHaveProperty("pending_reason");
  await payments.settled();
  expect(typesOf(world).filter((type) => type === "refund.updated")).toHaveLength(1);
  expect(() => payments.moveRefund(id, "succeed")).toThrow("This refund has a status of succeeded.");
  expect(payments.refundInDashboard(world.id)).toMatchObject({ amount: 2600 });
});
