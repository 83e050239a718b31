/** What the payment provider allows the stored key, its payouts, and which events it sends to the stage. Read-only. */
import Stripe from "stripe";
import { apiVersion } from "#domain/payments/provider/session.ts";
import { relevantTypes } from "#domain/payments/provider-events/provider-event.ts";
import { type Finding, ok, problem, warning } from "../../kit/finding.ts";

/** The address of the stage's webhook. The provider has stored it, so it never changes. */
export const webhookUrl = (apiUrl: string): string => `${apiUrl}/payments/webhook`;

/** A right that the service needs. A read cannot show whether the key may write. */
interface Right {
  /** As the provider's form for restricted keys names it. */
  readonly name: string;
  /** What does not work without it. */
  readonly lost: string;
  readonly read: (stripe: Stripe) => Promise<unknown>;
}

const rights: readonly Right[] = [
  {
    name: "Checkout Sessions: write",
    lost: "no person can pay",
    read: (stripe) => stripe.checkout.sessions.list({ limit: 1 }),
  },
  {
    name: "Charges and Refunds: write",
    lost: "no refund is sent",
    read: (stripe) => stripe.refunds.list({ limit: 1 }),
  },
  {
    name: "Balance: read, and Balance transaction sources: read",
    lost: "fees and payouts are not noted",
    read: (stripe) => stripe.balanceTransactions.list({ limit: 1, expand: ["data.source"] }),
  },
];

/** https://docs.stripe.com/workbench/webhooks */
const dashboard = "Stripe's dashboard (Workbench, Webhooks)";
const endpointRight = "Webhook Endpoints: write";
/** https://docs.stripe.com/keys/permissions-reference: connected_account_read */
const accountRight = "Accounts: read";
const payoutSettings = "Stripe's dashboard (Settings, https://dashboard.stripe.com/settings/payouts)";

const lacking = (name: string, stripesWord: string): string =>
  `the stored key lacks "${name}"${stripesWord && ` (${stripesWord})`}`;
const giveRight = (name: string): string => `give the key "${name}" in Stripe's dashboard (API keys).`;

/**
 * A restricted key without the permission: https://docs.stripe.com/keys/restricted-api-keys
 * @returns the provider's name for it, or an empty text; undefined for another error. The rest of the message may contain
 *   the key.
 */
function missingRight(error: unknown): string | undefined {
  const { statusCode, message = "" } = error as Partial<Stripe.errors.StripeError>;
  return statusCode === 403 ? (/'(\w+_(?:read|write))'/.exec(message)?.[1] ?? "") : undefined;
}

/** @throws the provider's error, unless it is a missing right */
async function rightFinding(stripe: Stripe, { name, lost, read }: Right): Promise<Finding[]> {
  try {
    await read(stripe);
    return [];
  } catch (error) {
    const word = missingRight(error);
    if (word === undefined) throw error;
    return [problem(`${lacking(name, word)}: ${lost}.`, giveRight(name))];
  }
}

/** Only this check needs the right, not the service. @throws the provider's error, unless it is a missing right */
function uncheckable(error: unknown, name: string, what: string): Finding {
  const word = missingRight(error);
  if (word === undefined) throw error;
  return warning(`${lacking(name, word)}: ${what} cannot be checked.`, giveRight(name));
}

/** The provider tells the lines of automatic payouts only: https://docs.stripe.com/payouts/reconciliation */
function payoutFinding({ settings }: Stripe.Account): Finding {
  const interval = settings?.payouts?.schedule.interval;
  if (interval === undefined) {
    return warning(
      "Stripe does not tell when it pays out.",
      `look whether payouts are daily, weekly or monthly in ${payoutSettings}.`,
    );
  }
  if (interval === "manual") {
    return warning(
      "payouts are made by hand. Stripe does not tell which payments these contain, so no payment gets its payout; fees are noted every night all the same.",
      `choose daily, weekly or monthly payouts in ${payoutSettings}.`,
    );
  }
  return ok(`Stripe pays out by itself: ${interval}.`);
}

