/** Calls to the payment provider about refunds and payouts. */

import { type Dispute, disputeIn } from "../record/dispute.ts";
import type { BankLine } from "../record/payment.ts";
import { centsIn, fieldsOf, idIn, nameIn } from "../record/provider-fields.ts";
import { classified } from "./classified.ts";
import { createOnce } from "./create-once.ts";
import { limit, stripe } from "./provider.ts";
import { type FoundRefund, refundIn } from "./provider-refund.ts";

/** A refund to be made. Its id begins the idempotency keys, and stands in the metadata. */
export interface RefundOrder {
  readonly refundId: string;
  readonly paymentIntent: string;
  /** In cents. */
  readonly amount: number;
  /** It was ordered so long ago that the provider lists what an unanswered call has made of it. */
  readonly isOld: boolean;
}

/** A line of the provider's books, and its payment. */
export interface PayoutLine extends BankLine {
  /** The provider's id of the transaction. */
  readonly id: string;
  readonly paymentIntent: string;
}

/** The operations that move money, and read the provider's books. */
export interface MoneyProvider {
  /**
   * Makes a refund. Every call for the same order within a day makes the same one.
   * @returns the provider's word for the reason if it refuses the refund for good
   * @throws Unavailable the provider does not answer; the refund may have been made
   */
  refund(order: RefundOrder): Promise<FoundRefund | string>;
  /** All refunds of a payment. @throws Unavailable */
  refundsOf(paymentIntent: string): Promise<readonly FoundRefund[]>;
  /** How a dispute stands. Undefined when the provider does not know it. @throws Unavailable */
  disputeNow(id: string): Promise<Dispute | undefined>;
  /** The lines of a payout that are about payments. @throws Unavailable */
  linesOf(payoutId: string): Promise<readonly PayoutLine[]>;
}

interface Refused {
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
}

function orBroken(refund: FoundRefund | undefined): FoundRefund {
  if (!refund) throw new Error("The payment provider has sent no refund.");
  return refund;
}

/** The line of a transaction with its source. A charge, a refund and a dispute name their transfer; a payout has none. */
export function lineIn(transaction: object): PayoutLine | undefined {
  const { created, source, currency, ...fields } = fieldsOf(transaction);
  const { id, type, amount, fee, net } = fields as unknown as PayoutLine;
  const [paymentIntent, seconds] = [idIn(fieldsOf(source).payment_intent), centsIn(created)];
  if (paymentIntent === undefined) return undefined;
  return {
    ...{ id, paymentIntent, type, amount, fee, net },
    ...(nameIn(currency) !== undefined && { currency: String(currency).toUpperCase() }),
    ...(seconds !== undefined && { at: seconds * 1_000 }),
  };
}

/** The refund of the service that the provider has made, if it has. */
export const foundRefund = async (at: MoneyProvider, paymentIntent: string, refundId: string) =>
  (await at.refundsOf(paymentIntent)).find((one) => one.refundId === refundId);

/** The provider of this stage: Stripe, or the laptop stage's simulation. */
export const moneyProvider: MoneyProvider = {
  async refund({ refundId, paymentIntent, amount, isOld }) {
    const client = await stripe();
    const order = { payment_intent: paymentIntent, amount, metadata: { refund: refundId } };
    const make = async (idempotencyKey: string) =>
      orBroken(refundIn(await client.refunds.create(order, { idempotencyKey })));
    try {
      if (!isOld) return await make(refundId);
      return await createOnce(refundId, { make, find: () => foundRefund(this, paymentIntent, refundId) });
    } catch (error) {
      const { type, code, param } = error as Refused;
      // Nothing was refunded, and asking again would not change that.
      if (type === "StripeInvalidRequestError") return code ?? `${param ?? "request"} refused`;
      throw classified(error);
    }
  },
  async refundsOf(paymentIntent) {
    const client = await stripe();
    try {
      const found = await client.refunds
        .list({ payment_intent: paymentIntent, limit })
        .autoPagingToArray({ limit: 1_000 });
      return found.map((one) => orBroken(refundIn(one)));
    } catch (error) {
      throw classified(error);
    }
  },
  async disputeNow(id) {
    const client = await stripe();
    try {
      return disputeIn(await client.disputes.retrieve(id))?.dispute;
    } catch (error) {
      if ((error as Refused).code === "resource_missing") return undefined;
      throw classified(error);
    }
  },
  async linesOf(payoutId) {
    const client = await stripe();
    try {
      const lines: PayoutLine[] = [];
      const all = client.balanceTransactions.list({ payout: payoutId, limit, expand: ["data.source"] });
      for await (const transaction of all) {
        const line = lineIn(transaction);
        if (line) lines.push({ ...line, payout: payoutId });
      }
      return lines;
    } catch (error) {
      throw classified(error);
    }
  },
};
