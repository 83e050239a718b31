/** The payment provider's events to the webhook: signed, repeated until they succeed, in any order and any number. */
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import Stripe from "stripe";
import { until } from "../../../test/unit/local-time.ts";
import {
  closeAll,
  dinner,
  givenFolderOf,
  givenKilled,
  givenPaid,
  givenPayments,
  paid,
  type World,
} from "./payments.ts";

afterEach(closeAll);

const create = async ({ stripe }: Pick<World, "stripe">) => (await stripe.checkout.sessions.create(dinner())).id;
const day = 86_400_000;

/** As the webhook in the API reads it. @throws StripeSignatureVerificationError */
const verify = (body: string, signature: string, secret: string, now: number): Stripe.Event =>
  Stripe.webhooks.constructEvent(body, signature, secret, 300, undefined, now);

test("a payment sends an event that the official client accepts", async () => {
  const world = await givenPayments();
  const { payments, webhook, clock } = world;
  const id = await create(world);
  payments.pay(id);
  await payments.settled();
  const [{ body, signature } = { body: "", signature: "" }] = webhook.heard;
  const event = verify(body, signature, payments.webhookSecret, clock.now());
  expect(event).toMatchObject({
    ...{ id: expect.stringMatching(/^evt_/), type: "checkout.session.completed", api_version: Stripe.API_VERSION },
    ...{ created: clock.now() / 1000, request: { id: null, idempotency_key: null } },
    data: { object: { id, status: "complete", payment_status: "paid", amount_total: 3000, url: null } },
  });
  expect(payments.deliveries()).toMatchObject([{ state: "delivered", attempts: 1, outcome: "200", sessionId: id }]);
  const refused = Stripe.errors.StripeSignatureVerificationError;
  expect(() => verify(body.replace("3000", "1"), signature, payments.webhookSecret, clock.now())).toThrow(refused);
  expect(() => verify(body, signature, "whsec_other", clock.now())).toThrow(refused);
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

test("a payment that comes later is complete and unpaid at first", async () => {
  const world = await givenPayments();
  const { payments, webhook } = world;
  const [good, bad] = [await create(world), await create(world)];
  expect(payments.payLater(good)).toMatchObject({ status: "complete", payment_status: "unpaid" });
  payments.payLater(bad);
  await payments.settled();
  expect(payments.arrive(good)).toMatchObject({ status: "complete", payment_status: "paid" });
  expect(payments.fail(bad)).toMatchObject({ status: "complete", payment_status: "unpaid" });
  await payments.settled();
  const told = webhook.heard.map(({ body }) => {
    const { type, data } = JSON.parse(body);
    return [type, data.object.id, data.object.payment_status];
  });
  expect(told.sort()).toEqual(
    [
      ["checkout.session.completed", good, "unpaid"],
      ["checkout.session.completed", bad, "unpaid"],
      ["checkout.session.async_payment_succeeded", good, "paid"],
      ["checkout.session.async_payment_failed", bad, "unpaid"],
    ].sort(),
  );
});

test.each([400, 500, 302])(
  "after the answer %d the same event comes again, freshly signed, after growing pauses",
  async (status) => {
    const world = await givenPayments();
    const { payments, webhook, clock } = world;
    webhook.answers.push(status, status, status);
    payments.pay(await create(world));
    for (const pause of [100, 200, 400]) {
      await payments.settled();
      const heard = webhook.heard.length;
      clock.advance(pause - 1);
      await payments.settled();
      expect(webhook.heard).toHaveLength(heard);
      clock.advance(1);
      await payments.settled();
      expect(webhook.heard).toHaveLength(heard + 1);
    }
    expect(payments.deliveries()).toMatchObject([{ state: "delivered", attempts: 4, outcome: "200" }]);
  },
);

test("an event is signed when it is sent, not when it is created", async () => {
  const world = await givenPayments();
  const { payments, webhook, clock } = world;
  webhook.answers.push(500);
  payments.pay(await create(world));
  await payments.settled();
  clock.advance(3_600_000);
  await payments.settled();
  const [first, second] = webhook.heard;
  expect(second?.body).toBe(first?.body);
  const signature = String(second?.signature);
  expect(() => verify(String(second?.body), signature, payments.webhookSecret, clock.now())).not.toThrow();
});

test("a session ends when its time is over, and not before", async () => {
  const world = await givenPayments();
  const { payments, stripe, clock, told } = world;
  const seconds = clock.now() / 1000;
  const late = await create(world);
  const { id } = await stripe.checkout.sessions.create(dinner({ expires_at: seconds + 1800 }));
  clock.advance(1_799_999);
  expect(payments.sessions().map(({ status }) => status)).toEqual(["open", "open"]);
  clock.advance(1);
  await payments.settled();
  expect(told()).toEqual([["checkout.session.expired", id]]);
  expect(() => payments.pay(id)).toThrow(/status of expired/);
  clock.advance(day);
  await payments.settled();
  expect(told()).toEqual([
    ["checkout.session.expired", id],
    ["checkout.session.expired", late],
  ]);
});

test("all records survive a kill; switches do not, and delivered events do not come again", async () => {
  const directory = await givenFolderOf();
  const world = await givenPaid({ directory });
  const { payments, stripe, intent, webhook, clock } = world;
  const key = { idempotencyKey: "one" };
  payments.refundsWait(true);
  const pending = await stripe.refunds.create({ payment_intent: intent, amount: 100 }, key);
  const disputed = await paid(world);
  payments.dispute(disputed.id);
  await paid(world);
  payments.payOut();
  const open = await create(world);
  await payments.settled();
  payments.loseAnswers(true);
  webhook.heard.length = 0;
  webhook.answers.push(500, 500);
  const left = payments.refundInDashboard(world.id, 300);
  payments.holdBack();
  payments.moveRefund(left.id, "fail");
  await payments.settled();
  await appendFile(join(directory, "payments.jsonl"), '{"session":{"id":"cs_te');

  // Twice: the first start writes the files anew, the second one reads what it wrote.
  const between = await givenKilled(directory, clock.now());
  const after = await givenKilled(between.folder, clock.now());
  expect(after.payments).toMatchObject({ apiKey: payments.apiKey, webhookSecret: payments.webhookSecret });
  for (const list of ["refunds", "disputes", "balanceTransactions"] as const) {
    expect(after.payments[list]()).toEqual(payments[list]());
  }
  // The address of a page has the port of its start.
  expect(after.payments.sessions()).toMatchObject(payments.sessions().map(({ url: _, ...session }) => session));
  expect(after.payments.switches).toMatchObject({ holding: false, refundsWait: false, losing: false });
  const again = await after.stripe.refunds.create({ payment_intent: intent, amount: 100 }, key);
  expect(again).toMatchObject({ id: pending.id, status: "pending" });
  expect(after.payments.pay(open)).toMatchObject({ payment_status: "paid" });
  expect(after.payments.closeDispute(disputed.id, "won")).toMatchObject({ status: "won" });
  expect(after.webhook.heard).toEqual([]);
  after.payments.deliverTo(after.webhook.url);
  await after.payments.settled();
  const told = after.webhook.heard.map(({ body }) => JSON.parse(body).type).sort();
  expect(told).toEqual([
    "charge.dispute.closed",
    "charge.dispute.funds_reinstated",
    "charge.refunded",
    "checkout.session.completed",
    "refund.created",
    "refund.failed",
    "refund.updated",
  ]);

  const third = await givenKilled(after.folder, clock.now());
  third.payments.deliverTo(third.webhook.url);
  await third.payments.settled();
  expect(third.webhook.heard).toEqual([]);
});

test("closing ends a pause; undelivered events and the end of a session come after the next start", async () => {
  const directory = await givenFolderOf();
  const world = await givenPayments({ directory });
  const { payments, webhook, clock } = world;
  await create(world);
  webhook.answers.push(500);
  payments.pay(await create(world));
  await payments.settled();
  payments.holdBack();
  payments.pay(await create(world));
  await payments.close();
  await payments.close();
  expect(webhook.heard).toHaveLength(1);
  const after = await givenKilled(directory, clock.now() + 2 * day);
  after.payments.deliverTo(after.webhook.url);
  await until(() => after.webhook.heard.length === 3);
  expect(after.payments.sessions()).toMatchObject([
    { status: "expired" },
    { status: "complete" },
    { status: "complete" },
  ]);
});
