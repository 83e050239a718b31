/** Reads from the payment provider what it says of a payment. */
import { setTimeout as pause } from "node:timers/promises";
import type { Stripe } from "stripe";
import { moneyEventOf } from "#domain/payments/money-event.ts";
import type { Dispute, StoredPayment } from "#domain/payments/payment.ts";
import { classified, stripe } from "#domain/payments/provider.ts";
import { refundIn } from "#domain/payments/provider-refund.ts";
import { UsageError } from "../kit/outputs.ts";
import type { ProviderBooks } from "./compare-books.ts";

/** The provider's limit for a page. */
const limit = 100;
const allPages = { limit: 1_000 };
/** How often a call is repeated that came too soon after others, and milliseconds before that. */
const repeats = 5;
const restBetween = 1_000;

interface Refused {
  readonly type?: string;
  readonly code?: string;
}

/**
 * @returns undefined when the provider does not know what was asked for
 * @throws UsageError the key may not read it
 * @throws Unavailable the provider does not answer
 */
async function answered<T>(call: () => Promise<T>): Promise<T | undefined> {
  for (let left = repeats; ; left -= 1) {
    try {
      return await call();
    } catch (error) {
      const { type, code } = error as Refused;
      if (code === "resource_missing") return undefined;
      if (type === "StripePermissionError" || type === "StripeAuthenticationError") {
        throw new UsageError(
          "The provider's key may not read payment intents, refunds, disputes and the balance (docs/deploy.md, Payments).",
        );
      }
      if (type !== "StripeRateLimitError" || left === 0) throw classified(error);
      await pause(restBetween);
    }
  }
}

/** The disputes, as the service reads them in events. */
function disputesIn(disputes: readonly Stripe.Dispute[]): Readonly<Record<string, Dispute>> {
  const payment = disputes.reduce<StoredPayment>(
    (before, object) => {
      const event = moneyEventOf({ type: "charge.dispute.updated", data: { object } });
      return event?.kind === "payment" ? event.change(before) : before;
    },
    { version: 0 },
  );
  return payment.disputes ?? {};
}

/** The expanded transactions of a payment; one that is not expanded or not there yet is left out. */
const linesOf = (transactions: readonly (Stripe.BalanceTransaction | string | null | undefined)[]) =>
  Object.fromEntries(
    transactions.flatMap((one) =>
      typeof one === "object" && one !== null ? [[one.id, { amount: one.amount, fee: one.fee }]] : [],
    ),
  );

const transactionOf = (charge: Stripe.PaymentIntent["latest_charge"]) =>
  typeof charge === "object" ? charge?.balance_transaction : undefined;

/**
 * @returns undefined when the provider does not know the payment
 * @throws UsageError the key may not read it
 * @throws Unavailable the provider does not answer
 */
export async function providerBooks(paymentIntent: string): Promise<ProviderBooks | undefined> {
  const client = await stripe();
  const ofPayment = { payment_intent: paymentIntent, limit };
  const intent = await answered(() =>
    client.paymentIntents.retrieve(paymentIntent, { expand: ["latest_charge", "latest_charge.balance_transaction"] }),
  );
  if (!intent) return undefined;
  const refunds = await answered(() =>
    client.refunds.list({ ...ofPayment, expand: ["data.balance_transaction"] }).autoPagingToArray(allPages),
  );
  const disputes = await answered(() => client.disputes.list(ofPayment).autoPagingToArray(allPages));
  return {
    money: { amount: intent.amount_received, currency: intent.currency.toUpperCase() },
    refunds: (refunds ?? []).flatMap((refund) => refundIn(refund) ?? []),
    disputes: disputesIn(disputes ?? []),
    lines: linesOf([
      transactionOf(intent.latest_charge),
      ...(refunds ?? []).map(({ balance_transaction }) => balance_transaction),
      ...(disputes ?? []).flatMap(({ balance_transactions }) => balance_transactions),
    ]),
  };
}
