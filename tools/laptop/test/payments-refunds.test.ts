/** Refunds at the payment provider, as its official client and its webhook see them. */
import { afterEach, describe, expect, test } from "@jest/globals";
import Stripe from "stripe";
import type { PaymentsOptions } from "../payments/index.ts";
import {
  clientOf,
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

/** A paid dinner of CAD 30.00. */
async function givenPaid(options: PaymentsOptions = {}) {
  const world = await givenPayments({ enabledEvents: everyEvent, ...options });
  return { ...world, ...(await paid(world)) };
}

async function paid({ stripe, payments, webhook }: World, more: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  const { id } = await stripe.checkout.sessions.create(dinner(more));
  const { payment_intent } = payments.pay(id);
  await payments.settled();
  webhook.heard.length = 0;
  return { id, intent: String(payment_intent) };
}

const chargeOf = async ({ stripe }: Pick<World, "stripe">, intent: string): Promise<Stripe.Charge> => {
  const { latest_charge } = await stripe.paymentIntents.retrieve(intent, { expand: ["latest_charge"] });
  return latest_charge as Stripe.Charge;
};

const linesOf = ({ payments }: Pick<World, "payments">) =>
  payments.balanceTransactions().map(({ type, amount, fee, net }) => [type, amount, fee, net]);

test("a paid session has a charge with the caller's metadata, and a line less the fee", async () => {
  const world = await givenPayments();
  const { intent } = await paid(world, { payment_intent_data: { metadata: { checkout: "c1" } } });
  const { stripe, clock } = world;
  const found = await stripe.paymentIntents.retrieve(intent, { expand: ["latest_charge.balance_transaction"] });
  expect(found).toMatchObject({
    id: intent,
    object: "payment_intent",
    status: "succeeded",
    amount: 3000,
    amount_received: 3000,
    metadata: { checkout: "c1" },
    latest_charge: {
      id: expect.stringMatching(/^ch_/),
      object: "charge",
      amount: 3000,
      amount_refunded: 0,
      refunded: false,
      disputed: false,
      payment_intent: intent,
      currency: "cad",
      status: "succeeded",
      created: clock.now() / 1000,
      metadata: { checkout: "c1" },
      balance_transaction: {
        id: expect.stringMatching(/^txn_/),
        type: "charge",
        reporting_category: "charge",
        amount: 3000,
        fee: 117,
        net: 2883,
        source: expect.stringMatching(/^ch_/),
      },
    },
  });
  const plain = await stripe.paymentIntents.retrieve(intent);
  expect(plain.latest_charge).toBe((found.latest_charge as Stripe.Charge).id);
});

test("a payment that is on its way, or never came, has no charge", async () => {
  const world = await givenPayments();
  const { stripe, payments } = world;
  const { id } = await stripe.checkout.sessions.create(dinner());
  const intent = String(payments.payLater(id).payment_intent);
  expect(await stripe.paymentIntents.retrieve(intent)).toMatchObject({ status: "processing", latest_charge: null });
  const refused = await problemOf(stripe.refunds.create({ payment_intent: intent }));
  expect([refused.statusCode, refused.message]).toEqual([
    400,
    `This PaymentIntent (${intent}) does not have a successful charge to refund.`,
  ]);
  payments.arrive(id);
  expect(await stripe.refunds.create({ payment_intent: intent })).toMatchObject({ status: "succeeded", amount: 3000 });
});

test("a refund is made at once, found, and told", async () => {
  const world = await givenPaid();
  const { stripe, payments, intent, id, told, webhook } = world;
  const refund = await stripe.refunds.create({
    payment_intent: intent,
    amount: 1000,
    reason: "requested_by_customer",
    metadata: { refund: "r1" },
  });
  const charge = await chargeOf(world, intent);
  expect(refund).toMatchObject({
    id: expect.stringMatching(/^re_/),
    object: "refund",
    amount: 1000,
    currency: "cad",
    status: "succeeded",
    reason: "requested_by_customer",
    metadata: { refund: "r1" },
    payment_intent: intent,
    charge: charge.id,
    balance_transaction: expect.stringMatching(/^txn_/),
  });
  expect(refund).not.toHaveProperty("pending_reason");
  expect(charge).toMatchObject({ amount_refunded: 1000, refunded: false });
  expect(await stripe.refunds.retrieve(refund.id)).toEqual(expect.objectContaining({ ...refund }));
  expect(linesOf(world)).toEqual([
    ["charge", 3000, 117, 2883],
    ["refund", -1000, 0, -1000],
  ]);
  await payments.settled();
  expect(told().sort()).toEqual([
    ["charge.refunded", charge.id],
    ["refund.created", refund.id],
  ]);
  expect(payments.deliveries().every(({ sessionId }) => sessionId === id)).toBe(true);
  const bodies = webhook.heard.map(({ body }) => JSON.parse(body));
  const created = bodies.find(({ type }) => type === "refund.created");
  expect(created.data.object).toEqual(payments.refunds()[0]);
  expect(created.request).toEqual({ id: refund.lastResponse.requestId, idempotency_key: expect.any(String) });
  expect(bodies.find(({ type }) => type === "charge.refunded").data.object).toMatchObject({ amount_refunded: 1000 });
});

test("without an amount, all that is left is refunded", async () => {
  const world = await givenPaid();
  const { stripe, intent } = world;
  await stripe.refunds.create({ payment_intent: intent, amount: 1 });
  expect(await stripe.refunds.create({ payment_intent: intent })).toMatchObject({
    amount: 2999,
    reason: null,
    metadata: {},
  });
  expect(await chargeOf(world, intent)).toMatchObject({ amount_refunded: 3000, refunded: true });
});

describe("more than the charge is never refunded", () => {
  test("the provider says what is left", async () => {
    const { stripe, intent } = await givenPaid();
    const whole = await problemOf(stripe.refunds.create({ payment_intent: intent, amount: 3001 }));
    expect(whole).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
    expect([whole.statusCode, whole.param, whole.code, whole.message]).toEqual([
      400,
      "amount",
      undefined,
      "Refund amount ($30.01) is greater than charge amount ($30.00)",
    ]);
    await stripe.refunds.create({ payment_intent: intent, amount: 1000 });
    const part = await problemOf(stripe.refunds.create({ payment_intent: intent, amount: 2001 }));
    expect([part.param, part.message]).toEqual([
      "amount",
      "Refund amount ($20.01) is greater than unrefunded amount on charge ($20.00)",
    ]);
    await stripe.refunds.create({ payment_intent: intent });
    const again = await problemOf(stripe.refunds.create({ payment_intent: intent }));
    expect([again.statusCode, again.code, again.message]).toEqual([
      400,
      "charge_already_refunded",
      expect.stringMatching(/^Charge ch_\w+ has already been refunded\.$/),
    ]);
  });

  test("also by requests at the same time, and when refunds are pending", async () => {
    const world = await givenPaid();
    const { stripe, payments, intent } = world;
    payments.refundsWait(true);
    const asked = Array.from({ length: 7 }, (_, n) =>
      stripe.refunds.create({ payment_intent: intent, amount: 1000 }, { idempotencyKey: `r${n}` }),
    );
    const results = await Promise.allSettled(asked);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(await chargeOf(world, intent)).toMatchObject({ amount_refunded: 3000, refunded: true });
  });
});

test.each<[string, object, string, string | undefined]>([
  ["nothing", { amount: 0 }, "amount", "parameter_invalid_integer"],
  ["part of a cent", { amount: 10.5 }, "amount", "parameter_invalid_integer"],
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

test("what does not exist is not found", async () => {
  const { stripe, payments } = await givenPaid();
  for (const work of [
    stripe.refunds.retrieve("re_no"),
    stripe.paymentIntents.retrieve("pi_no"),
    stripe.disputes.retrieve("du_no"),
    stripe.payouts.retrieve("po_no"),
    stripe.balanceTransactions.retrieve("txn_no"),
    stripe.refunds.list({ starting_after: "re_no" }),
  ]) {
    const problem = await problemOf(work);
    expect([problem.statusCode, problem.code]).toEqual([404, "resource_missing"]);
  }
  const listed = await problemOf(stripe.balanceTransactions.list({ payout: "po_no" }));
  expect([listed.statusCode, listed.message]).toEqual([400, "No such payout: 'po_no'"]);
  expect(() => payments.moveRefund("re_no", "fail")).toThrow("No such refund: 're_no'");
});

test("refunds are listed, the newest first, page by page, of one payment or of all", async () => {
  const world = await givenPaid();
  const { stripe, intent } = world;
  const other = await paid(world);
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    ids.unshift((await stripe.refunds.create({ payment_intent: intent, amount: 100 })).id);
  }
  const { id } = await stripe.refunds.create({ payment_intent: other.intent });
  const all: string[] = [];
  for await (const refund of stripe.refunds.list({ limit: 2 })) all.push(refund.id);
  expect(all).toEqual([id, ...ids]);
  const first = await stripe.refunds.list({ payment_intent: intent, limit: 2 });
  expect([first.data.map((one) => one.id), first.has_more]).toEqual([ids.slice(0, 2), true]);
  const rest = await stripe.refunds.list({ payment_intent: intent, limit: 2, starting_after: ids[1] });
  expect([rest.data.map((one) => one.id), rest.has_more]).toEqual([ids.slice(2), false]);
  const { id: charge } = await chargeOf(world, other.intent);
  expect((await stripe.refunds.list({ charge })).data.map((one) => one.id)).toEqual([id]);
});

test("objects are put in the place of their ids, and other fields cannot be expanded", async () => {
  const { stripe, intent } = await givenPaid();
  const { id } = await stripe.refunds.create({ payment_intent: intent });
  const refund = await stripe.refunds.retrieve(id, { expand: ["charge.balance_transaction", "payment_intent"] });
  expect(refund).toMatchObject({
    charge: { object: "charge", balance_transaction: { type: "charge" } },
    payment_intent: { id: intent },
  });
  const lines = await stripe.balanceTransactions.list({ expand: ["data.source"] });
  expect(lines.data.map(({ source }) => (source as { object: string }).object)).toEqual(["refund", "charge"]);
  for (const path of ["status", "constructor", "amount", "id.x"]) {
    const problem = await problemOf(stripe.refunds.retrieve(id, { expand: [path] }));
    expect([problem.statusCode, problem.message]).toEqual([400, expect.stringContaining("cannot be expanded")]);
  }
});

describe("a repeated request with its key", () => {
  const key = { idempotencyKey: "refund-1" };

  test("gets the same answer, and refunds once", async () => {
    const { stripe, payments, intent, clock } = await givenPaid();
    const wish = { payment_intent: intent, amount: 1000, metadata: { refund: "r1" } };
    const first = await stripe.refunds.create(wish, key);
    payments.moveRefund(first.id, "fail");
    const again = await stripe.refunds.create(wish, key);
    expect(again).toEqual(first);
    expect(again.lastResponse.headers["idempotent-replayed"]).toBe("true");
    expect(payments.refunds()).toMatchObject([{ id: first.id, status: "failed" }]);
    clock.advance(86_400_000);
    expect((await stripe.refunds.create(wish, key)).id).not.toBe(first.id);
  });

  test("is refused with other parameters, or for another address", async () => {
    const { stripe, payments, intent, id } = await givenPaid();
    await stripe.refunds.create({ payment_intent: intent, amount: 1000 }, key);
    for (const work of [
      stripe.refunds.create({ payment_intent: intent, amount: 1001 }, key),
      stripe.checkout.sessions.expire(id, undefined, key),
    ]) {
      expect(await problemOf(work)).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
    }
    expect(payments.refunds()).toHaveLength(1);
  });

  test("is carried out when the first one had a wrong parameter", async () => {
    const { stripe, intent } = await givenPaid();
    await problemOf(stripe.refunds.create({ payment_intent: intent, amount: 0 }, key));
    expect(await stripe.refunds.create({ payment_intent: intent, amount: 3000 }, key)).toMatchObject({ amount: 3000 });
  });

  test("is refused again when the first one was refused, also after the reason is gone", async () => {
    const { stripe, payments, intent, id, clock } = await givenPaid();
    const create = (idempotencyKey: string) => stripe.refunds.create({ payment_intent: intent }, { idempotencyKey });
    payments.dispute(id);
    const first = await problemOf(create("one"));
    payments.closeDispute(id, "won");
    const again = await problemOf(create("one"));
    expect([again.code, again.message]).toEqual(["charge_disputed", first.message]);
    expect(again.headers?.["idempotent-replayed"]).toBe("true");
    expect(payments.refunds()).toEqual([]);
    clock.advance(86_400_000);
    expect(await create("one")).toMatchObject({ status: "succeeded" });
  });

  test("control: another key is carried out when the reason is gone", async () => {
    const { stripe, payments, intent, id } = await givenPaid();
    const create = (idempotencyKey: string) => stripe.refunds.create({ payment_intent: intent }, { idempotencyKey });
    payments.dispute(id);
    await problemOf(create("one"));
    payments.closeDispute(id, "won");
    expect(await create("two")).toMatchObject({ status: "succeeded" });
  });
});

describe("when refunds wait", () => {
  test("a refund is pending until it goes through", async () => {
    const world = await givenPaid();
    const { stripe, payments, intent, told } = world;
    payments.refundsWait(true);
    const { id } = await stripe.refunds.create({ payment_intent: intent });
    expect(payments.refunds()).toMatchObject([{ status: "pending", pending_reason: "processing" }]);
    expect(payments.moveRefund(id, "succeed")).toMatchObject({ id, status: "succeeded" });
    const now = await stripe.refunds.retrieve(id);
    expect(now.status).toBe("succeeded");
    expect(now).not.toHaveProperty("pending_reason");
    expect(linesOf(world)).toHaveLength(2);
    await payments.settled();
    expect(
      told()
        .map(([type]) => type)
        .sort(),
    ).toEqual(["charge.refunded", "refund.created", "refund.updated"]);
    expect(() => payments.moveRefund(id, "succeed")).toThrow("This refund has a status of succeeded.");
  });

  test("a refund that waits goes on waiting when the switch is off again", async () => {
    const { stripe, payments, intent } = await givenPaid();
    payments.refundsWait(true);
    await stripe.refunds.create({ payment_intent: intent, amount: 100 });
    payments.refundsWait(false);
    await stripe.refunds.create({ payment_intent: intent, amount: 200 });
    expect(payments.refunds()).toMatchObject([{ status: "pending" }, { status: "succeeded" }]);
  });
});

test.each([true, false])("a refund fails (pending before: %s), and the amount comes back", async (waiting) => {
  const world = await givenPaid();
  const { stripe, payments, intent, webhook } = world;
  payments.refundsWait(waiting);
  const { id } = await stripe.refunds.create({ payment_intent: intent, amount: 1000 });
  await payments.settled();
  webhook.heard.length = 0;
  expect(payments.moveRefund(id, "fail")).toMatchObject({
    status: "failed",
    failure_reason: "expired_or_canceled_card",
    failure_balance_transaction: expect.stringMatching(/^txn_/),
  });
  expect(linesOf(world).slice(1)).toEqual([
    ["refund", -1000, 0, -1000],
    ["refund_failure", 1000, 0, 1000],
  ]);
  expect(await chargeOf(world, intent)).toMatchObject({ amount_refunded: 0, refunded: false });
  await payments.settled();
  const events = webhook.heard.map(({ body }) => JSON.parse(body));
  expect(events.map(({ type }) => type).sort()).toEqual(["refund.failed", "refund.updated"]);
  for (const { data } of events) expect(data.object).toMatchObject({ id, status: "failed" });
  for (const move of ["fail", "succeed"] as const) {
    expect(() => payments.moveRefund(id, move)).toThrow("This refund has a status of failed.");
  }
  expect(await stripe.refunds.create({ payment_intent: intent })).toMatchObject({ amount: 3000 });
});

describe("when the balance is empty", () => {
  test("refunds are pending, and go through by themselves when it is filled", async () => {
    const world = await givenPaid();
    const { stripe, payments, intent, webhook } = world;
    payments.emptyBalance(true);
    const { id } = await stripe.refunds.create({ payment_intent: intent, amount: 1000 });
    expect(await stripe.refunds.retrieve(id)).toMatchObject({
      status: "pending",
      pending_reason: "insufficient_funds",
      balance_transaction: null,
    });
    expect(await stripe.refunds.retrieve(id, { expand: ["balance_transaction"] })).toMatchObject({
      balance_transaction: null,
    });
    expect(linesOf(world)).toHaveLength(1);
    await payments.settled();
    webhook.heard.length = 0;
    payments.emptyBalance(false);
    expect(payments.refunds()).toMatchObject([{ id, status: "succeeded" }]);
    expect(linesOf(world)[1]).toEqual(["refund", -1000, 0, -1000]);
    await payments.settled();
    expect(world.told()).toEqual([["refund.updated", id]]);
  });

  test("a refund that fails was never taken from it", async () => {
    const world = await givenPaid();
    const { stripe, payments, intent } = world;
    payments.emptyBalance(true);
    const { id } = await stripe.refunds.create({ payment_intent: intent });
    expect(payments.moveRefund(id, "fail")).toMatchObject({ failure_reason: "insufficient_funds" });
    expect(payments.refunds()[0]).not.toHaveProperty("failure_balance_transaction");
    payments.emptyBalance(false);
    expect(payments.refunds()).toMatchObject([{ status: "failed" }]);
    expect(linesOf(world)).toHaveLength(1);
  });
});

test("a person refunds in the dashboard: the refund has no metadata, and its events no request", async () => {
  const world = await givenPaid();
  const { payments, id, intent, webhook, stripe } = world;
  expect(payments.refundInDashboard(id, 500)).toMatchObject({ amount: 500, metadata: {}, payment_intent: intent });
  expect(payments.refundInDashboard(id)).toMatchObject({ amount: 2500 });
  expect(() => payments.refundInDashboard(id)).toThrow("has already been refunded");
  await payments.settled();
  const events = webhook.heard.map(({ body }) => JSON.parse(body));
  expect(events).toHaveLength(4);
  for (const { request } of events) expect(request).toEqual({ id: null, idempotency_key: null });
  expect((await stripe.refunds.list({ payment_intent: intent })).data).toHaveLength(2);
});

test("the webhook is sent the enabled events only", async () => {
  const world = await givenPayments({ enabledEvents: ["refund.failed"] });
  const { stripe, payments, told } = world;
  const { intent } = await paid(world);
  expect(payments.deliveries()).toEqual([]);
  const { id } = await stripe.refunds.create({ payment_intent: intent });
  payments.moveRefund(id, "fail");
  await payments.settled();
  expect(told()).toEqual([["refund.failed", id]]);
});

describe("when answers are lost", () => {
  test("the work is done, and the same key gets the answer later", async () => {
    const { stripe, payments, intent } = await givenPaid();
    const create = () => stripe.refunds.create({ payment_intent: intent }, { idempotencyKey: "one" });
    payments.loseAnswers(true);
    for (const _ of [1, 2]) expect(await problemOf(create())).toBeInstanceOf(Stripe.errors.StripeConnectionError);
    expect(payments.refunds()).toHaveLength(1);
    payments.loseAnswers(false);
    const refund = await create();
    expect(refund.lastResponse.headers["idempotent-replayed"]).toBe("true");
    expect(payments.refunds()).toMatchObject([{ id: refund.id }]);
  });

  test("control: without a key it is another refund", async () => {
    const { payments, intent } = await givenPaid();
    const post = () =>
      fetch(`${payments.url}/v1/refunds`, {
        method: "POST",
        headers: { authorization: `Bearer ${payments.apiKey}` },
        body: new URLSearchParams({ payment_intent: intent, amount: "100" }),
      });
    payments.loseAnswers(true);
    await expect(post()).rejects.toThrow();
    payments.loseAnswers(false);
    expect((await post()).status).toBe(200);
    expect(payments.refunds()).toHaveLength(2);
  });

  test("the pages of developers still answer", async () => {
    const { payments } = await givenPaid();
    payments.loseAnswers(true);
    payments.silence(true);
    expect((await fetch(payments.url)).status).toBe(200);
  });
});

test("a silent provider does nothing, and says so", async () => {
  const { stripe, payments, intent } = await givenPaid();
  const create = () => stripe.refunds.create({ payment_intent: intent }, { idempotencyKey: "one" });
  payments.silence(true);
  const problem = await problemOf(create());
  expect(problem).toBeInstanceOf(Stripe.errors.StripeAPIError);
  expect(problem.statusCode).toBe(503);
  expect((await problemOf(stripe.refunds.list())).statusCode).toBe(503);
  expect(payments.refunds()).toEqual([]);
  payments.silence(false);
  expect(await create()).toMatchObject({ status: "succeeded" });
});

test("refunds, answers and undelivered events survive a kill; switches do not", async () => {
  const directory = await givenFolderOf();
  const world = await givenPaid({ directory });
  const { stripe, payments, intent, clock } = world;
  payments.holdBack();
  payments.refundsWait(true);
  const first = await stripe.refunds.create({ payment_intent: intent, amount: 100 }, { idempotencyKey: "one" });
  payments.moveRefund(first.id, "fail");
  const waiting = await stripe.refunds.create({ payment_intent: intent, amount: 200 });
  payments.emptyBalance(true);
  payments.loseAnswers(true);
  payments.silence(true);
  payments.refundInDashboard(world.id, 300);

  // Twice: the first start writes the files anew, the second one reads what it wrote.
  const between = await givenKilled(directory, clock.now());
  const after = await givenKilled(between.folder, clock.now());
  const client = clientOf(after.payments);
  expect(after.payments.switches).toEqual({
    holding: false,
    failing: false,
    duplicates: 0,
    refundsWait: false,
    balanceIsEmpty: false,
    silent: false,
    losing: false,
    breaking: { left: 0, afterWork: false },
    lateBy: 0,
  });
  // After a restart the balance is full, and the last refund has gone through.
  expect(after.payments.refunds()).toMatchObject([
    { id: first.id, amount: 100, status: "failed" },
    { id: waiting.id, amount: 200, status: "pending", pending_reason: "processing" },
    { amount: 300, status: "succeeded" },
  ]);
  expect(after.payments.balanceTransactions().slice(0, 4)).toEqual(payments.balanceTransactions());
  const again = await client.refunds.create({ payment_intent: intent, amount: 100 }, { idempotencyKey: "one" });
  expect(again).toMatchObject({ id: first.id, status: "pending" });
  after.payments.deliverTo(after.webhook.url);
  await after.payments.settled();
  const told = after.webhook.heard.map(({ body }) => JSON.parse(body).type);
  expect(told.filter((type) => type === "refund.created")).toHaveLength(3);
  expect(told).toContain("refund.failed");
  expect(after.payments.moveRefund(waiting.id, "succeed")).toMatchObject({ status: "succeeded" });
});
