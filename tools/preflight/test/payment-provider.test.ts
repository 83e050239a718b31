/** What the stored key may do at Stripe, when Stripe pays out, and the events of the stage's endpoint; `--mend` adds missing ones. */
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { relevantTypes } from "#domain/payments/provider-events/provider-event.ts";
import { paymentsSecret } from "../checks/secrets.ts";
import {
  applied,
  givenAccount,
  givenNoStack,
  givenStripe,
  linesOf,
  planOf,
  type StripeRequest,
  stripeAccount,
  stripeAnswer,
  webhookUrl,
} from "./account.ts";

type Answer = ReturnType<typeof stripeAnswer>;

/** Endpoints at Stripe. */
let endpoints: object[];
/** Answers in place of the usual ones, by method and path. */
let answers: Record<string, Answer>;
let asked: StripeRequest[];

const all = { id: "we_1", url: webhookUrl, status: "enabled", enabled_events: [...relevantTypes] };
const other = { id: "we_2", url: "https://other.test/hook", status: "disabled", enabled_events: ["charge.failed"] };

const refused = (status: number, rest = ""): Answer =>
  ({
    status,
    body: { error: { type: "invalid_request_error", message: `The provided key 'sk_test_Confidential' ${rest}` } },
  }) as unknown as Answer;
const lacks = (right: string) =>
  refused(403, `does not have the required permissions. Having the '${right}' permission would allow this request.`);

