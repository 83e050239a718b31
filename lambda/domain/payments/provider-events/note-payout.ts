/** Records what the provider has charged for payments, in which payout their money is, and which payout has failed. */
import pMap from "p-map";
import { log } from "#kit/log.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { writeOnce } from "#kit/table/execute.ts";
import type { Catalogue, FailedPayout } from "#outbox/catalogue.ts";
import { nameOf, outboxRow } from "#outbox/store.ts";
import type { MoneyProvider } from "../provider/refund-calls.ts";
import { changePayment } from "../record/change-payment.ts";
import { withLine } from "../record/payment.ts";

/** Payments that are written at the same time. */
const concurrency = 8;

/**
 * Idempotent. A payment may be settled after its payout; what other systems with the same account were paid expires.
 * @throws Unavailable Contended UnknownOutcome the message has to come again
 */
export async function notePayout(
  { payoutId, paidOutAt }: Catalogue["payment.paidOut"],
  at: Pick<MoneyProvider, "linesOf">,
  context: RequestContext,
): Promise<void> {
  const lines = await at.linesOf(payoutId);
  await pMap(
    lines,
    ({ id, paymentIntent, ...facts }) => {
      const line = paidOutAt === undefined ? facts : { ...facts, paidOutAt };
      return changePayment(paymentIntent, (payment) => withLine(payment, id, line), context);
    },
    { concurrency },
  );
  log.info("payout noted", { payout: payoutId, lines: lines.length });
}

/**
 * Tells the treasurer of a payout that has failed, once: its message has the time of the payout and a name of its own, so
 * that the provider's repeated events and the reconciliations of later nights find it.
 * @param createdAt epoch milliseconds: when the payout was created
 * @returns whether it is news
 * @throws Contended UnknownOutcome
 */
export async function noteFailedPayout(
  payout: FailedPayout,
  createdAt: number,
  context: RequestContext,
): Promise<boolean> {
  const name = nameOf(createdAt, ["payment.payoutFailed", payout.payoutId]);
  const message = outboxRow({ type: "payment.payoutFailed", data: payout }, { ...context, now: createdAt }, name);
  const isKnown = (await writeOnce({ message }, context)) !== undefined;
  log.info("payout failed", { payout: payout.payoutId, effect: isKnown ? "known" : "noted" });
  return !isKnown;
}
