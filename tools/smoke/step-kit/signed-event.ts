/** Events of the payment provider, signed by the run with the stage's secret. */
import Stripe from "stripe";
import type { Answer } from "./api.ts";
import type { Run } from "./step.ts";

/**
 * Sends an event to the webhook.
 * @param type the provider's name of the event
 * @param object what the event is about, in the provider's form
 */
export function sendEvent(
  { id, api }: Run,
  secret: string,
  type: string,
  object: Readonly<Record<string, unknown>> = {},
): Promise<Answer> {
  const payload = JSON.stringify({ id: `evt_${id}`, object: "event", type, data: { object } });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret });
  return api.call("POST", "/payments/webhook", { body: payload, headers: { "stripe-signature": signature } });
}
