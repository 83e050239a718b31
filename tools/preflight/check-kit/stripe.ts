/** The payment provider's client, and what a failed call to it says. */
import Stripe from "stripe";
import { apiVersion } from "#domain/payments/provider/session.ts";
import { Obstacle } from "../../kit/finding.ts";

/** Milliseconds per try. */
const timeout = 10_000;

/** How a person gives a key to `--mend`. */
export const giveKey = "read -rs STRIPE_API_KEY; export STRIPE_API_KEY";

/** https://docs.stripe.com/workbench/webhooks */
export const dashboard = "Stripe's dashboard (Workbench, Webhooks)";

export const stripeFor = (apiKey: string): Stripe =>
  new Stripe(apiKey, {
    apiVersion,
    httpClient: Stripe.createFetchHttpClient(),
    maxNetworkRetries: 1,
    timeout,
    telemetry: false,
  });

/** The address of the stage's webhook. The provider has stored it, so it never changes. */
export const webhookUrl = (apiUrl: string): string => `${apiUrl}/payments/webhook`;

/** The endpoint of this address. No call tells its signing secret. */
export async function endpointAt(stripe: Stripe, url: string): Promise<Stripe.WebhookEndpoint | undefined> {
  for await (const endpoint of stripe.webhookEndpoints.list({ limit: 100 })) if (endpoint.url === url) return endpoint;
  return undefined;
}

/**
 * A restricted key without the permission: https://docs.stripe.com/keys/restricted-api-keys
 * @returns the provider's name for it, or an empty text; undefined for another error. The rest of the message may contain
 *   the key.
 */
export function missingRight(error: unknown): string | undefined {
  const { statusCode, message = "" } = error as Partial<Stripe.errors.StripeError>;
  return statusCode === 403 ? (/'(\w+_(?:read|write))'/.exec(message)?.[1] ?? "") : undefined;
}

/** The provider's error without its message, which may contain the key. https://docs.stripe.com/error-handling */
export function providerObstacle(error: unknown): unknown {
  const { type, code, statusCode, requestId } = error as Partial<Stripe.errors.StripeError>;
  if (!type?.startsWith("Stripe")) return error;
  const text = `Stripe refused (${[type, code, requestId].filter(Boolean).join(", ")}).`;
  if (statusCode === 401) return new Obstacle(text, `give a valid key: ${giveKey}`);
  if (statusCode === 403) return new Obstacle(text, "give a key with write access to webhook endpoints.");
  if (statusCode !== undefined && statusCode < 500)
    return new Obstacle(text, "Stripe's dashboard has the request's log.");
  return new Obstacle("Stripe does not answer.", "try again: an endpoint that was created nevertheless is named then.");
}

export const asksStripe = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer;
  } catch (error) {
    throw providerObstacle(error);
  }
};
