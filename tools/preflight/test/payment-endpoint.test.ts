/** `--mend` for payments: Stripe's endpoint, the secret, and every point at which one exists without the other. */
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { apiVersion } from "#domain/payments/provider/session.ts";
import { relevantTypes } from "#domain/payments/provider-events/provider-event.ts";
import type { StageConfig } from "../../../lib/stages.ts";
import { paymentsSecret } from "../checks/secrets.ts";
import {
  applied,
  awsError,
  clubProduction,
  clubStaging,
  given,
  givenAccount,
  givenNoStack,
  planOf,
  requestsOf,
} from "./account.ts";

const name = "club-events/staging/payments";
const url = "https://api.test/payments/webhook";
const stripeKey = "sk_test_Confidential";
const signingSecret = "whsec_Confidential";
const stored = JSON.stringify({ apiKey: stripeKey, webhookSecrets: [signingSecret] });
const giveKey = "Fix: read -rs STRIPE_API_KEY; export STRIPE_API_KEY";
const deleteIt = "delete the endpoint in Stripe's dashboard (Workbench, Webhooks); try again.";

type StripeRequest = "GET" | "POST" | "DELETE";
type StripeAnswer = { readonly status: number; readonly body: object } | Error;

/** Requests that Stripe has got: method, path, form. */
let asked: { method: string; path: string; form: string; version: string | null }[];
/** Its endpoints, by their addresses. */
let endpoints: { id: string; url: string }[];
/** Answers in place of the usual ones. */
let answers: Partial<Record<StripeRequest, StripeAnswer>>;

const error = (status: number, type: string, code: string) => ({
  status,
  body: { error: { type, code, message: `The key ${stripeKey} is no good.` } },
});

function usual(method: string, path: string): object {
  if (method === "GET") return { object: "list", has_more: false, url: path, data: endpoints };
  const id = method === "DELETE" ? path.split("/").at(-1) : "we_new";
  if (method === "DELETE") {
    endpoints = endpoints.filter((endpoint) => endpoint.id !== id);
    return { id, object: "webhook_endpoint", deleted: true };
  }
  endpoints.push({ id: "we_new", url });
  return { id, object: "webhook_endpoint", secret: signingSecret };
}

