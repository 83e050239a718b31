/** Consumer that ends the provider's session when its payment is obsolete. */
import { closeObsolete } from "#domain/payments/close-obsolete.ts";
import { provider } from "#domain/payments/provider.ts";
import { checkoutMessage } from "#outbox/messages.ts";
import { consumer } from "./consumer.ts";

export const handler = consumer(checkoutMessage, (message, context) => closeObsolete(message, provider, context));
