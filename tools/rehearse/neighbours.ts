/** The services outside of AWS that a stage talks to: the payment provider, and the club's chat. */
import type { Template } from "./assembly.ts";

export interface Neighbours {
  readonly payments: {
    /** Of the provider's REST interface. */
    readonly url: string;
    readonly apiKey: string;
    /** The secret of the webhook's signatures. */
    readonly webhookSecret: string;
  };
  readonly chat: {
    /** Of the incoming webhook. */
    readonly hook: string;
    /** How many messages it has taken. */
    posts(): number;
  };
}

/** The names of the secrets of a stage. */
export interface SecretNames {
  readonly paymentsSecret: string;
  readonly chatSecret?: string | undefined;
}

/** The secrets that a person stores before a deploy, by their names (docs/deploy.md). */
export const secretsFor = (
  { paymentsSecret, chatSecret }: SecretNames,
  { payments: { apiKey, webhookSecret }, chat }: Neighbours,
): Readonly<Record<string, string>> => ({
  [paymentsSecret]: JSON.stringify({ apiKey, webhookSecrets: [webhookSecret] }),
  ...(chatSecret !== undefined && { [chatSecret]: chat.hook }),
});

/**
 * The template with the address of the payment provider in the environment of each function, where the laptop puts it,
 * too. A template for AWS has none: there it is Stripe's own. Pure.
 */
export function withPaymentProvider({ Resources, ...template }: Template, { payments }: Neighbours): Template {
  const led = Object.entries(Resources).map(([id, resource]) => {
    if (resource.Type !== "AWS::Lambda::Function") return [id, resource];
    const { Environment, ...properties } = resource.Properties ?? {};
    const Variables = { ...Environment?.Variables, PAYMENTS_ENDPOINT_URL: payments.url };
    return [id, { ...resource, Properties: { ...properties, Environment: { Variables } } }];
  });
  return { ...template, Resources: Object.fromEntries(led) };
}
