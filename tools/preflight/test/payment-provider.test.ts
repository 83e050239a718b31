/** What the stored key may do at Stripe, when Stripe pays out, and the events of the stage's endpoint. */
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { relevantTypes } from "#domain/payments/provider-events/provider-event.ts";
import { paymentsSecret } from "../checks/secrets.ts";
import {
  givenAccount,
  givenNoStack,
  givenStripe,
  linesOf,
  stripeAccount,
  stripeAnswer,
  webhookUrl,
} from "./account.ts";

type Answer = { readonly status: number; readonly body: object };

/** Endpoints at Stripe. */
let endpoints: object[];
/** Answers in place of the usual ones, by path. */
let answers: Record<string, Answer>;

const all = { id: "we_1", url: webhookUrl, status: "enabled", enabled_events: [...relevantTypes] };
const other = { id: "we_2", url: "https://other.test/hook", status: "disabled", enabled_events: ["charge.failed"] };

const refused = (status: number, rest = ""): Answer => ({
  status,
  body: { error: { type: "invalid_request_error", message: `The provided key 'sk_test_Confidential' ${rest}` } },
});
const lacks = (right: string) =>
  refused(403, `does not have the required permissions. Having the '${right}' permission would allow this request.`);
const balance = (...currencies: readonly string[]): Answer => ({
  status: 200,
  body: { object: "balance", available: currencies.map((currency) => ({ amount: 0, currency })), pending: [] },
});

beforeEach(() => {
  givenAccount();
  [endpoints, answers] = [[other, all], {}];
  givenStripe((path) => answers[path] ?? stripeAnswer(path, endpoints));
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** The lines about Stripe, without the one about the secret's form. */
async function lines(): Promise<string[]> {
  const [form, ...rest] = await linesOf(paymentsSecret);
  expect(form).toMatch(/^ok {7}payments: the secret/);
  expect(rest.join()).not.toContain("Confidential");
  return rest;
}

const found = async (): Promise<string[]> => (await lines()).filter((line) => !line.startsWith("ok "));

test("before the first deploy there is no address to compare", async () => {
  givenNoStack();
  expect(await lines()).toHaveLength(2);
});

describe("the key lacks a right, which is named as Stripe names it:", () => {
  test.each([
    ["/v1/checkout/sessions", "rak_checkout_session_read", "Checkout Sessions: write", "no person can pay"],
    ["/v1/refunds", "rak_charge_read", "Charges and Refunds: write", "no refund is sent"],
    ["/v1/balance_transactions", "rak_balance_read", "Balance: read, and .*", "fees and payouts are not noted"],
  ])("%s", async (path, word, name, lost) => {
    answers = { [path]: lacks(word) };
    const line = `^problem .*lacks "${name}" \\(${word}\\): ${lost}\\. Fix: give the key "${name}" in`;
    expect(await found()).toEqual([expect.stringMatching(line)]);
  });

  test.each([
    ["/v1/account", "Accounts: read", "the payouts and their currency"],
    ["/v1/webhook_endpoints", "Webhook Endpoints: write", "its events"],
  ])("%s: only a warning, because the service does not need it", async (path, name, what) => {
    answers = { [path]: lacks("rak_a_read") };
    const line = `^warning .*lacks "${name}" \\(rak_a_read\\): ${what} cannot be checked\\.`;
    expect(await found()).toEqual([expect.stringMatching(line)]);
  });
});

test.each<[string, Answer, Answer, RegExp[]]>([
  ["weekly", stripeAccount("weekly"), balance(), []],
  ["by hand", stripeAccount("manual"), balance(), [/^warning .*no payment gets its payout.*Fix: choose daily/]],
  ["in another currency", stripeAccount("daily", "usd"), balance("usd"), [/^problem .*settles in USD, and .* is CAD/]],
  ["in both currencies", stripeAccount("daily", "usd"), balance("usd", "cad"), []],
])("payouts: %s", async (_name, account, ofBalance, expected) => {
  answers = { "/v1/account": account, "/v1/balance": ofBalance };
  expect(await found()).toEqual(expected.map((line) => expect.stringMatching(line)));
});

test.each([
  [401, /^problem .*does not accept the stored key\. Fix: replace it: docs\/runbook\.md/],
  [500, /^warning .*cannot be tried: Stripe does not answer\. Fix: try again\.$/],
  [400, /^warning .*cannot be tried: Stripe refused \(StripeInvalidRequestError\)\./],
])("the key cannot be tried: %s", async (status, line) => {
  answers = { "/v1/refunds": refused(status) };
  expect(await lines()).toEqual([expect.stringMatching(line)]);
});

test.each<[string, object, string]>([
  ["is missing", other, `has no endpoint ${webhookUrl}: payments are not noted`],
  ["is disabled", { ...all, status: "disabled" }, `${webhookUrl} is disabled: payments are not noted`],
  [
    "lacks events",
    { ...all, enabled_events: [...relevantTypes.slice(0, 4), "charge.failed"] },
    `does not send ${webhookUrl} ${relevantTypes.slice(4).join(", ")}. Fix: add the events`,
  ],
])("the endpoint %s", async (_name, endpoint, text) => {
  endpoints = [endpoint];
  expect(await found()).toEqual([expect.stringContaining(text)]);
});
