/** A payment provider, a webhook that records its requests, and the provider's official client. */
import { cp } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import { givenFolder } from "../../../test/unit/folder.ts";
import { type FakeClock, fakeClock } from "../../../test/unit/local-time.ts";
import { type Payments, type PaymentsOptions, startPayments } from "../payments/server/index.ts";

/** A webhook that answers 200, or what a test demands. */
export interface Webhook {
  readonly url: string;
  /** Raw bodies and signatures in the order of their arrival. */
  readonly heard: { readonly body: string; readonly signature: string }[];
  /** The next status codes to answer; 200 when the list is empty. */
  readonly answers: number[];
  /** Holds all answers back until the returned function is called. */
  pause(): () => void;
  close(): Promise<void>;
}

async function startWebhook(): Promise<Webhook> {
  const heard: Webhook["heard"] = [];
  const answers: number[] = [];
  let gate: Promise<void> = Promise.resolve();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    heard.push({ body: Buffer.concat(chunks).toString(), signature: String(request.headers["stripe-signature"]) });
    await gate;
    const status = answers.shift() ?? 200;
    response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end("{}");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/payments/webhook`,
    heard,
    answers,
    pause: () => {
      let release = (): void => undefined;
      gate = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

export interface World {
  readonly payments: Payments;
  readonly stripe: Stripe;
  readonly webhook: Webhook;
  readonly clock: FakeClock;
  /** Type and session id of each event that the webhook received, in order. */
  told(): [string, string][];
}

export function clientOf({ url, apiKey }: Pick<Payments, "url" | "apiKey">, key = apiKey): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe(key, { host: hostname, port, protocol: "http", maxNetworkRetries: 0, telemetry: false });
}

/** Called when a test ends, the last one first. */
const open: (() => Promise<unknown>)[] = [];

export async function closeAll(): Promise<void> {
  for (const close of open.splice(0).reverse()) await close();
}

export async function givenPayments(options: PaymentsOptions = {}): Promise<World> {
  const clock = fakeClock();
  const webhook = await startWebhook();
  open.push(() => webhook.close());
  const payments = await startPayments({ retryDelay: 100, clock, ...options });
  open.push(() => payments.close());
  payments.deliverTo(webhook.url);
  const told = (): [string, string][] =>
    webhook.heard.map(({ body }) => {
      const { type, data } = JSON.parse(body);
      return [type, data.object.id];
    });
  return { payments, stripe: clientOf(payments), webhook, clock, told };
}

/** A session that is paid; the webhook's record begins after it. */
export async function paid(
  { stripe, payments, webhook }: World,
  more: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Promise<{ readonly id: string; readonly intent: string }> {
  const { id } = await stripe.checkout.sessions.create(dinner(more));
  const { payment_intent } = payments.pay(id);
  await payments.settled();
  webhook.heard.length = 0;
  return { id, intent: String(payment_intent) };
}

/** A provider, and a paid dinner of CAD 30.00. */
export async function givenPaid(options: PaymentsOptions = {}) {
  const world = await givenPayments(options);
  return { ...world, ...(await paid(world)) };
}

/** Type and net amount of each line of the balance. */
export const linesOf = ({ payments }: Pick<World, "payments">): [string, number][] =>
  payments.balanceTransactions().map(({ type, net }) => [type, net]);

/** Types of the events that the webhook received, in alphabetical order. */
export const typesOf = (world: World): string[] =>
  world
    .told()
    .map(([type]) => type)
    .sort();

/** A folder that is removed when the test ends. */
export const givenFolderOf = (): Promise<string> => givenFolder(open);

/** A second start on the files that a kill would leave, while the first still runs. */
export async function givenKilled(folder: string, now: number) {
  const copy = await givenFolderOf();
  await cp(folder, copy, { recursive: true });
  const webhook = await startWebhook();
  open.push(() => webhook.close());
  const clock = fakeClock(now);
  const payments: Payments = await startPayments({ directory: copy, clock, retryDelay: 100 });
  open.push(() => payments.close());
  return { payments, webhook, clock, stripe: clientOf(payments), folder: copy };
}

/** Waits for the client's error. @throws Error when there is none */
export const problemOf = (work: Promise<unknown>): Promise<Stripe.errors.StripeError> =>
  work.then(
    () => {
      throw new Error("It was not refused.");
    },
    (problem) => problem,
  );

/** The parameters of a session for a dinner. */
export const dinner = (more: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
  ({
    mode: "payment",
    line_items: [
      { price_data: { currency: "CAD", unit_amount: 1500, product_data: { name: "Founders Dinner" } }, quantity: 2 },
    ],
    success_url: "http://localhost:3000/paid?session={CHECKOUT_SESSION_ID}",
    cancel_url: "http://localhost:3000/cancelled",
    client_reference_id: "dinner;2030",
    customer_email: "ada@student.example",
    metadata: { queueKey: "1700000000000#01" },
    ...more,
  }) satisfies Stripe.Checkout.SessionCreateParams;
