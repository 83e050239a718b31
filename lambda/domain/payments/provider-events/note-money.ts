/** Records what an event of the provider says about money. A payout is read by a consumer: it may have many lines. */

import { log } from "#kit/log.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { writeOnce } from "#kit/table/execute.ts";
import { outboxRow } from "#outbox/store.ts";
import { changePayment } from "../change-payment.ts";
import type { MoneyEvent } from "./money-event.ts";

/** @throws Contended UnknownOutcome the provider must resend its event */
export async function noteMoney(event: MoneyEvent, context: RequestContext): Promise<void> {
  if (event.kind === "payout") {
    const { kind: _, ...data } = event;
    await writeOnce({ message: outboxRow({ type: "payment.paidOut", data }, context) }, context);
    return log.info("payment event", { payout: data.payoutId });
  }
  const isNew = await changePayment(event.name, event.change, context);
  log.info("payment event", { payment: event.name, effect: isNew ? "noted" : "known" });
}
