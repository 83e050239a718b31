/** Sends a reserved refund to the provider, and records what the provider says. */
import type { RequestContext } from "#kit/context.ts";
import { log } from "#kit/log.ts";
import { retried } from "#kit/retry.ts";
import { changePayment } from "./change-payment.ts";
import { isSettled, withRefund, withRefusal } from "./payment.ts";
import { readPayment } from "./payment-store.ts";
import type { FoundRefund } from "./provider-refund.ts";
import type { MoneyProvider } from "./refund-calls.ts";

/**
 * Milliseconds for which the provider certainly remembers an idempotency key: it forgets them after a day.
 * https://docs.stripe.com/api/idempotent_requests
 */
const keyRemembered = 20 * 3_600_000;

/**
 * Idempotent. A refund whose call stayed without an answer is not made twice: the provider knows its key for a day, and
 * after that is asked for it first.
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
  const isForgotten = context.now >= refund.at + keyRemembered;
  const known = isForgotten ? await at.refundsOf(paymentIntent) : [];
  const made: FoundRefund | string =
    known.find((one) => one.refundId === refundId) ??
    (await at.refund({ refundId, paymentIntent, amount: refund.amount }));
  await changePayment(
    name,
    (read) =>
      typeof made === "string" ? withRefusal(read, refundId, made) : withRefund(read, refundId, made, context.now),
    context,
  );
  log.info("refund sent", { refund: refundId, became: typeof made === "string" ? made : made.state });
}
