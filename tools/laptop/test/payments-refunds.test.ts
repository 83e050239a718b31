/** Refunds at the payment provider, as its official client and its webhook see them. */
import { afterEach, expect, test } from "@jest/globals";
import Stripe from "stripe";
import { chargeOf, closeAll, dinner, givenPaid, givenPayments, paid, problemOf, typesOf } from "./payments.ts";

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

test("refunds are listed, the newest first, of one payment or of all", async () => {
  const world = await givenPaid();
  const { stripe, intent } = world;
  const other = await paid(world);
  const { id: first } = await stripe.refunds.create({ payment_intent: intent, amount: 100 });
  const { id: second } = await stripe.refunds.create({ payment_intent: other.intent });
  const { id: third } = await stripe.refunds.create({ payment_intent: intent, amount: 100 });
  const listed = async (wish: Stripe.RefundListParams) => (await stripe.refunds.list(wish)).data.map(({ id }) => id);
  expect(await listed({})).toEqual([third, second, first]);
  expect(await listed({ payment_intent: intent })).toEqual([third, first]);
  expect(await listed({ payment_intent: intent, starting_after: third })).toEqual([first]);
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
