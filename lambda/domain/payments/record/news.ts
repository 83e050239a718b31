/** Who has to hear of a changed payment: its person of a refund, the treasurer of a problem. Pure. */
import type { OutboxMessage } from "#outbox/catalogue.ts";
import { meaningOf, type StoredDispute, statusOf } from "./dispute.ts";
import { purposeOf } from "./money.ts";
import type { MoneyFacts, Payment, Refund } from "./payment.ts";

function refundNews(payment: Payment, refundId: string, before: Refund | undefined, after: Refund): OutboxMessage[] {
  const { email, paymentId, money, purpose, deposit } = payment;
  const { amount, reason, failure = "unknown", delayedBy, state, isByHand } = after;
  const facts = { ...money, ...purposeOf(purpose), email, paymentId, refundId, amount };
  const wasTold = before?.state === "pending" || before?.state === "succeeded";
  if (isByHand) return [];
  if (state === "failed") {
    if (before?.state === "failed") return [];
    return [{ type: "payment.refundFailed", data: { ...facts, because: failure, ...(wasTold && { wasTold }) } }];
  }
  if (state === "reserved") return before ? [] : [{ type: "payment.refundOrdered", data: facts }];
  const told = { ...(reason && { reason }), ...(deposit === "due" && { isDeposit: true }) };
  return [
    ...(wasTold ? [] : [{ type: "payment.refundStarted", data: { ...facts, ...told } } as const]),
    ...(delayedBy !== undefined && before?.delayedBy === undefined
      ? [{ type: "payment.refundDelayed", data: { ...facts, because: delayedBy } } as const]
      : []),
  ];
}

/** Whether the treasurer has to hear of it: of another status, and of another day until when the club has to act. */
const isNews = (before: StoredDispute | undefined, after: StoredDispute): boolean =>
  before === undefined ||
  statusOf(before) !== statusOf(after) ||
  (before.dueBy !== after.dueBy && meaningOf(statusOf(after)).acts === "club");

function disputeNews({ disputes = {}, ...payment }: Payment, before: MoneyFacts | undefined): OutboxMessage[] {
  const { email, paymentId, money, purpose } = payment;
  return Object.entries(disputes)
    .filter(([id, dispute]) => isNews(before?.disputes?.[id], dispute))
    .map(([disputeId, stored]) => {
      const { amount, dueBy } = stored;
      const state = statusOf(stored);
      const isWaiting = dueBy !== undefined && meaningOf(state).acts === "club";
      const dispute = { disputeId, amount, state, ...(isWaiting && { dueBy }) };
      return { type: "payment.disputed", data: { ...money, ...purposeOf(purpose), email, paymentId, ...dispute } };
    });
}

/** The messages about what is new in a payment. @param before undefined when nothing was known of it */
export const newsOf = (before: MoneyFacts | undefined, after: Payment): OutboxMessage[] => [
  ...Object.entries(after.refunds ?? {}).flatMap(([id, refund]) =>
    refundNews(after, id, before?.refunds?.[id], refund),
  ),
  ...disputeNews(after, before),
];
