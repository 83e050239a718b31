/**
 * The service, the laptop's payment provider and Stripe's published document agree: each request that the service sends is
 * accepted by both, and each object that the laptop answers has the fields of Stripe's.
 */
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import type { LatestCheckout } from "#domain/payments/checkout/checkout.ts";
import type { Provider } from "#domain/payments/provider/provider.ts";
import type { ProviderLists } from "#domain/payments/provider/provider-lists.ts";
import type { MoneyProvider } from "#domain/payments/provider/refund-calls.ts";
import type { Session } from "#domain/payments/provider/session.ts";
import "../../../../test/unit/environment.ts";
import { type Payments, startPayments } from "../../payments/server/index.ts";
import { isJudged, type Judge, startJudge } from "./stripe-mock.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Recorded {
  readonly method: string;
  readonly path: string;
  /** Of the query or the body. */
  readonly parameters: URLSearchParams;
  readonly status: number;
  readonly answer: unknown;
}

/** What stripe-mock, whose document is of 2026-08-26.dahlia, does not know as the SDK's types of 2026-10-28.endive do. */
const newerParameters = ["allowed_payment_method_types[0]"];

const { fetch: realFetch } = globalThis;
const recorded: Recorded[] = [];
let local: Payments;

const checkout: LatestCheckout = {
  ...{ id: "01CHECKOUT", email: "ada@unit.example", purpose: { kind: "membership" }, product: "Membership" },
  ...{ amount: 12_340, currency: "cad", successUrl: "https://club.example/paid", cancelUrl: "https://club.example/" },
  ...{ expiresAt: Math.floor(Date.now() / 1_000) * 1_000 + 2_400_000, createdAt: Date.now() },
};

/** Calls every operation of the service at the provider; the compiler finds one that is missing here. */
async function callAll(): Promise<void> {
  const { provider, sessionAtProvider } = await import("#domain/payments/provider/provider.ts");
  const { moneyProvider: money } = await import("#domain/payments/provider/refund-calls.ts");
  const { providerPosition } = await import("#domain/payments/provider/balance-calls.ts");
  const { lists, providerLists } = await import("#domain/payments/provider/provider-lists.ts");
  const { sessionId } = (await provider.sessionFor(checkout)) as Session;
  await sessionAtProvider(sessionId);
  const paymentIntent = String(local.pay(sessionId).payment_intent);
  const operations = {
    sessionFor: () => {
      local.breakRequests(1, "before work");
      return provider.sessionFor({ ...checkout, id: "01OTHER" });
    },
    end: () => provider.end(local.sessions().at(-1)?.id ?? ""),
    refund: () => money.refund({ refundId: "01REFUND", paymentIntent, amount: 100, isOld: false }),
    refundsOf: () => money.refundsOf(paymentIntent),
    disputeNow: () => money.disputeNow(local.dispute(sessionId, { amount: 100 }).id),
    linesOf: () => money.linesOf(local.payOut().id),
    page: () => Promise.all(lists.map((list) => providerLists.page({ list, since: 0 }))),
  } satisfies Record<keyof Provider | keyof MoneyProvider | keyof ProviderLists, () => Promise<unknown>>;
  for (const call of Object.values(operations)) await call();
  await providerPosition(Date.now());
}

beforeAll(async () => {
  local = await startPayments();
  globalThis.fetch = async (input, init) => {
    const response = await realFetch(input, init);
    const { pathname: path, search } = new URL(String(input));
    const { method = "GET" } = init ?? {};
    const parameters = new URLSearchParams(method === "GET" ? search : String(init?.body ?? ""));
    recorded.push({ method, path, parameters, status: response.status, answer: await response.clone().json() });
    return response;
  };
  process.env.PAYMENTS_ENDPOINT_URL = local.url;
  const secret = JSON.stringify({ apiKey: local.apiKey, webhookSecrets: [local.webhookSecret] });
  mockClient(SecretsManagerClient).on(GetSecretValueCommand).resolves({ SecretString: secret });
  await callAll();
});
afterAll(async () => {
  globalThis.fetch = realFetch;
  delete process.env.PAYMENTS_ENDPOINT_URL;
  await local.close();
});

