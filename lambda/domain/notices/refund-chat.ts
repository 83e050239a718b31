/** A refund as one line for the chat (`docs/contract.md`, "Notices"). Pure. */
import type { RefundFact } from "#outbox/catalogue.ts";
import { amountText } from "./amount.ts";
import { type ChatMessage, escapeChat } from "./chat.ts";

const reasons: Readonly<Record<RefundFact["reason"], string>> = {
  "registration ended": "the registration has ended",
  "nothing to pay": "there was nothing to pay any more",
  "wrong amount": "it is not the amount that was asked for",
  "account deleted": "the person has deleted the account",
};

const purposeOf = (fact: RefundFact): string =>
  fact.purpose === "event" ? `${escapeChat(fact.eventID)} ${fact.year}` : "membership";

/**
 * Contains the payment, but not the person, so that the chat does not store names with amounts. Admins who may refund
 * see the person at the provider.
 */
export function refundChat(fact: RefundFact): ChatMessage {
  const { paymentIntent, paymentId } = fact;
  const where = [paymentIntent, paymentId].filter((name) => name !== undefined).map(escapeChat);
  const reason = reasons[fact.reason] ?? escapeChat(fact.reason);
  return {
    text: `Refund needed: ${amountText({ ...fact, currency: escapeChat(fact.currency) })} for ${purposeOf(fact)}, ${reason}. Payment: ${where.join(", ")}`,
  };
}
