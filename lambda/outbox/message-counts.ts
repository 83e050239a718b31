/** The business metrics of messages: what the commit of a message counts. Pure. */
import type { Count } from "#kit/count.ts";
import type { OutboxMessage } from "./catalogue.ts";

/**
 * Money that arrived counts also when it has to go back: the difference of both metrics is what the club keeps. The
 * money of a registration that ends has arrived before.
 */
export function countsOf(message: OutboxMessage): Count[] {
  const one = (name: Count["name"], value = 1): Count => ({ name, value });
  switch (message.type) {
    case "registration.promoted":
      return [one("Promoted")];
    case "registration.accepted":
    case "registration.acceptedPending":
      return [one("Accepted")];
    case "payment.completed":
      return [one("MoneyIn", message.data.amount)];
    case "payment.refundRequired": {
      const { amount, reason } = message.data;
      const owed = one("MoneyOwedBack", amount);
      return reason === "registration ended" ? [owed] : [one("MoneyIn", amount), owed];
    }
    default:
      return [];
  }
}
