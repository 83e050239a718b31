/** Consumer that sends refunds, marks the registrations that were paid back, and records fees and payouts (`docs/design.md`, "Refunds"). */

import { type MoneyProvider, moneyProvider } from "#domain/payments/provider/refund-calls.ts";
import { noteDispute } from "#domain/payments/provider-events/note-dispute.ts";
import { notePayout } from "#domain/payments/provider-events/note-payout.ts";
import { paymentName } from "#domain/payments/record/payment.ts";
import { markRefunded } from "#domain/payments/refunds/mark-refunded.ts";
import type { RefundMode } from "#domain/payments/refunds/refund-rules.ts";
import { requireRefund } from "#domain/payments/refunds/require-refund.ts";
import { sendRefund } from "#domain/payments/refunds/send-refund.ts";
import { requiredEnv } from "#kit/env.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { type BooksMessage, booksMessage } from "#outbox/messages.ts";
import { consumer } from "./consumer.ts";

const mode = requiredEnv("REFUNDS") as RefundMode;

export function keepBooks(message: BooksMessage, at: MoneyProvider, context: RequestContext): Promise<void> {
  if (message.type === "payment.refundRequired") return requireRefund(message, mode, context);
  if (message.type === "payment.disputeHeard") return noteDispute(message.data, at, context).then(() => undefined);
  if (message.type === "payment.paidOut") return notePayout(message.data, at, context);
  const name = paymentName(message.data);
  if (message.type === "payment.refundOrdered") return sendRefund(name, message.data.refundId, at, context);
  return markRefunded(name, context);
}

export const handler = consumer(booksMessage, (message, context) => keepBooks(message, moneyProvider, context));
