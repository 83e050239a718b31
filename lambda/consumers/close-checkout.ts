/** Consumer that ends the provider's session when its payment is obsolete, or its hold is over. */
import { closeOfEvent, closeOfPerson } from "#domain/payments/checkout/close-obsolete.ts";
import { provider } from "#domain/payments/provider/provider.ts";
import { endUnheard } from "#domain/payments/provider-events/end-unheard.ts";
import { checkoutMessage } from "#outbox/messages.ts";
import { consumer } from "./consumer.ts";

export const handler = consumer(checkoutMessage, (message, context) => {
  if (message.type === "payment.unheard") return endUnheard(message.data, provider, context);
  if (message.type === "event.updated" || message.type === "event.rescheduled") {
    const { id, year } = message.data;
    return closeOfEvent({ id, year }, provider, context);
  }
  return closeOfPerson(message.data, provider, context);
});