test("the laptop accepts every request of the service", () => {
  const answered = recorded.map(
    ({ method, path, status }) => `${status} ${method} ${path.replace(/\/\w+_\w{20,}/, "/:id")}`,
  );
  expect([...new Set(answered)].sort()).toEqual([
    "200 GET /v1/balance",
    "200 GET /v1/balance_transactions",
    "200 GET /v1/checkout/sessions",
    "200 GET /v1/checkout/sessions/:id",
    "200 GET /v1/disputes",
    "200 GET /v1/disputes/:id",
    "200 GET /v1/payouts",
    "200 GET /v1/refunds",
    "200 POST /v1/checkout/sessions",
    "200 POST /v1/checkout/sessions/:id/expire",
    "200 POST /v1/refunds",
    "500 POST /v1/checkout/sessions",
  ]);
});

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** All objects of a kind in an answer, however deep. */
function objectsIn(value: unknown, kind: string): Fields[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap((one) => objectsIn(one, kind));
  return isFields(value) && value.object === kind ? [value, ...inside] : inside;
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? "list" : typeof value);

/** The fields of Stripe's object that ours lacks, or has as another kind of value. */
function differences(ours: Fields, theirs: Fields, path = ""): string[] {
  return Object.entries(theirs).flatMap(([name, their]) => {
    const our = ours[name];
    if (our === undefined) return [path + name];
    if (our === null || their === null || name === "metadata" || (isFields(our) && "id" in our)) return [];
    if (isFields(our) && isFields(their)) return differences(our, their, `${path}${name}.`);
    return kindOf(our) === kindOf(their) ? [] : [path + name];
  });
}

(isJudged ? describe : describe.skip)("stripe-mock", () => {
  let judge: Judge;
  beforeAll(async () => {
    judge = await startJudge();
  });
  afterAll(() => judge?.stop());
  const ask = (method: string, path: string, parameters: string) =>
    realFetch(method === "GET" ? `${judge.url}${path}?${parameters}` : judge.url + path, {
      method,
      headers: { authorization: "Bearer sk_test_judge", "content-type": "application/x-www-form-urlencoded" },
      ...(method === "POST" && { body: parameters }),
    });

  test("accepts every request of the service, and no unknown parameter", async () => {
    expect(recorded.length).toBeGreaterThan(10);
    for (const { method, path, parameters } of recorded) {
      const known = new URLSearchParams([...parameters].filter(([name]) => !newerParameters.includes(name)));
      expect([method, path, (await ask(method, path, String(known))).status]).toEqual([method, path, 200]);
      if (known.size === parameters.size) continue;
      // It knows them now: they go from the list.
      expect((await ask(method, path, String(parameters))).status).toBe(400);
    }
    expect((await ask("GET", "/v1/refunds", "colour=red")).status).toBe(400);
  });

  // With the fields that the laptop leaves out: a card, what only an expansion shows, and what only platforms have.
  test.each<[kind: string, path: string, left: readonly string[]]>([
    ["checkout.session", "checkout/sessions/cs_1", []],
    ["charge", "charges/ch_1", ["payment_method_details.card", "refunds"]],
    ["refund", "refunds/re_1", []],
    ["dispute", "disputes/du_1", []],
    ["payout", "payouts/po_1", []],
    ["balance_transaction", "balance_transactions/txn_1", []],
    ["balance", "balance", ["connect_reserved"]],
  ])("%s: the laptop's object has its fields", async (kind, path, left) => {
    const theirs = (await (await ask("GET", `/v1/${path}`, "")).json()) as Fields;
    const ours = recorded.flatMap(({ answer }) => objectsIn(answer, kind));
    expect(ours.length).toBeGreaterThan(0);
    for (const one of ours) expect(differences(one, theirs)).toEqual(left);
  });
});
