/** The payment provider as its client reaches it: the local one, and one that fails in every way. */
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import Stripe from "stripe";
import type { LatestCheckout, Session } from "#domain/payments/checkout/checkout.ts";
import type { Provider } from "#domain/payments/provider/provider.ts";
import type { MoneyProvider } from "#domain/payments/provider/refund-calls.ts";
import { type Payments, startPayments } from "../../tools/laptop/payments/index.ts";
import "./environment.ts";

interface Request {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The provider's next answers. When the list is empty, the local provider answers. */
let answers: { readonly status: number; readonly error: object }[] = [];
let requests: Request[] = [];
let local: Payments;
let provider: Provider;
let moneyProvider: MoneyProvider;
let sessionParameters: (one: LatestCheckout) => object;
const logged: string[] = [];

const { fetch: realFetch } = globalThis;

beforeAll(async () => {
  local = await startPayments();
  // The provider's client takes the function when it is made.
  globalThis.fetch = async (url, init) => {
    const headers = Object.fromEntries(new Headers(init?.headers));
    requests.push({ path: new URL(String(url)).pathname, headers });
    const told = answers.shift();
    return told ? Response.json({ error: told.error }, { status: told.status }) : realFetch(url, init);
  };
  process.env.PAYMENTS_ENDPOINT_URL = local.url;
  const secret = JSON.stringify({ apiKey: local.apiKey, webhookSecrets: [local.webhookSecret] });
  mockClient(SecretsManagerClient).on(GetSecretValueCommand).resolves({ SecretString: secret });
  ({ provider, sessionParameters } = await import("#domain/payments/provider/provider.ts"));
  ({ moneyProvider } = await import("#domain/payments/provider/refund-calls.ts"));
});
afterAll(async () => {
  globalThis.fetch = realFetch;
  delete process.env.PAYMENTS_ENDPOINT_URL;
  await local.close();
});
beforeEach(async () => {
  answers = [];
  requests = [];
  logged.length = 0;
  const { log } = await import("#kit/log.ts");
  jest.spyOn(log, "error").mockImplementation((...what) => void logged.push(JSON.stringify(what)));
});
afterEach(() => {
  jest.restoreAllMocks();
});

const email = "ada@unit.example";
let checkouts = 0;
const checkout = (more: Partial<LatestCheckout> = {}): LatestCheckout => {
  checkouts += 1;
  return {
    id: `01CHECKOUT${checkouts}`,
    email,
    purpose: { kind: "membership" },
    product: "Gala & Dîner",
    amount: 1_234,
    currency: "cad",
    successUrl: "https://app.club.example/paid",
    cancelUrl: "https://app.club.example/",
    expiresAt: Math.floor(Date.now() / 1_000) * 1_000 + 2_400_000,
    createdAt: Date.now(),
    ...more,
  };
};
const sessions = (one: LatestCheckout) => local.sessions().filter((session) => session.client_reference_id === one.id);

test("a session is made from the recorded checkout, under its key, with the API version that the code was written for", async () => {
  const one = checkout();
  const session = await provider.sessionFor(one);
  expect(sessions(one)).toMatchObject([
    { id: (session as { sessionId: string }).sessionId, url: (session as { url: string }).url },
  ]);
  expect(sessions(one)).toMatchObject([
    {
      ...{ amount_total: 1_234, currency: "cad", customer_email: email, mode: "payment", metadata: {} },
      ...{ success_url: one.successUrl, cancel_url: one.cancelUrl, expires_at: one.expiresAt / 1_000 },
    },
  ]);
  expect(requests[0]?.headers).toMatchObject({
    "idempotency-key": one.id,
    "stripe-version": "2026-10-28.endive",
    authorization: `Bearer ${local.apiKey}`,
  });
  expect(requests[0]?.headers).not.toHaveProperty("x-stripe-client-telemetry");
});

/** Like the operation, a request that comes while the session is made asks again. */
const asked = async (one: LatestCheckout) => {
  const { Conflict } = await import("#kit/table/conflict.ts");
  return provider.sessionFor(one).catch((error: unknown) => {
    if (error instanceof Conflict) return "again";
    throw error;
  });
};

test("a session whose end is too near is not made", async () => {
  const one = checkout({ expiresAt: Math.floor(Date.now() / 1_000) * 1_000 + 1_700_000 });
  expect(await provider.sessionFor(one)).toBe("too late");
  expect(sessions(one)).toEqual([]);
});

describe("a 500, which the provider keeps under its key", () => {
  const open = (one: LatestCheckout) => sessions(one).filter(({ status }) => status === "open");

  test.each([
    ["without its session", "before work", 1],
    ["although its session was made", "after work", 1],
  ] as const)("%s leads to one open session, also for those who ask at once", async (_, when, left) => {
    const one = checkout();
    local.breakRequests(left, when);
    const first = await provider.sessionFor(one);
    const all = await Promise.all(Array.from({ length: 5 }, () => asked(one)));
    expect(all.every((each) => each === "again" || JSON.stringify(each) === JSON.stringify(first))).toBe(true);
    expect(open(one).map(({ id }) => ({ sessionId: id }))).toEqual([
      expect.objectContaining({ sessionId: (first as Session).sessionId }),
    ]);
  });

  test("leaves one open session of two that were made unseen", async () => {
    const one = checkout();
    const direct = new Stripe(local.apiKey, { host: "127.0.0.1", port: new URL(local.url).port, protocol: "http" });
    const unseen = await direct.checkout.sessions.create(sessionParameters(one) as never);
    const later = await direct.checkout.sessions.create(sessionParameters(one) as never);
    local.breakRequests(1, "before work");
    expect(await provider.sessionFor(one)).toMatchObject({ sessionId: later.id });
    expect(sessions(one).map(({ id, status }) => [id, status])).toEqual([
      [unseen.id, "expired"],
      [later.id, "open"],
    ]);
  });

  test("of a refund leads to another key once the provider has had time to list it", async () => {
    for (const when of ["before work", "after work"] as const) {
      const { sessionId } = (await provider.sessionFor(checkout())) as Session;
      const { payment_intent: paymentIntent } = local.pay(sessionId);
      const order = { refundId: `R${when}`, paymentIntent: String(paymentIntent), amount: 100 };
      local.breakRequests(1, when);
      await expect(moneyProvider.refund({ ...order, isOld: false })).rejects.toMatchObject({ code: "UNAVAILABLE" });
      const made = await moneyProvider.refund({ ...order, isOld: true });
      expect(made).toMatchObject({ refundId: order.refundId, amount: 100 });
      expect(local.refunds().filter((refund) => refund.payment_intent === paymentIntent)).toHaveLength(1);
    }
  });
});

test("an amount that the provider does not accept is not reported as the payer's error", async () => {
  await expect(provider.sessionFor(checkout({ amount: 1 }))).rejects.toMatchObject({ code: "NOTHING_TO_PAY" });
});

describe("ending a session", () => {
  const made = async () => (await provider.sessionFor(checkout())) as { sessionId: string };

  test("ends an open session, and may be repeated", async () => {
    const { sessionId } = await made();
    for (const _ of [1, 2]) expect(await provider.end(sessionId)).toMatchObject({ status: "expired" });
    expect(local.sessions().find(({ id }) => id === sessionId)?.status).toBe("expired");
  });
});

const secretive = { message: `Confidential ${email} sk_test_x`, doc_url: "https://docs.example" };

describe("a provider", () => {
  const always = (status: number, error: object) => Array.from({ length: 9 }, () => ({ status, error }));

  test.each([
    [503, { ...secretive, type: "api_error" }, 4],
    [429, { ...secretive, type: "rate_limit_error" }, 1],
  ])("that keeps failing with %i is reported as unavailable", async (status, error, tries) => {
    answers = always(status, error);
    await expect(provider.sessionFor(checkout())).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(requests).toHaveLength(tries);
  });

  test.each([
    [401, { ...secretive, type: "invalid_request_error" }],
    [400, { ...secretive, type: "invalid_request_error", param: "customer_email", code: "email_invalid" }],
    [400, { ...secretive, type: "idempotency_error" }],
  ])("that refuses with %i is not asked again, and its reason is not repeated", async (status, error) => {
    answers = always(status, error);
    const refused = await provider.sessionFor(checkout()).catch((caught: unknown) => caught as Error);
    expect(refused).not.toHaveProperty("code");
    expect(requests).toHaveLength(1);
    expect((refused as Error).message).toMatch(/^The payment provider refused: Stripe/);
    expect(logged).toHaveLength(1);
    const told = `${(refused as Error).stack}${JSON.stringify(refused)}${String((refused as Error).cause)}${logged}`;
    expect(told).not.toMatch(/Confidential|ada@|sk_test/);
  });
});
