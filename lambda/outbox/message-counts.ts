/** The business metrics of messages: what the commit of a message counts. Pure. */
import type { Count } from "#kit/count.ts";
import type { OutboxMessage } from "./catalogue.ts";
import { countOf } from "./metrics.ts";

/**
 * Money that arrived counts also when it has to go back: the difference of both metrics is what the club keeps. The
 * money of a registration that ends has arrived before.
 */
export function countsOf(message: OutboxMessage): Count[] {
  switch (message.type) {
    case "registration.promoted":
      return [countOf("Promoted")];
    case "registration.accepted":
    case "registration.acceptedPending":
      return [countOf("Accepted")];
    case "payment.completed":
      return [countOf("MoneyIn", message.data.amount)];
    case "payment.refundRequired": {
      const { amount, reason } = message.data;
      const owed = countOf("MoneyOwedBack", amount);
      return reason === "registration ended" ? [owed] : [countOf("MoneyIn", amount), owed];
    }
    default:
      return [];
  }
}
