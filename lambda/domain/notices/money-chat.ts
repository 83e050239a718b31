/** What the treasurer has to know about a payment, as one line for the chat (`docs/contract.md`, "Notices"). Pure. */

import { amountText } from "#kit/text/amount.ts";
import type { ByHand, DisputeFact, PaidFor, RefundFact } from "#outbox/catalogue.ts";
import type { TreasurersMessage } from "#outbox/messages.ts";
import { type ChatMessage, escapeChat } from "./chat.ts";

const reasons: Readonly<Record<RefundFact["reason"], string>> = {
  "registration ended": "the registration has ended",
  "nothing to pay": "there was nothing to pay any more",
  "wrong amount": "it is not the amount that was asked for",
  "account deleted": "the person has deleted the account",
};

/** What the treasurer has to know besides the reason. */
const byHand: Readonly<Record<ByHand, string | undefined>> = {
  stage: undefined,
  late: "but after the event's refund date, so you decide",
  third: "for the third time, so you decide",
  frozen: "but the payment is disputed",
  unknown: undefined,
};

const disputes: Readonly<Record<DisputeFact["state"], string>> = {
  inquiry: "A bank asks about a payment: refund it before that becomes a dispute with a fee, or answer at the provider",
  open: "A payment is disputed, answer at the provider",
  lost: "A dispute is lost",
  prevented: "The card network has paid a person back",
  won: "A dispute is over, the money stays",
};

/** The news without amount and payment. */
function newsOf(message: TreasurersMessage): readonly [news: string, detail?: string] {
  const { type, data } = message;
  if (type === "payment.disputed") {
    const { state, dueBy } = data;
    const isWaiting = dueBy !== undefined && (state === "inquiry" || state === "open");
    return [
      disputes[state] ?? "A payment is disputed",
      isWaiting ? `until ${new Date(dueBy).toISOString().slice(0, 10)}` : undefined,
    ];
  }
  if (type === "payment.refundByHand") {
    const { reason, because } = data;
    return ["Refund needed", [reasons[reason] ?? reason, byHand[because] ?? []].flat().join(", ")];
  }
  const words = data.because.replaceAll("_", " ");
  return type === "payment.refundFailed"
    ? ["A refund failed", data.wasTold ? `${words}. The person was told that it comes` : words]
    : ["A refund waits at the provider, and goes on by itself", words];
}

const purposeOf = (fact: PaidFor): string =>
  fact.purpose === "event" ? `${escapeChat(fact.eventID)} ${fact.year}` : "membership";

/**
 * Contains the payment, but not the person, so that the chat does not store names with amounts. Admins who may refund
 * see the person at the provider.
 */
export function moneyChat(message: TreasurersMessage): ChatMessage {
  const { data } = message;
  const { paymentIntent, paymentId } = data;
  const where = [paymentIntent, paymentId].filter((name) => name !== undefined).map(escapeChat);
  const [news, detail] = newsOf(message);
  const amount = amountText({ ...data, currency: escapeChat(data.currency) });
  const more = detail === undefined ? "" : `, ${escapeChat(detail)}`;
  return { text: `${news}: ${amount} for ${purposeOf(data)}${more}. Payment: ${where.join(", ")}` };
}
