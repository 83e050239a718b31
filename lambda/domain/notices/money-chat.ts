/** What the treasurer has to know about a payment or a payout, as one line for the chat (`docs/contract.md`, "Notices"). Pure. */

import { amountText } from "#kit/text/amount.ts";
import { dateAt } from "#kit/text/time-zone.ts";
import type { ByHand, FailedPayout, PaidFor, RefundFact } from "#outbox/catalogue.ts";
import type { TreasurersMessage } from "#outbox/messages.ts";
import { type ChatMessage, escapeChat } from "./chat.ts";

const reasons: Readonly<Record<RefundFact["reason"], string>> = {
  "registration ended": "the registration has ended",
  "checked in": "it was a deposit, and the person came",
  "fewer come": "fewer people come along",
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

const asked =
  "A bank asks about a payment: refund it before that becomes a dispute with a fee, or answer at the provider";
const opened = "A payment is disputed, answer at the provider";

/** By the provider's word. The first two are of messages of before. */
const disputes: Readonly<Record<string, string>> = {
  inquiry: asked,
  open: opened,
  prevented: "The card network has paid a person back",
  warning_needs_response: asked,
  warning_under_review: "A bank reads the answer about a payment",
  warning_closed: "A bank's question is over, the money stays",
  needs_response: opened,
  under_review: "A bank decides about a disputed payment",
  appeal_needs_response: "A bank appeals against a dispute that was won, answer at the provider",
  appeal_under_review: "A bank decides about an appeal",
  won: "A dispute is won, the money stays",
  lost: "A dispute is lost",
};
const unknownDispute = "A dispute has a status that this service does not know, look at the provider";

type AboutPayment = Exclude<TreasurersMessage, { readonly type: "payment.payoutFailed" }>;

/** What the treasurer has to know of the person of a payment. */
interface Facts {
  /** Of the days, IANA name. */
  readonly timeZone: string;
  /** Nothing leads to the person any more. */
  readonly isErased: boolean;
}

const wordsOf = (because: string): string => because.replaceAll("_", " ");

/** The news without amount and payment. */
function newsOf({ type, data }: AboutPayment, { timeZone, isErased }: Facts): readonly [news: string, detail?: string] {
  if (type === "payment.disputed") {
    const { state, dueBy } = data;
    const isWaiting = dueBy !== undefined && !/^(?:won|lost|prevented)$/.test(state);
    return [disputes[state] ?? unknownDispute, isWaiting ? `until ${dateAt(dueBy, timeZone)}` : undefined];
  }
  if (type === "payment.refundByHand") {
    const { reason, because } = data;
    return ["Refund needed", [reasons[reason] ?? reason, byHand[because] ?? []].flat().join(", ")];
  }
  const words = wordsOf(data.because);
  if (type === "payment.refundDelayed") return ["A refund waits at the provider, and goes on by itself", words];
  return ["A refund failed", data.wasTold && !isErased ? `${words}. The person was told that it comes` : words];
}

const purposeOf = (fact: PaidFor): string =>
  fact.purpose === "event" ? `${escapeChat(fact.eventID)} ${fact.year}` : "membership";

const noRecipient = ". The person is erased: there is nobody left to tell";

function aboutPayment(message: AboutPayment, facts: Facts): string {
  const { data } = message;
  const { paymentIntent, paymentId } = data;
  const where = [paymentIntent, paymentId].filter((name) => name !== undefined).map(escapeChat);
  const [news, detail] = newsOf(message, facts);
  const amount = amountText({ ...data, currency: escapeChat(data.currency) });
  const more = detail === undefined ? "" : `, ${escapeChat(detail)}`;
  const gone = facts.isErased ? noRecipient : "";
  return `${news}: ${amount} for ${purposeOf(data)}${more}${gone}. Payment: ${where.join(", ")}`;
}

function aboutPayout({ payoutId, because, ...money }: FailedPayout): string {
  const amount = amountText({ ...money, currency: escapeChat(money.currency) });
  const why = escapeChat(wordsOf(because));
  return `A payout did not reach the club's bank account, correct the account at the provider: ${amount}, ${why}. Payout: ${escapeChat(payoutId)}`;
}

/**
 * Contains the payment or the payout, but not the person, so that the chat does not store names with amounts. Admins who may
 * refund see the person at the provider.
 */
export const moneyChat = (message: TreasurersMessage, facts: Facts): ChatMessage => ({
  text: message.type === "payment.payoutFailed" ? aboutPayout(message.data) : aboutPayment(message, facts),
});
