/** The webhook's endpoint at the payment provider: it is enabled, and gets all events that the service uses. */
import type Stripe from "stripe";
import { relevantTypes } from "#domain/payments/provider-events/provider-event.ts";
import type { Mend } from "../../kit/finding.ts";
import { asksStripe } from "../check-kit/stripe.ts";

/** The events that the endpoint is not sent. `*` is all of them. */
export const missingEvents = ({ enabled_events: enabled }: Stripe.WebhookEndpoint): readonly string[] =>
  enabled.includes("*") ? [] : relevantTypes.filter((type) => !enabled.includes(type));

/** Enables the endpoint, and adds the missing events to those that it has. */
export function endpointEvents(stripe: Stripe, endpoint: Stripe.WebhookEndpoint): Mend {
  const { id, url, enabled_events: enabled } = endpoint;
  return {
    what: `enable Stripe's endpoint ${url} (${id}) for ${[...enabled, ...missingEvents(endpoint)].join(", ")}.`,
    async apply() {
      const enabled_events = [
        ...enabled,
        ...missingEvents(endpoint),
      ] as Stripe.WebhookEndpointUpdateParams.EnabledEvent[];
      await asksStripe(stripe.webhookEndpoints.update(id, { disabled: false, enabled_events }));
      return `Stripe sends ${url} (${id}) all events of the service.`;
    },
  };
}
