/** The payment provider's REST interface, as its official client sees it. */
import { afterEach, expect, test } from "@jest/globals";
import Stripe from "stripe";
import { clientOf, closeAll, dinner, givenPayments, problemOf } from "./payments.ts";

afterEach(closeAll);

test("a created session is found, with the values of caller and provider", async () => {
  const { stripe, payments, clock } = await givenPayments();
  const created = await stripe.checkout.sessions.create(dinner());
  const seconds = clock.now() / 1000;
  expect(created).toMatchObject({
    id: expect.stringMatching(/^cs_test_\w{40,}$/),
    object: "checkout.session",
    mode: "payment",
    status: "open",
    payment_status: "unpaid",
    payment_intent: null,
    amount_subtotal: 3000,
    amount_total: 3000,
    currency: "cad",
    client_reference_id: "dinner;2030",
    customer_email: "ada@student.example",
    metadata: { queueKey: "1700000000000#01" },
    success_url: "http://localhost:3000/paid?session={CHECKOUT_SESSION_ID}",
    cancel_url: "http://localhost:3000/cancelled",
    created: seconds,
    expires_at: seconds + 86_400,
    livemode: false,
    url: `${payments.url}/c/pay/${created.id}`,
  });
  expect(await stripe.checkout.sessions.retrieve(created.id)).toEqual(expect.objectContaining({ ...created }));
  expect(created.lastResponse.requestId).toMatch(/^req_/);
});

test("sessions are listed, the newest first, page by page", async () => {
  const { stripe, payments } = await givenPayments();
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.unshift((await stripe.checkout.sessions.create(dinner())).id);
  payments.pay(String(ids[1]));
  const page = await stripe.checkout.sessions.list({ limit: 2 });
  expect([page.data.map(({ id }) => id), page.has_more]).toEqual([ids.slice(0, 2), true]);
  const all: string[] = [];
  for await (const { id } of stripe.checkout.sessions.list({ limit: 2 })) all.push(id);
  expect(all).toEqual(ids);
  const back = await stripe.checkout.sessions.list({ limit: 2, ending_before: ids[4] });
  expect(back.data.map(({ id }) => id)).toEqual(ids.slice(2, 4));
  const paid = await stripe.checkout.sessions.list({ status: "complete" });
  expect(paid.data.map(({ id }) => id)).toEqual([ids[1]]);
  expect((await stripe.checkout.sessions.list({ payment_intent: String(paid.data[0]?.payment_intent) })).data).toEqual(
    paid.data,
  );
});

test("an open session can be expired, once", async () => {
  const { stripe, payments, told } = await givenPayments();
  const { id } = await stripe.checkout.sessions.create(dinner());
  expect(await stripe.checkout.sessions.expire(id)).toMatchObject({ id, status: "expired", url: null });
  await payments.settled();
  expect(told()).toEqual([["checkout.session.expired", id]]);
  const problem = await problemOf(stripe.checkout.sessions.expire(id));
  expect(problem).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
  expect(problem.message).toBe(
    'Only Checkout Sessions with a status in ["open"] can be expired. This Session has a status of expired.',
  );
});

test("a paid session cannot be expired", async () => {
  const { stripe, payments } = await givenPayments();
  const { id } = await stripe.checkout.sessions.create(dinner());
  payments.pay(id);
  expect((await problemOf(stripe.checkout.sessions.expire(id))).message).toMatch(/status of complete/);
  expect((await stripe.checkout.sessions.retrieve(id)).payment_status).toBe("paid");
});

const oneItem = (price: object, more: object = {}) => ({
  line_items: [
    { price_data: { currency: "cad", unit_amount: 100, product_data: { name: "A" }, ...price }, quantity: 1, ...more },
  ],
});
const now = Date.parse("2026-03-01T12:00:00Z") / 1000;

