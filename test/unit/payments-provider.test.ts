/** The payment provider as its client reaches it: the local one, and one that fails in every way. */
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import Stripe from "stripe";
import type { LatestCheckout } from "#domain/payments/checkout/checkout.ts";
import type { Provider } from "#domain/payments/provider/provider.ts";
import type { Session } from "#domain/payments/provider/session.ts";
import type { Refusal } from "#kit/errors.ts";
import { refusalAnswer } from "#kit/request/problem.ts";
import { Conflict } from "#kit/table/conflict.ts";
import { filters } from "../../lib/monitoring/filters.ts";
import { type Payments, startPayments } from "../../tools/laptop/payments/server/index.ts";
import { matchesPattern } from "../filter-pattern.ts";
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
  const { sessionId: id, url } = (await provider.sessionFor(one)) as Session;
  expect(sessions(one)).toMatchObject([
    {
      ...{ id, url },
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

describe("a 500, which the provider keeps under its key", () => {
  const open = (one: LatestCheckout) => sessions(one).filter(({ status }) => status === "open");

  test.each([
    ["without its session", "before work", 1],
    ["although its session was made", "after work", 1],
  ] as const)("%s leads to one open session, also for those who ask at once", async (_, when, left) => {
    const one = checkout();
    local.breakRequests(left, when);
    const first = await provider.sessionFor(one);
    const all = await Promise.allSettled(Array.from({ length: 5 }, () => provider.sessionFor(one)));
    // A request that comes while the session is made has to ask again.
    for (const each of all) {
      if (each.status === "rejected") expect(each.reason).toBeInstanceOf(Conflict);
      else expect(each.value).toEqual(first);
    }
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
});

test("an amount that the provider does not accept is not reported as the payer's error", async () => {
  await expect(provider.sessionFor(checkout({ amount: 1 }))).rejects.toMatchObject({ code: "NOTHING_TO_PAY" });
});

describe("ending a session", () => {
  test("that the provider does not know has nothing to end, and the log names the cause", async () => {
    expect(await provider.end("cs_test_of_another_account")).toEqual({
      ...{ id: "cs_test_of_another_account", status: "expired" },
    });
    expect(JSON.parse(String(logged))).toMatchObject([
      "the payment provider refused",
      { because: "unknown session", code: "resource_missing" },
    ]);
  });

  test("waits as long as it is not allowed, because the session may be paid", async () => {
    const { sessionId } = (await provider.sessionFor(checkout())) as Session;
    answers = [{ status: 403, error: { type: "invalid_request_error", message: "No." } }];
    await expect(provider.end(sessionId)).rejects.toMatchObject({ kind: "unavailable", because: "permission" });
  });
});

/** Whether the alarm about money rings for the line that was logged. */
const rings = (): boolean => {
  const [message, facts] = JSON.parse(String(logged));
  return matchesPattern(filters.MoneyForTreasurer.pattern, { message, ...facts });
};

const secretive = { message: `Confidential ${email} sk_test_x`, doc_url: "https://docs.example" };

describe("a provider", () => {
  const always = (status: number, error: object) => Array.from({ length: 9 }, () => ({ status, error }));

  test.each([
    [503, { ...secretive, type: "api_error" }, 4],
    [429, { ...secretive, type: "rate_limit_error" }, 1],
  ])("that keeps failing with %i is reported as unavailable", async (status, error, tries) => {
    answers = always(status, error);
    await expect(provider.sessionFor(checkout())).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect([requests.length, rings()]).toEqual([tries, false]);
  });

  const askedOnce = async (status: number, error: object) => {
    answers = always(status, error);
    const refused = (await provider.sessionFor(checkout()).catch((caught: unknown) => caught)) as Error;
    expect([requests.length, logged.length]).toEqual([1, 1]);
    const told = `${refused.stack}${JSON.stringify(refused)}${String(refused.cause)}${logged}`;
    expect(told).not.toMatch(/Confidential|ada@|sk_test/);
    return refused;
  };

  test.each([
    [401, { ...secretive, type: "invalid_request_error" }, "authentication"],
    [403, { ...secretive, type: "invalid_request_error" }, "permission"],
    [400, { ...secretive, type: "idempotency_error" }, "idempotency"],
    [404, { ...secretive, type: "invalid_request_error", code: "resource_missing", param: "price" }, "unknown object"],
  ])(
    "that refuses with %i is not asked again: the payer reads a 503, and the log the cause",
    async (status, error, because) => {
      const refused = await askedOnce(status, error);
      expect(refused).toMatchObject({ kind: "unavailable", because });
      const message = "Paying is not possible at the moment. Nothing was paid; please try again later.";
      const body = { code: "UNAVAILABLE", message, requestId: "r1" };
      expect(refusalAnswer(refused as unknown as Refusal, "r1")).toMatchObject({ statusCode: 503, body });
      expect(JSON.parse(String(logged))).toMatchObject([
        "the payment provider refused",
        { because, statusCode: status },
      ]);
    },
  );

  test("that finds a request wrong is not asked again, and its reason is not repeated", async () => {
    const error = { ...secretive, type: "invalid_request_error", param: "customer_email", code: "email_invalid" };
    const refused = await askedOnce(400, error);
    expect(refused).not.toHaveProperty("kind");
    expect(refused.message).toMatch(/^The payment provider refused: Stripe/);
    expect(JSON.parse(String(logged))).toMatchObject(["the payment provider refused", { because: "invalid request" }]);
  });
});
