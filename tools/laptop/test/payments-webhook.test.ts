/** The payment provider's events to the webhook: signed, repeated until they succeed, in any order and any number. */
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import Stripe from "stripe";
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
