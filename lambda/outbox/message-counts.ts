/** The business metrics that the commit of a message counts. Pure. */
import type { Count } from "#kit/count.ts";
import type { OutboxMessage } from "./catalogue.ts";
import { countOf } from "./metrics.ts";

/**
 * Received money also counts if it has to be refunded: the difference of both metrics is what the club keeps. The money of
 * a registration that ends was counted before.
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
