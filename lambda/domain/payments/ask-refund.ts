/** A refund that an admin asks for: whole or a part. */

import { amountText } from "#kit/amount.ts";
import type { RequestContext } from "#kit/context.ts";
import { NotFound } from "#kit/errors.ts";
import { type Decision, execute, type Keep, write } from "#kit/execute.ts";
import {
  isSettled,
  maxRefunds,
  type Payment,
  type Refund,
  refundable,
  type StoredPayment,
  sumsOf,
  withReservation,
} from "./payment.ts";
import { changeMembers, nameOfPayment, readPayment } from "./payment-store.ts";
import { NotRefundable } from "./refusals.ts";

export interface AskedRefund {
  /** In cents; undefined: all that is left. */
  readonly amount?: number | undefined;
  /** What the person is told. */
  readonly reason: string;
}

/** A refund with its id. */
export type NewRefund = Refund & { readonly refundId: string };

const tooMany = `This payment has ${maxRefunds} refunds already: make another one in the provider's dashboard.`;

/** @throws NotRefundable the payment is disputed, or less than the amount is left */
function assertRefundable(payment: Payment, amount: number): void {
  const left = refundable(payment);
  const { currency, paymentIntent } = payment.money;
  if (paymentIntent === undefined)
    throw new NotRefundable("The provider has sent no id of this transfer: refund it there.");
  if (sumsOf(payment).frozen > 0) throw new NotRefundable("The payment is disputed: its bank decides about the money.");
  if (Object.keys(payment.refunds ?? {}).length >= maxRefunds) throw new NotRefundable(tooMany);
  if (left === 0) throw new NotRefundable("Nothing of this payment is left to refund.");
  if (amount > left) throw new NotRefundable(`Only ${amountText({ amount: left, currency })} of this payment is left.`);
}

/**
 * Reserves a refund, so that all refunds together never exceed the payment. A message has it sent.
 * @throws NotFound NotRefundable Contended UnknownOutcome
 */
export async function askRefund(
  paymentId: string,
  { amount: asked, reason }: AskedRefund,
  context: RequestContext,
  keep?: Keep<NewRefund>,
): Promise<NewRefund> {
  const name = await nameOfPayment(paymentId);
  if (name === undefined) throw new NotFound("Payment");
  const refundId = context.newId();
  return execute(
    {
      keep,
      read: () => readPayment(name),
      decide(payment: StoredPayment | undefined): Decision<NewRefund> {
        if (!isSettled(payment)) throw new NotFound("Payment");
        const amount = asked ?? refundable(payment);
        assertRefundable(payment, amount);
        const { review, ...rest } = withReservation(payment, refundId, {
          amount,
          at: context.now,
          by: context.actor,
          reason,
        });
        const refund = rest.refunds?.[refundId] as Refund;
        return write(changeMembers(name, payment, rest as Payment, context), { ...refund, refundId });
      },
    },
    context,
  );
}
