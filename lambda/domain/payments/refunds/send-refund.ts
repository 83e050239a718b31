/** Sends a reserved refund to the provider, and records what the provider says. */

import { log } from "#kit/log.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { retried } from "#kit/table/retry.ts";
import type { FoundRefund } from "../provider/provider-refund.ts";
import { foundRefund, type MoneyProvider } from "../provider/refund-calls.ts";
import { changePayment } from "../record/change-payment.ts";
import { isSettled, withRefund, withRefusal } from "../record/payment.ts";
import { readPayment } from "../record/payment-store.ts";

/** Milliseconds after which the provider lists what an unanswered call has made. */
const listedAfter = 600_000;

/**
 * Idempotent. A refund whose call stayed without an answer is not made twice: the provider is asked for it first, and knows
 * its key for a day (https://docs.stripe.com/api/idempotent_requests).
 * @param name of the payment
 * @throws Unavailable Contended UnknownOutcome the message has to come again
 */
export async function sendRefund(
  name: string,
  refundId: string,
  at: MoneyProvider,
  context: RequestContext,
): Promise<void> {
  const payment = await retried(() => readPayment(name), context);
  const refund = payment?.refunds?.[refundId];
  if (!isSettled(payment) || refund?.state !== "reserved") return;
  const paymentIntent = payment.money.paymentIntent ?? name;
  const isOld = context.now > refund.at + listedAfter;
  const made: FoundRefund | string =
    (await foundRefund(at, paymentIntent, refundId)) ??
    (await at.refund({ refundId, paymentIntent, amount: refund.amount, isOld }));
  await changePayment(
    name,
    (read) =>
      typeof made === "string" ? withRefusal(read, refundId, made) : withRefund(read, refundId, made, context.now),
    context,
  );
  log.info("refund sent", { refund: refundId, became: typeof made === "string" ? made : made.state });
}
