/**
 * Records what an event of the provider says about money. A dispute and a payout are read by a consumer: the event may be
 * old, and a payout may have many lines.
 */
import { log } from "#kit/log.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { writeOnce } from "#kit/table/execute.ts";
import { outboxRow } from "#outbox/store.ts";
import { changePayment } from "../record/change-payment.ts";
import type { MoneyEvent } from "./money-event.ts";
import { noteFailedPayout } from "./note-payout.ts";

/** @throws Contended UnknownOutcome the provider must resend its event */
export async function noteMoney(event: MoneyEvent, context: RequestContext): Promise<void> {
  if (event.kind === "payout") {
    const { kind: _, ...data } = event;
    await writeOnce({ message: outboxRow({ type: "payment.paidOut", data }, context) }, context);
    return log.info("payment event", { payout: data.payoutId });
  }
  if (event.kind === "failed payout") {
    const { payoutId, because } = event.payout;
    const isNews = await noteFailedPayout(event.payout, event.createdAt, context);
    if (isNews) log.warn("money for the treasurer", { payout: payoutId, because: `payout failed: ${because}` });
    return;
  }
  if (event.kind === "dispute") {
    const { id: disputeId, paymentIntent: payment } = event;
    const message = outboxRow({ type: "payment.disputeHeard", data: { disputeId, payment } }, context);
    await writeOnce({ message }, context);
    return log.info("payment event", { dispute: disputeId });
  }
  const isNew = await changePayment(event.name, event.change, context);
  log.info("payment event", { payment: event.name, effect: isNew ? "noted" : "known" });
}