test.each<[string, object, string, string | undefined]>([
  ["no mode", { mode: undefined }, "mode", "parameter_missing"],
  ["another mode", { mode: "subscription" }, "mode", undefined],
  ["no items", { line_items: undefined }, "line_items", "parameter_missing"],
  ["no price", { line_items: [{ quantity: 1 }] }, "line_items[0][price_data]", "parameter_missing"],
  ["no quantity", oneItem({}, { quantity: undefined }), "line_items[0][quantity]", "parameter_missing"],
  ["quantity 0", oneItem({}, { quantity: 0 }), "line_items[0][quantity]", "parameter_invalid_integer"],
  [
    "part of a cent",
    oneItem({ unit_amount: 10.5 }),
    "line_items[0][price_data][unit_amount]",
    "parameter_invalid_integer",
  ],
  [
    "less than nothing",
    oneItem({ unit_amount: -1 }),
    "line_items[0][price_data][unit_amount]",
    "parameter_invalid_integer",
  ],
  ["less than 50 cents", oneItem({ unit_amount: 49 }), "line_items", "amount_too_small"],
  ["too much", oneItem({ unit_amount: 99_999_999 }, { quantity: 2 }), "line_items", "amount_too_large"],
  ["no currency", oneItem({ currency: "clams" }), "line_items[0][price_data][currency]", undefined],
  ["no name", oneItem({ product_data: {} }), "line_items[0][price_data][product_data]", "parameter_missing"],
  [
    "an empty name",
    oneItem({ product_data: { name: "" } }),
    "line_items[0][price_data][product_data][name]",
    "parameter_invalid_empty",
  ],
  [
    "two currencies",
    { line_items: [...dinner().line_items, ...oneItem({ currency: "usd" }).line_items] },
    "line_items",
    undefined,
  ],
  ["no success_url", { success_url: undefined }, "success_url", "parameter_missing"],
  ["a script for an address", { success_url: "javascript:alert(1)" }, "success_url", "url_invalid"],
  ["no address", { cancel_url: "/back" }, "cancel_url", "url_invalid"],
  ["no email", { customer_email: "ada" }, "customer_email", "email_invalid"],
  ["a long reference", { client_reference_id: "x".repeat(201) }, "client_reference_id", "parameter_invalid_string"],
  ["too short", { expires_at: now + 1799 }, "expires_at", undefined],
  ["too long", { expires_at: now + 86_401 }, "expires_at", undefined],
  ["no time", { expires_at: "soon" }, "expires_at", "parameter_invalid_integer"],
  ["much metadata", { metadata: { key: "x".repeat(501) } }, "metadata[key]", undefined],
  [
    "much metadata of the payment",
    { payment_intent_data: { metadata: { key: "x".repeat(501) } } },
    "payment_intent_data[metadata][key]",
    undefined,
  ],
  ["an unknown parameter", { colour: "red" }, "colour", "parameter_unknown"],
  ["an unknown parameter inside", oneItem({}, { colour: "red" }), "line_items[0][colour]", "parameter_unknown"],
])("%s: a parameter that the provider would refuse is named", async (_, more, param, code) => {
  const { stripe, payments } = await givenPayments();
  const wrong = { ...dinner(), ...more } as Stripe.Checkout.SessionCreateParams;
  const problem = await problemOf(stripe.checkout.sessions.create(wrong));
  expect(problem).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
  expect([problem.statusCode, problem.param, problem.code]).toEqual([400, param, code]);
  expect(payments.sessions()).toEqual([]);
});

test.each([1800, 86_400])("control: a session may live for %d seconds", async (life) => {
  const { stripe } = await givenPayments();
  const { expires_at } = await stripe.checkout.sessions.create(dinner({ expires_at: now + life }));
  expect(expires_at).toBe(now + life);
});

test("names of members of every JavaScript object are metadata like any other", async () => {
  const { stripe } = await givenPayments();
  const { metadata } = await stripe.checkout.sessions.create(dinner({ metadata: { constructor: "a", toString: "b" } }));
  expect(metadata).toEqual({ constructor: "a", toString: "b" });
});

