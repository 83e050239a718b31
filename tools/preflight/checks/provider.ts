/** What the payment provider allows the stored key, its payouts, and which events it sends to the stage. Read-only. */
import type Stripe from "stripe";
import { relevantTypes } from "#domain/payments/provider-events/provider-event.ts";
import { type Finding, Obstacle, ok, problem, warning } from "../../kit/finding.ts";
import { endpointEvents, missingEvents } from "../mends/endpoint-events.ts";
import { dashboard, endpointAt, missingRight, providerObstacle, stripeFor, webhookUrl } from "../stripe.ts";

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

const endpointRight = "Webhook Endpoints: write";
/** https://docs.stripe.com/keys/permissions-reference: connected_account_read */
const accountRight = "Accounts: read";
const payoutSettings = "Stripe's dashboard (Settings, https://dashboard.stripe.com/settings/payouts)";

const lacking = (name: string, stripesWord: string): string =>
  `the stored key lacks "${name}"${stripesWord && ` (${stripesWord})`}`;
const giveRight = (name: string): string => `give the key "${name}" in Stripe's dashboard (API keys).`;

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
async function payoutFinding(stripe: Stripe): Promise<Finding> {
  try {
    const { settings } = await stripe.accounts.retrieveCurrent();
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
  } catch (error) {
    return uncheckable(error, accountRight, "the payouts");
  }
}

async function endpointFinding(stripe: Stripe, url: string): Promise<Finding> {
  try {
    const endpoint = await endpointAt(stripe, url);
    if (!endpoint) {
      return problem(
        `Stripe has no endpoint ${url}: payments are not noted.`,
        `give an endpoint this address in ${dashboard}.`,
      );
    }
    const missing = missingEvents(endpoint);
    const mend = endpointEvents(stripe, endpoint);
    if (endpoint.status === "disabled") {
      return problem(
        `Stripe's endpoint ${url} is disabled: payments are not noted.`,
        `enable it in ${dashboard}.`,
        mend,
      );
    }
    if (missing.length > 0) {
      return problem(`Stripe does not send ${url} ${missing.join(", ")}.`, `add the events in ${dashboard}.`, mend);
    }
    return ok(`Stripe sends ${url} all ${relevantTypes.length} events of the service.`);
  } catch (error) {
    return uncheckable(error, endpointRight, "its events");
  }
}

/** @param apiUrl undefined before the first deploy: the stage has no address yet */
export async function providerFindings(apiKey: string, apiUrl: string | undefined): Promise<Finding[]> {
  const stripe = stripeFor(apiKey);
  try {
    const lost = (await Promise.all(rights.map((right) => rightFinding(stripe, right)))).flat();
    const ofKey = lost.length > 0 ? lost : [ok("the stored key may read sessions, refunds and the balance at Stripe.")];
    const ofAccount = [...ofKey, await payoutFinding(stripe)];
    return apiUrl === undefined ? ofAccount : [...ofAccount, await endpointFinding(stripe, webhookUrl(apiUrl))];
  } catch (error) {
    const obstacle = providerObstacle(error);
    if (!(obstacle instanceof Obstacle)) throw error;
    if ((error as Partial<Stripe.errors.StripeError>).statusCode === 401) {
      return [problem(`Stripe does not accept the stored key.`, 'replace it: docs/runbook.md, "Replace a secret".')];
    }
    return [warning(`the stored key cannot be tried: ${obstacle.message}`, "try again.")];
  }
}
