/** Records what the provider has charged for payments, and in which payout their money is. */
import pMap from "p-map";
import { log } from "#kit/log.ts";
import type { RequestContext } from "#kit/request/context.ts";
import type { Catalogue } from "#outbox/catalogue.ts";
import { changePayment } from "../change-payment.ts";
import { withLine } from "../payment.ts";
import type { MoneyProvider } from "../provider/refund-calls.ts";

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