test("a session that does not exist is not found", async () => {
  const { stripe } = await givenPayments();
  for (const work of [stripe.checkout.sessions.retrieve("cs_test_no"), stripe.checkout.sessions.expire("cs_test_no")]) {
    const problem = await problemOf(work);
    expect([problem.statusCode, problem.code]).toEqual([404, "resource_missing"]);
  }
  expect((await problemOf(stripe.customers.list())).statusCode).toBe(404);
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

test("a repeated request with its key gets the same answer", async () => {
  const { stripe, payments } = await givenPayments();
  const first = await stripe.checkout.sessions.create(dinner(), { idempotencyKey: "one" });
  payments.pay(first.id);
  const again = await stripe.checkout.sessions.create(dinner(), { idempotencyKey: "one" });
  expect(again).toEqual(first);
  expect(again.lastResponse.headers["idempotent-replayed"]).toBe("true");
  expect(again.lastResponse.headers["original-request"]).toBe(first.lastResponse.requestId);
  expect(first.lastResponse.headers["idempotent-replayed"]).toBeUndefined();
  expect(payments.sessions()).toHaveLength(1);
});

test("control: another key, none, or the same one a day later is another session", async () => {
  const { stripe, payments, clock } = await givenPayments();
  await stripe.checkout.sessions.create(dinner(), { idempotencyKey: "one" });
  await stripe.checkout.sessions.create(dinner(), { idempotencyKey: "two" });
  await stripe.checkout.sessions.create(dinner());
  clock.advance(86_400_000);
  await stripe.checkout.sessions.create(dinner(), { idempotencyKey: "one" });
  expect(payments.sessions()).toHaveLength(4);
});

test("a key belongs to its parameters and its address", async () => {
  const { stripe, payments } = await givenPayments();
  const { id } = await stripe.checkout.sessions.create(dinner(), { idempotencyKey: "one" });
  for (const work of [
    stripe.checkout.sessions.create(dinner({ customer_email: "bob@student.example" }), { idempotencyKey: "one" }),
    stripe.checkout.sessions.expire(id, undefined, { idempotencyKey: "one" }),
  ]) {
    const problem = await problemOf(work);
    expect(problem).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
    expect(problem.statusCode).toBe(400);
  }
  expect(payments.sessions()).toMatchObject([{ status: "open" }]);
});

test("a key of a request that was refused can be used again", async () => {
  const { stripe } = await givenPayments();
  await problemOf(stripe.checkout.sessions.create(dinner({ customer_email: "no" }), { idempotencyKey: "one" }));
  expect(await stripe.checkout.sessions.create(dinner(), { idempotencyKey: "one" })).toMatchObject({ status: "open" });
});

test("of two simultaneous requests with one key, one is told to try again", async () => {
  let go = (): void => undefined;
  const occupied = new Promise<void>((resolve) => {
    go = resolve;
  });
  const { stripe, payments } = await givenPayments({ occupy: () => occupied });
  const create = () => stripe.checkout.sessions.create(dinner(), { idempotencyKey: "one" });
  const both = [create(), create()];
  const loser = await Promise.race(both.map(problemOf));
  expect([loser.statusCode, loser.code]).toEqual([409, "idempotency_key_in_use"]);
  go();
  await Promise.allSettled(both);
  expect(payments.sessions()).toHaveLength(1);
});

test("control: under two keys both go through", async () => {
  const { stripe, payments } = await givenPayments();
  const create = (idempotencyKey: string) => stripe.checkout.sessions.create(dinner(), { idempotencyKey });
  await Promise.all([create("one"), create("two")]);
  expect(payments.sessions()).toHaveLength(2);
});

test("the official client retries that by itself", async () => {
  const { payments } = await givenPayments();
  const { hostname, port } = new URL(payments.url);
  const stripe = new Stripe(payments.apiKey, { host: hostname, port, protocol: "http" });
  const create = () => stripe.checkout.sessions.create(dinner(), { idempotencyKey: "one" });
  const [one, other] = await Promise.all([create(), create()]);
  expect(one.id).toBe(other.id);
});
