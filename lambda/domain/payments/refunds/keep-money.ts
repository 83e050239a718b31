/** What the treasurer decides about money that waits: it is kept. */

import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { type Decision, execute, type Keep, write } from "#kit/table/execute.ts";
import { amountText } from "#kit/text/amount.ts";
import { isSettled, maxDecisions, type Payment, type StoredPayment, undecidedOf, withKept } from "../record/payment.ts";
import { changeMembers, nameOfPayment, readPayment } from "../record/payment-store.ts";
import { NothingToDecide } from "../refusals.ts";

export interface Keeping {
  /** In cents; undefined: all that waits. */
  readonly amount?: number | undefined;
  readonly reason: string;
}

const tooMany = "This payment has too many decisions already.";

/** @throws NothingToDecide less than the amount waits */
function decided(payment: Payment, { amount, reason }: Keeping, context: RequestContext): Payment {
  const most = undecidedOf(payment);
  if (most === 0) throw new NothingToDecide("Nothing of this payment waits for a decision.");
  const cents = amount ?? most;
  if (cents > most) {
    const { currency } = payment.money;
    throw new NothingToDecide(`Only ${amountText({ amount: most, currency })} of this payment waits for a decision.`);
  }
  if ((payment.kept ?? []).length >= maxDecisions) throw new NothingToDecide(tooMany);
  return withKept(payment, { amount: cents, at: context.now, by: context.actor, reason });
}

/**
 * Records a decision.
 * @returns the payment after it
 * @throws NotFound NothingToDecide Contended UnknownOutcome
 */
export async function keepMoney(
  paymentId: string,
  decision: Keeping,
  context: RequestContext,
  keep?: Keep<Payment>,
): Promise<Payment> {
  const name = await nameOfPayment(paymentId);
  if (name === undefined) throw new NotFound("Payment");
  return execute(
    {
      keep,
      read: () => readPayment(name),
      decide(payment: StoredPayment | undefined): Decision<Payment> {
        if (!isSettled(payment)) throw new NotFound("Payment");
        const after = decided(payment, decision, context);
        const { email, paymentId: id } = payment;
        const asked = { action: "payment.decided", email, id, reason: decision.reason };
        return write(changeMembers(name, payment, after, context, asked), after);
      },
    },
    context,
  );
}