/**
 * An account settles in its default currency, and in others for which it has a balance:
 * https://docs.stripe.com/payouts/multicurrency-settlement
 * @param currency of the stage, ISO 4217
 */
async function currencyFinding(
  stripe: Stripe,
  { default_currency = "unknown" }: Stripe.Account,
  currency: string,
): Promise<Finding[]> {
  const isStages = (one: string): boolean => one.toUpperCase() === currency;
  if (isStages(default_currency)) return [];
  const { available, pending } = await stripe.balance.retrieve();
  if ([...available, ...pending].some((part) => isStages(part.currency))) return [];
  return [
    problem(
      `the account at Stripe settles in ${default_currency.toUpperCase()}, and the stage's currency is ${currency}: Stripe would convert what people pay, and no sum has such lines.`,
      `add a bank account in ${currency} in ${payoutSettings}, or change the currency of the stage in lib/stages.ts.`,
    ),
  ];
}

async function accountFindings(stripe: Stripe, currency: string): Promise<Finding[]> {
  try {
    const account = await stripe.accounts.retrieveCurrent();
    return [payoutFinding(account), ...(await currencyFinding(stripe, account, currency))];
  } catch (error) {
    return [uncheckable(error, accountRight, "the payouts and their currency")];
  }
}

async function endpointFinding(stripe: Stripe, url: string): Promise<Finding> {
  try {
    for await (const { url: address, status, enabled_events } of stripe.webhookEndpoints.list({ limit: 100 })) {
      if (address !== url) continue;
      if (status === "disabled") {
        return problem(`Stripe's endpoint ${url} is disabled: payments are not noted.`, `enable it in ${dashboard}.`);
      }
      const missing = enabled_events.includes("*")
        ? []
        : relevantTypes.filter((type) => !enabled_events.includes(type));
      if (missing.length === 0) return ok(`Stripe sends ${url} all ${relevantTypes.length} events of the service.`);
      return problem(`Stripe does not send ${url} ${missing.join(", ")}.`, `add the events in ${dashboard}.`);
    }
    return problem(
      `Stripe has no endpoint ${url}: payments are not noted.`,
      `give an endpoint this address in ${dashboard}.`,
    );
  } catch (error) {
    return uncheckable(error, endpointRight, "its events");
  }
}

/**
 * The provider's error without its message, which may contain the key. https://docs.stripe.com/error-handling
 * @throws any other error as it comes
 */
function untried(error: unknown): Finding {
  const { type, code, statusCode = 500, requestId } = error as Partial<Stripe.errors.StripeError>;
  if (!type?.startsWith("Stripe")) throw error;
  if (statusCode === 401) {
    return problem("Stripe does not accept the stored key.", 'replace it: docs/runbook.md, "Replace a secret".');
  }
  const refused = `Stripe refused (${[type, code, requestId].filter(Boolean).join(", ")})`;
  const why = statusCode < 500 ? refused : "Stripe does not answer";
  return warning(`the stored key cannot be tried: ${why}.`, "try again.");
}

/** @param apiUrl undefined before the first deploy: the stage has no address yet @param currency of the stage, ISO 4217 */
export async function providerFindings(
  apiKey: string,
  apiUrl: string | undefined,
  currency: string,
): Promise<Finding[]> {
  const httpClient = Stripe.createFetchHttpClient();
  const stripe = new Stripe(apiKey, {
    apiVersion,
    httpClient,
    maxNetworkRetries: 1,
    timeout: 10_000,
    telemetry: false,
  });
  try {
    const lost = (await Promise.all(rights.map((right) => rightFinding(stripe, right)))).flat();
    const ofKey = lost.length > 0 ? lost : [ok("the stored key may read sessions, refunds and the balance at Stripe.")];
    const ofAccount = [...ofKey, ...(await accountFindings(stripe, currency))];
    return apiUrl === undefined ? ofAccount : [...ofAccount, await endpointFinding(stripe, webhookUrl(apiUrl))];
  } catch (error) {
    return [untried(error)];
  }
}
