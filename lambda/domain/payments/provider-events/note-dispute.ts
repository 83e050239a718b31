/**
 * Records what the provider says of a dispute. Its events are of the past, come in any order, and a dispute may go back to a
 * status that it had, so the provider is asked how it stands now.
 */
import { log } from "#kit/log.ts";
import type { RequestContext } from "#kit/request/context.ts";
import type { Catalogue } from "#outbox/catalogue.ts";
import type { MoneyProvider } from "../provider/refund-calls.ts";
import { changePayment } from "../record/change-payment.ts";
import type { Dispute } from "../record/dispute.ts";
import { withDispute } from "../record/payment.ts";

/**
 * Idempotent. Each news of it rings the treasurer's alarm, also a status that the service does not know.
 * @returns whether something was new
 * @throws Unavailable Contended UnknownOutcome the message has to come again
 */
export async function noteDispute(
  { disputeId, payment }: Catalogue["payment.disputeHeard"],
  at: Pick<MoneyProvider, "disputeNow">,
  context: RequestContext,
): Promise<boolean> {
  const isNew = await changePayment<Dispute | undefined>(
    payment,
    (known, dispute) => (dispute ? withDispute(known, disputeId, dispute) : known),
    context,
    () => at.disputeNow(disputeId),
  );
  log.info("payment event", { payment, dispute: disputeId, effect: isNew ? "noted" : "known" });
  return isNew;
}