beforeEach(() => {
  givenAccount();
  [endpoints, answers, asked] = [[other, all], {}, []];
  givenStripe((request) => {
    asked.push(request);
    return answers[`${request.method} ${request.path}`] ?? stripeAnswer(request.path, endpoints);
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** The lines about Stripe, without the one about the secret's form. */
async function lines(): Promise<string[]> {
  const [form, ...rest] = await linesOf(paymentsSecret);
  expect(form).toMatch(/^ok {7}payments: the payments secret/);
  expect(rest.join()).not.toContain("Confidential");
  return rest;
}

const mayRead = "ok       payments: the stored key may read sessions, refunds and the balance at Stripe.";
const paysOut = "ok       payments: Stripe pays out by itself: daily.";
const sendsAll = `ok       payments: Stripe sends ${webhookUrl} all 14 events of the service.`;
const inDashboard = "in Stripe's dashboard (Workbench, Webhooks).";
const give = (name: string) => `Fix: give the key "${name}" in Stripe's dashboard (API keys).`;

test("all is there: Stripe is only read", async () => {
  expect(await lines()).toEqual([mayRead, paysOut, sendsAll]);
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "GET /v1/checkout/sessions",
    "GET /v1/refunds",
    "GET /v1/balance_transactions",
    "GET /v1/account",
    "GET /v1/webhook_endpoints",
  ]);
});

test("before the first deploy there is no address to compare", async () => {
  givenNoStack();
  expect(await lines()).toEqual([mayRead, paysOut]);
});

describe("the key lacks a right, which is named as Stripe names it:", () => {
  test.each([
    ["/v1/checkout/sessions", "rak_checkout_session_read", "Checkout Sessions: write", "no person can pay"],
    ["/v1/refunds", "rak_charge_read", "Charges and Refunds: write", "no refund is sent"],
    [
      "/v1/balance_transactions",
      "rak_balance_read",
      "Balance: read, and Balance transaction sources: read",
      "fees and payouts are not noted",
    ],
  ])("%s", async (path, word, name, lost) => {
    answers = { [`GET ${path}`]: lacks(word) };
    expect(await lines()).toEqual([
      `problem  payments: the stored key lacks "${name}" (${word}): ${lost}. ${give(name)}`,
      paysOut,
      sendsAll,
    ]);
  });

  test("the account: only a warning, because the service does not need it", async () => {
    answers = { "GET /v1/account": lacks("rak_accounts_kyc_basic_read") };
    expect(await lines()).toEqual([
      mayRead,
      `warning  payments: the stored key lacks "Accounts: read" (rak_accounts_kyc_basic_read): the payouts and their currency cannot be checked. ${give("Accounts: read")}`,
      sendsAll,
    ]);
  });
});

describe("payouts", () => {
  const inSettings = "in Stripe's dashboard (Settings, https://dashboard.stripe.com/settings/payouts).";

  test.each(["weekly", "monthly"])("%s: Stripe makes them", async (interval) => {
    answers = { "GET /v1/account": stripeAccount(interval) };
    expect(await lines()).toEqual([mayRead, `ok       payments: Stripe pays out by itself: ${interval}.`, sendsAll]);
  });

  test("by hand: Stripe does not tell what they contain", async () => {
    answers = { "GET /v1/account": stripeAccount("manual") };
    expect(await lines()).toEqual([
      mayRead,
      `warning  payments: payouts are made by hand. Stripe does not tell which payments these contain, so no payment gets its payout; fees are noted every night all the same. Fix: choose daily, weekly or monthly payouts ${inSettings}`,
      sendsAll,
    ]);
  });
});

describe("the account settles in another currency than the stage's", () => {
  const balance = (...currencies: readonly string[]) =>
    ({
      status: 200,
      body: { object: "balance", available: currencies.map((currency) => ({ amount: 0, currency })), pending: [] },
    }) as unknown as Answer;
  const other = stripeAccount("daily", "usd");

  test("alone: it is refused", async () => {
    answers = { "GET /v1/account": other, "GET /v1/balance": balance("usd") };
    expect(await lines()).toEqual([
      mayRead,
      paysOut,
      "problem  payments: the account at Stripe settles in USD, and the stage's currency is CAD: Stripe would convert what people pay, and no sum has such lines. Fix: add a bank account in CAD in Stripe's dashboard (Settings, https://dashboard.stripe.com/settings/payouts), or change the currency of the stage in lib/stages.ts.",
      sendsAll,
    ]);
  });

  test("beside it: nothing is converted", async () => {
    answers = { "GET /v1/account": other, "GET /v1/balance": balance("usd", "cad") };
    expect(await lines()).toEqual([mayRead, paysOut, sendsAll]);
  });
});

describe("the key cannot be tried:", () => {
  test.each([
    [
      401,
      'problem  payments: Stripe does not accept the stored key. Fix: replace it: docs/runbook.md, "Replace a secret".',
    ],
    [500, "warning  payments: the stored key cannot be tried: Stripe does not answer. Fix: try again."],
    [
      400,
      "warning  payments: the stored key cannot be tried: Stripe refused (StripeInvalidRequestError). Fix: try again.",
    ],
  ])("%s", async (status, line) => {
    answers = { "GET /v1/refunds": refused(status) };
    expect(await lines()).toEqual([line]);
  });
});

describe("the endpoint", () => {
  const some = { ...all, enabled_events: [...relevantTypes.slice(0, 4), "charge.failed"] };
  const update = "POST /v1/webhook_endpoints/we_1";

  test("is missing", async () => {
    endpoints = [other];
    expect(await lines()).toEqual([
      mayRead,
      paysOut,
      `problem  payments: Stripe has no endpoint ${webhookUrl}: payments are not noted. Fix: give an endpoint this address ${inDashboard}`,
    ]);
    expect(await planOf(paymentsSecret)).toEqual([]);
  });

  test("lacks events: they are named, and the plan keeps those of others", async () => {
    endpoints = [some];
    expect(await lines()).toEqual([
      mayRead,
      paysOut,
      `problem  payments: Stripe does not send ${webhookUrl} ${relevantTypes.slice(4).join(", ")}. Fix: add the events ${inDashboard}`,
    ]);
    expect(await planOf(paymentsSecret)).toEqual([
      `plan     payments: enable Stripe's endpoint ${webhookUrl} (we_1) for ${[...some.enabled_events, ...relevantTypes.slice(4)].join(", ")}.`,
    ]);
    expect(asked.every(({ method }) => method === "GET")).toBe(true);
  });

  test("gets them by --mend --apply", async () => {
    endpoints = [{ ...some, status: "disabled" }];
    expect(await applied(paymentsSecret)).toEqual([
      `done     payments: Stripe sends ${webhookUrl} (we_1) all events of the service.`,
    ]);
    const { method, path, form } = asked.at(-1) as StripeRequest;
    expect(`${method} ${path}`).toBe(update);
    expect(new URLSearchParams(form).get("disabled")).toBe("false");
    expect([...new URLSearchParams(form).entries()].filter(([name]) => name.startsWith("enabled_events"))).toHaveLength(
      15,
    );
  });
});
