/** Marks what a person keeps although the whole payment has left the club, by refunds or in a lost dispute. */
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write } from "#kit/table/execute.ts";
import type { Payment } from "../record/payment.ts";
import { isSettled } from "../record/payment.ts";
import { readPayment } from "../record/payment-store.ts";
import { type Brought, markMembers, readBrought } from "../settling/brought.ts";

/** Undefined: the payment is not settled. */
type Facts = { readonly payment: Payment; readonly brought: Brought } | undefined;

async function read(name: string): Promise<Facts> {
  const payment = await readPayment(name);
  return isSettled(payment) ? { payment, brought: await readBrought(payment) } : undefined;
}

/**
 * Idempotent. A refund that fails, or a dispute that is won after all, takes the mark away again.
 * @param name of the payment
 * @throws Contended UnknownOutcome the message has to come again
 */
export const markRefunded = (name: string, context: RequestContext): Promise<void> =>
  execute(
    {
      read: () => read(name),
      decide(facts: Facts): Decision<void> {
        const members = facts ? markMembers(facts.payment, facts.brought, context) : {};
        return Object.keys(members).length === 0 ? answer(undefined) : write(members, undefined);
      },
    },
    context,
  );
