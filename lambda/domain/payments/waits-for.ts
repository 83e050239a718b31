/** What a payment waits for, if a person has to act (`docs/contract.md`, "Refunds"). Pure. */
import { amountText } from "#kit/text/amount.ts";
import { type Dispute, type Payment, refundable, unsentOf } from "./payment.ts";

const day = (at: number | undefined): string =>
  at === undefined ? "" : `, until ${new Date(at).toISOString().slice(0, 10)}`;

function disputeSentence({ state, dueBy }: Dispute): string | undefined {
  if (state === "inquiry") return `A bank asks about it: refund it, or answer at the provider${day(dueBy)}.`;
  return state === "open" ? `Disputed: answer at the provider${day(dueBy)}.` : undefined;
}

const reviews = { late: "Cancelled late", third: "The third refund" } as const;

function refundSentence(payment: Payment): string | undefined {
  const { money, review, refunds = {} } = payment;
  if (review && refundable(payment) > 0) return `${reviews[review]}: refund it, or keep it with a reason.`;
  const amount = unsentOf(payment);
  if (amount === 0) return undefined;
  const text = amountText({ ...money, amount });
  const failed = Object.values(refunds).findLast(({ state }) => state === "failed");
  if (failed)
    return `A refund failed (${failed.failure}): send ${text} again, or give it back by hand and record that.`;
  if (money.paymentIntent === undefined) return `Give ${text} back by hand and record that, or keep it with a reason.`;
  return `Refund ${text}, or keep it with a reason.`;
}

/** What a person has to do; undefined when the payment waits for nobody. */
export function waitsFor(payment: Payment): string | undefined {
  const sentences = [...Object.values(payment.disputes ?? {}).map(disputeSentence), refundSentence(payment)];
  return sentences.filter((sentence) => sentence !== undefined).join(" ") || undefined;
}
