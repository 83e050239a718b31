/** Consumer that ends the provider's session when its payment is obsolete, or its hold is over. */
import { closeObsolete } from "#domain/payments/close-obsolete.ts";
import { endUnheard } from "#domain/payments/end-unheard.ts";
import { provider } from "#domain/payments/provider.ts";
import { checkoutMessage } from "#outbox/messages.ts";
import { consumer } from "./consumer.ts";

export const handler = consumer(checkoutMessage, (message, context) =>
  message.type === "payment.unheard"
    ? endUnheard(message.data, provider, context)
    : closeObsolete(message, provider, context),
);
