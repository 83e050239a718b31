/** What a payment waits for, if a person has to act (`docs/contract.md`, "Refunds"). Pure. */
import { isPseudonym } from "#domain/people/users/erasures.ts";
import { amountText } from "#kit/text/amount.ts";
import { dateAt } from "#kit/text/time-zone.ts";
import { meaningOf, type StoredDispute, statusOf } from "./dispute.ts";
import { type Payment, refundableByRule, restOf, sumsOf, unsentOf } from "./payment.ts";

function disputeSentence(dispute: StoredDispute, timeZone: string): string | undefined {
  const { todo } = meaningOf(statusOf(dispute));
  const day = dispute.dueBy === undefined ? "" : `, until ${dateAt(dispute.dueBy, timeZone)}`;
  return todo && `${todo}${day}.`;
}

const reviews = { late: "Cancelled late", third: "The third refund" } as const;

/** @param amount in words @param canBeSent the provider knows where the money came from */
function sentenceOfErased(amount: string, failure: string | undefined, canBeSent: boolean): string {
  const what = failure === undefined ? "" : `A refund failed (${failure}). `;
  const todo = canBeSent ? `refund ${amount}, or keep it with a reason` : `keep ${amount} with a reason`;
  return `${what}The person is erased, and there is nobody left to tell: ${todo}.`;
}

function refundSentence(payment: Payment): string | undefined {
  const { money, review, refunds = {} } = payment;
  const inReview = review === undefined ? 0 : refundableByRule(payment);
  if (review && inReview > 0) {
    const what = payment.keeps === undefined ? "it" : amountText({ ...money, amount: inReview });
    return `${reviews[review]}: refund ${what}, or keep ${what} with a reason.`;
  }
  const amount = unsentOf(payment);
  if (amount === 0) return undefined;
  const text = amountText({ ...money, amount }) + (payment.deposit === "due" ? " (the deposit of who came)" : "");
  const failed = Object.values(refunds).findLast(({ state }) => state === "failed");
  if (isPseudonym(payment.email)) return sentenceOfErased(text, failed?.failure, money.paymentIntent !== undefined);
  if (failed)
    return `A refund failed (${failed.failure}): send ${text} again, or give it back by hand and record that.`;
  if (money.paymentIntent === undefined) return `Give ${text} back by hand and record that, or keep it with a reason.`;
  return `Refund ${text}, or keep it with a reason.`;
}

function restSentence(payment: Payment): string | undefined {
  const amount = restOf(payment);
  const todo = isPseudonym(payment.email) ? "its person is erased: waive it" : "take it, or waive it";
  return amount === 0 ? undefined : `${amountText({ ...payment.money, amount })} is left to pay: ${todo}.`;
}

/** What a person has to do; undefined when the payment waits for no person. @param timeZone of its days, IANA name */
export function waitsFor(payment: Payment, timeZone = "UTC"): string | undefined {
  const disputes = Object.values(payment.disputes ?? {}).map((one) => disputeSentence(one, timeZone));
  const sentences = [...disputes, refundSentence(payment), restSentence(payment)];
  return sentences.filter((sentence) => sentence !== undefined).join(" ") || undefined;
}

/** Whether something of the payment is not at its end: a person has to act, a refund is under way, or a bank decides. */
export function isOpen(payment: Payment): boolean {
  const { open, frozen } = sumsOf(payment);
  return open > 0 || frozen > 0 || waitsFor(payment) !== undefined;
}
