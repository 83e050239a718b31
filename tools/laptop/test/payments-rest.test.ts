/** The payment provider's REST interface, as its official client sees it. */
import { afterEach, expect, test } from "@jest/globals";
import Stripe from "stripe";
import type { Payments } from "../payments/server/index.ts";
import { clientOf, closeAll, dinner, givenPaid, givenPayments, problemOf } from "./payments.ts";

afterEach(closeAll);

const oneItem = (price: object, more: object = {}) => ({
  line_items: [
    { price_data: { currency: "cad", unit_amount: 100, product_data: { name: "A" }, ...price }, quantity: 1, ...more },
  ],
});
const now = Date.parse("2026-03-01T12:00:00Z") / 1000;

// biome-ignore format: one row a parameter
const refused: readonly [string, object, string, string | undefined][] = [
  ["another mode", { mode: "subscription" }, "mode", undefined],
  ["no items", { line_items: undefined }, "line_items", "parameter_missing"],
  ["quantity 0", oneItem({}, { quantity: 0 }), "line_items[0][quantity]", "parameter_invalid_integer"],
  ["part of a cent", oneItem({ unit_amount: 1.5 }), "line_items[0][price_data][unit_amount]", "parameter_invalid_integer"],
  ["less than 50 cents", oneItem({ unit_amount: 49 }), "line_items", "amount_too_small"],
  ["no name", oneItem({ product_data: { name: "" } }), "line_items[0][price_data][product_data][name]", "parameter_invalid_empty"],
  ["a script for an address", { success_url: "javascript:alert(1)" }, "success_url", "url_invalid"],
  ["no email", { customer_email: "ada" }, "customer_email", "email_invalid"],
  ["a long reference", { client_reference_id: "x".repeat(201) }, "client_reference_id", "parameter_invalid_string"],
  ["too short", { expires_at: now + 1799 }, "expires_at", undefined],
  ["too long", { expires_at: now + 86_401 }, "expires_at", undefined],
  ["much metadata", { payment_intent_data: { metadata: { key: "x".repeat(501) } } }, "payment_intent_data[metadata][key]", undefined],
  ["a statement without letters", { payment_intent_data: { statement_descriptor_suffix: "2030" } }, "payment_intent_data[statement_descriptor_suffix]", undefined],
  ["an unknown payment", { payment_intent_data: { colour: "red" } }, "payment_intent_data[colour]", "parameter_unknown"],
  ["an unknown pricing", { adaptive_pricing: { enabled: "perhaps" } }, "adaptive_pricing[enabled]", undefined],
  ["an unknown parameter inside", oneItem({}, { colour: "red" }), "line_items[0][colour]", "parameter_unknown"],
];

test.each(refused)("%s: a parameter that the provider would refuse is named", async (_, more, param, code) => {
  const { stripe, payments } = await givenPayments();
  const wrong = { ...dinner(), ...more } as Stripe.Checkout.SessionCreateParams;
  const problem = await problemOf(stripe.checkout.sessions.create(wrong));
  expect(problem).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
  expect([problem.statusCode, problem.param, problem.code]).toEqual([400, param, code]);
  expect(payments.sessions()).toEqual([]);
});

test("only a test key is accepted, as Bearer or Basic", async () => {
  const { payments } = await givenPayments();
  const problem = await problemOf(clientOf(payments, "sk_live_other").checkout.sessions.create(dinner()));
  expect(problem).toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
  const statusOf = async (headers: Record<string, string>) =>
    (await fetch(`${payments.url}/v1/checkout/sessions`, { headers })).status;
  const basic = (key: string) => ({ authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` });
  expect([await statusOf({}), await statusOf(basic("sk_live_other")), await statusOf(basic(payments.apiKey))]).toEqual([
    401, 401, 200,
  ]);
});

const key = { idempotencyKey: "one" };

test.each<[string, (payments: Payments) => void, number, typeof Stripe.errors.StripeError, string]>([
  ["too many requests", (payments) => payments.limitRequests(1), 429, Stripe.errors.StripeRateLimitError, "rate limit"],
  [
    "a key without a permission",
    (payments) => payments.withhold("refund_write"),
    403,
    Stripe.errors.StripePermissionError,
    "'rak_refund_write' permission",
  ],
])("%s: the request is refused, and nothing is remembered", async (_, refuse, status, type, words) => {
  const { stripe, payments, intent } = await givenPaid();
  const create = () => stripe.refunds.create({ payment_intent: intent }, key);
  refuse(payments);
  const problem = await problemOf(create());
  expect(problem).toBeInstanceOf(type);
  expect([problem.statusCode, problem.message]).toEqual([status, expect.stringContaining(words)]);
  expect(await stripe.refunds.list()).toMatchObject({ data: [] });
  payments.withhold();
  expect(await create()).toMatchObject({ status: "succeeded" });
});

test("a key belongs to its parameters and its address", async () => {
  const { stripe, payments } = await givenPayments();
  const { id } = await stripe.checkout.sessions.create(dinner(), key);
  for (const work of [
    stripe.checkout.sessions.create(dinner({ customer_email: "bob@student.example" }), key),
    stripe.checkout.sessions.expire(id, undefined, key),
  ]) {
    const problem = await problemOf(work);
    expect(problem).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
    expect(problem.statusCode).toBe(400);
  }
  expect(payments.sessions()).toMatchObject([{ status: "open" }]);
});

test("a refusal is remembered, except one of a wrong parameter", async () => {
  const { stripe, payments, intent, id } = await givenPaid();
  const create = (amount: number, idempotencyKey: string) =>
    stripe.refunds.create({ payment_intent: intent, amount }, { idempotencyKey });
  payments.dispute(id);
  const first = await problemOf(create(100, "refused"));
  payments.closeDispute(id, "won");
  const again = await problemOf(create(100, "refused"));
  expect([again.code, again.message]).toEqual(["charge_disputed", first.message]);
  expect(again.headers?.["idempotent-replayed"]).toBe("true");
  expect(payments.refunds()).toEqual([]);
  await problemOf(create(0, "wrong"));
  expect(await create(100, "wrong")).toMatchObject({ amount: 100 });
});

test("of two simultaneous requests with one key, one is told to try again", async () => {
  let go = (): void => undefined;
  const occupied = new Promise<void>((resolve) => {
    go = resolve;
  });
  const { stripe, payments } = await givenPayments({ occupy: () => occupied });
  const create = () => stripe.checkout.sessions.create(dinner(), key);
  const both = [create(), create()];
  const loser = await Promise.race(both.map(problemOf));
  expect([loser.statusCode, loser.code]).toEqual([409, "idempotency_key_in_use"]);
  go();
  await Promise.allSettled(both);
  expect(payments.sessions()).toHaveLength(1);
});
