/** Money that has to go back, as one line for the chat. Pure. */
import type { RefundFact } from "#outbox/catalogue.ts";
import { type ChatMessage, escapeChat } from "./chat.ts";

const reasons: Readonly<Record<RefundFact["reason"], string>> = {
  "registration ended": "the registration has ended",
  "nothing to pay": "there was nothing to pay any more",
  "wrong amount": "it is not the amount that was asked for",
};

const amountOf = ({ amount, currency }: RefundFact): string => `${(amount / 100).toFixed(2)} ${escapeChat(currency)}`;

const purposeOf = (fact: RefundFact): string =>
  fact.purpose === "event" ? `${escapeChat(fact.eventID)} ${fact.year}` : "membership";

/**
 * Says where to find the payment, not whose it is: the provider shows that to whoever may send money back, and the chat
 * need not keep a list of who owed or was owed what.
 */
export function refundChat(fact: RefundFact): ChatMessage {
  const { paymentIntent, paymentId } = fact;
  const where = [paymentIntent, paymentId].filter((name) => name !== undefined).map(escapeChat);
  const reason = reasons[fact.reason] ?? escapeChat(fact.reason);
  return { text: `Refund needed: ${amountOf(fact)} for ${purposeOf(fact)}, ${reason}. Payment: ${where.join(", ")}` };
}