beforeEach(() => {
  givenAccount();
  given("GetSecretValue", awsError("ResourceNotFoundException"));
  given("CreateSecret", {});
  [asked, endpoints, answers] = [[], [{ id: "we_other", url: "https://other.test/hook" }], {}];
  jest.spyOn(globalThis, "fetch").mockImplementation(async (address, init) => {
    const { pathname } = new URL(String(address));
    const method = init?.method as StripeRequest;
    const version = new Headers(init?.headers as Record<string, string>).get("stripe-version");
    asked.push({ method, path: pathname, form: decodeURIComponent(String(init?.body ?? "")), version });
    const answer = answers[method] ?? { status: 200, body: usual(method, pathname) };
    if (answer instanceof Error) throw answer;
    return new Response(JSON.stringify(answer.body), { status: answer.status });
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

const methods = () => asked.map(({ method }) => method);
async function apply(stage: StageConfig = clubStaging, key: string | undefined = stripeKey): Promise<string[]> {
  const lines = await applied(paymentsSecret, stage, { stripeKey: key });
  expect(lines.join()).not.toContain("Confidential");
  return lines;
}

describe("the plan", () => {
  const what = `create Stripe's endpoint ${url} for ${relevantTypes.join(", ")}, and store its signing secret with the key in STRIPE_API_KEY as ${name}`;
  afterEach(() => expect(asked).toEqual([]));

  test("names the endpoint, its events and the secret", async () => {
    expect(await planOf(paymentsSecret, clubStaging, { stripeKey })).toEqual([`plan     payments: ${what}.`]);
  });

  test("there is none before the first deploy, and none when the secret is there", async () => {
    givenNoStack();
    expect(await planOf(paymentsSecret, clubStaging, { stripeKey })).toEqual([]);
    givenAccount();
    expect(await planOf(paymentsSecret, clubStaging, { stripeKey })).toEqual([]);
  });
});

test("the endpoint is created with the events and the version of the service, and the secret is stored", async () => {
  expect(await apply()).toEqual([
    `done     payments: Stripe sends its events to ${url} (we_new), and ${name} has the key and the signing secret.`,
  ]);
  expect(methods()).toEqual(["GET", "POST"]);
  expect(asked.every(({ version }) => version === apiVersion)).toBe(true);
  expect(Object.fromEntries(new URLSearchParams(asked[1]?.form))).toEqual({
    url,
    api_version: apiVersion,
    ...Object.fromEntries(relevantTypes.map((type, n) => [`enabled_events[${n}]`, type])),
  });
  expect(requestsOf("CreateSecret")).toEqual([expect.objectContaining({ Name: name, SecretString: stored })]);
});

describe("nothing is created", () => {
  afterEach(() => {
    expect(methods()).not.toContain("POST");
    expect(requestsOf("CreateSecret")).toEqual([]);
  });

  test.each([
    [clubStaging, undefined, "there is no key in STRIPE_API_KEY."],
    [
      clubProduction,
      "rk_test_Confidential",
      "the key in STRIPE_API_KEY does not fit: The payments secret of production has a key of the test mode: no person really pays.",
    ],
    [
      clubStaging,
      "pk_test_Confidential",
      "the key in STRIPE_API_KEY does not fit: The payments secret has no apiKey that starts with sk_ or rk_.",
    ],
  ])("for a key that does not fit: %#", async (stage, key, text) => {
    const lines = await applied(paymentsSecret, stage, { stripeKey: key });
    expect(lines).toEqual([`failed   payments: ${text} ${giveKey}`]);
    expect(asked).toEqual([]);
  });

  test("beside an endpoint of this address, whose secret nobody knows", async () => {
    endpoints.push({ id: "we_old", url });
    expect(await apply()).toEqual([
      `failed   payments: Stripe already has the endpoint we_old for ${url}, and its signing secret is not stored. Fix: ${deleteIt}`,
    ]);
  });

  test.each([
    [
      error(401, "invalid_request_error", "api_key_expired"),
      "Stripe refused (StripeAuthenticationError, api_key_expired). Fix: give a valid key: read -rs STRIPE_API_KEY; export STRIPE_API_KEY",
    ],
    [
      error(403, "invalid_request_error", "more_permissions_required"),
      "Stripe refused (StripePermissionError, more_permissions_required). Fix: give a key with write access to webhook endpoints.",
    ],
    [
      new TypeError("fetch failed"),
      "Stripe does not answer. Fix: try again: an endpoint that was created nevertheless is named then.",
    ],
  ])("when Stripe refuses: %#", async (answer, text) => {
    answers = { GET: answer };
    expect(await apply()).toEqual([`failed   payments: ${text}`]);
  });
});

describe("AWS does not store the secret:", () => {
  const denied = awsError("AccessDeniedException");
  const allow = "these credentials have no permission for secretsmanager:CreateSecret.";

  test("a refusal deletes the endpoint, so that the next run creates another", async () => {
    given("CreateSecret", denied);
    expect(await apply()).toEqual([
      `failed   payments: ${allow} Stripe's new endpoint was deleted again. Fix: allow it; an administrator has what it needs.`,
    ]);
    expect(endpoints.map(({ id }) => id)).toEqual(["we_other"]);
    given("CreateSecret", {});
    expect(await apply()).toEqual([expect.stringMatching(/^done/)]);
  });

  test("no answer, but the secret is there: done", async () => {
    let isStored = false;
    given("GetSecretValue", () => (isStored ? { SecretString: stored } : awsError("ResourceNotFoundException")));
    given("CreateSecret", () => {
      isStored = true;
      return awsError("TimeoutError");
    });
    expect(await apply()).toEqual([expect.stringMatching(/^done .*we_new/)]);
    expect(methods()).toEqual(["GET", "POST"]);
  });

  test("no answer and no secret: the endpoint stays, because the secret may follow, and the next run names it", async () => {
    given("CreateSecret", awsError("TimeoutError"));
    expect(await apply()).toEqual([
      `failed   payments: AWS does not answer in ca-central-1 (TimeoutError). The secret may be stored or not; Stripe's new endpoint we_new needs it. Fix: npm run preflight -- staging says whether there is a payments secret. If not: ${deleteIt}`,
    ]);
    expect(endpoints.map(({ id }) => id)).toContain("we_new");
    expect(await apply()).toEqual([expect.stringContaining("Stripe already has the endpoint we_new")]);
  });
});
