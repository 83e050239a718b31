import { route } from "#kit/request/route.ts";
import { closed, Type } from "#kit/schema/schema.ts";

export const receivePaymentEvent = route("POST /payments/webhook", {
  // The provider has no token: its signature is its authentication.
  access: "public",
  summary: "The payment provider's events of checkout sessions",
  says: { 200: "The event is accounted for: do not send it again." },
  signedBody: "stripe-signature",
  responses: { 200: closed({ received: Type.Boolean({ description: "Always `true`." }) }) },
});
