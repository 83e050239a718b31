/**
 * The webhook's endpoint at the payment provider, and the payments secret with its signing secret.
 *
 * The provider tells the signing secret only in the answer to the creation
 * (https://docs.stripe.com/api/webhook_endpoints/object, `secret`), so an endpoint whose secret is not stored is of no
 * use: it is deleted when the secret was certainly not stored, and named to the person when that is unknown.
 */
import { CreateSecretCommand, GetSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import type Stripe from "stripe";
import type { PaymentCredentials } from "#domain/payments/provider/parse-credentials.ts";
import { apiVersion } from "#domain/payments/provider/session.ts";
import { relevantTypes } from "#domain/payments/provider-events/provider-event.ts";
import { isMissingPermission } from "../../kit/failures.ts";
import { type Mend, Obstacle } from "../../kit/finding.ts";
import type { Account } from "../check-kit/account.ts";
import { asking, changing, refusal } from "../check-kit/asking.ts";
import { asksStripe, dashboard, endpointAt, giveKey, stripeFor, webhookUrl } from "../check-kit/stripe.ts";

export interface WantedEndpoint {
  /** The name of the payments secret. */
  readonly secret: string;
  readonly apiUrl: string;
  /** @throws Error with the problem of a payments secret, without its value */
  readonly judge: (text: string) => unknown;
}

const secretText = (apiKey: string, signingSecret: string): string => {
  const credentials: PaymentCredentials = { apiKey, webhookSecrets: [signingSecret] };
  return JSON.stringify(credentials);
};

const tryAgain = "try again.";

const deleteIt = `delete the endpoint in ${dashboard}`;

/** Why the given key is of no use; undefined when it may be. */
function obstacleOf(apiKey: string | undefined, judge: WantedEndpoint["judge"]): Obstacle | undefined {
  if (!apiKey) return new Obstacle("there is no key in STRIPE_API_KEY.", giveKey);
  try {
    judge(secretText(apiKey, "whsec_later"));
    return undefined;
  } catch (wrong) {
    return new Obstacle(`the key in STRIPE_API_KEY does not fit: ${(wrong as Error).message}`, giveKey);
  }
}

/** AWS has certainly not done it: it answered, and the cause is the request. */
const isRefused = (error: unknown): boolean =>
  isMissingPermission(error) || (error as { $fault?: unknown }).$fault === "client";

/** Whether the secret has this value. */
async function isStored({ clients }: Account, name: string, text: string): Promise<boolean> {
  const answer = clients.secrets.send(new GetSecretValueCommand({ SecretId: name }));
  return asking("secretsmanager:GetSecretValue", answer).then(
    ({ SecretString }) => SecretString === text,
    () => false,
  );
}

/** Creates the endpoint and stores the secret. The service reads a new secret without a deploy. */
export function paymentEndpoint(account: Account, { secret: name, apiUrl, judge }: WantedEndpoint): Mend {
  const url = webhookUrl(apiUrl);
  const apiKey = account.stripeKey ?? "";
  const obstacle = obstacleOf(apiKey, judge);
  const what = `create Stripe's endpoint ${url} for ${relevantTypes.join(", ")}, and store its signing secret with the key in STRIPE_API_KEY as ${name}`;
  return {
    what: obstacle ? `${what}. Before that: ${obstacle.message} Fix: ${obstacle.fix}` : `${what}.`,
    async apply() {
      if (obstacle) throw obstacle;
      const stripe = stripeFor(apiKey);
      const existing = await asksStripe(endpointAt(stripe, url));
      if (existing !== undefined) {
        throw new Obstacle(
          `Stripe already has the endpoint ${existing.id} for ${url}, and its signing secret is not stored.`,
          `${deleteIt}; ${tryAgain}`,
        );
      }
      // Without api_version the events have the account's version: https://docs.stripe.com/api/webhook_endpoints/create
      const { id, secret } = await asksStripe(
        stripe.webhookEndpoints.create({ url, enabled_events: [...relevantTypes], api_version: apiVersion }),
      );
      if (secret === undefined) return remove(stripe, id, "Stripe's answer has no signing secret.", tryAgain);
      await store(account, name, secretText(apiKey, secret), { stripe, id });
      return `Stripe sends its events to ${url} (${id}), and ${name} has the key and the signing secret.`;
    },
  };
}

/** @throws Obstacle always: why the endpoint is of no use, and whether it is left */
async function remove(stripe: Stripe, id: string, why: string, fix: string): Promise<never> {
  await stripe.webhookEndpoints.del(id).catch(() => {
    const left = `${why} Stripe's new endpoint ${id} is left, and its signing secret is not stored.`;
    throw new Obstacle(left, `${deleteIt}; ${fix}`);
  });
  throw new Obstacle(`${why} Stripe's new endpoint was deleted again.`, fix);
}

async function store(
  account: Account,
  name: string,
  text: string,
  { stripe, id }: { readonly stripe: Stripe; readonly id: string },
): Promise<void> {
  try {
    // The SDK's token makes its second try harmless:
    // https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_CreateSecret.html
    const request = new CreateSecretCommand({ Name: name, SecretString: text });
    await changing("secretsmanager:CreateSecret", account.clients.secrets.send(request));
  } catch (error) {
    const { text: why, fix } = refusal(error, account.region);
    if (isRefused(error)) return remove(stripe, id, why, fix);
    if (await isStored(account, name, text)) return;
    throw new Obstacle(
      `${why} The secret may be stored or not; Stripe's new endpoint ${id} needs it.`,
      `npm run preflight -- ${account.stage.name} says whether there is a payments secret. If not: ${deleteIt}; ${tryAgain}`,
    );
  }
}
