/** Settles a payment for a membership, once: one transaction makes the person a member, or asks for a refund. */

import type { MembershipForm } from "#domain/people/members/form.ts";
import { type GrantFacts, grantOf, readGrantFacts } from "#domain/people/members/grant.ts";
import { isMemberAlready } from "#domain/people/members/member.ts";
import type { RequestContext } from "#kit/context.ts";
import { requiredEnv } from "#kit/env.ts";
import { answer, type Decision, type Depth, execute, lookCloser, write } from "#kit/execute.ts";
import { outboxRow } from "#outbox/store.ts";
import { type ArrivedMoney, completedMessage, refundMessage } from "./money.ts";
import { putSettled, readSettlement, type Settlement } from "./store.ts";

const adminDomain = requiredEnv("ADMIN_EMAIL_DOMAIN");
const membership = { kind: "membership" } as const;

/** The facts for settling: the earlier settlement of the payment, or the facts for a grant. */
interface Facts {
  readonly isCertain: boolean;
  readonly before?: Settlement | undefined;
  readonly grant?: GrantFacts;
}

function decide(
  payment: ArrivedMoney,
  form: MembershipForm,
  { isCertain, before, grant }: Facts,
  context: RequestContext,
): Decision<Settlement> {
  if (before) return answer(before);
  if (!grant) return lookCloser;
  if (isMemberAlready(grant.held)) {
    // This payment may have made the person a member. Only a certain read of the settlement tells.
    if (!isCertain) return lookCloser;
    const message = refundMessage(payment, membership, "nothing to pay");
    return write({ payment: putSettled(payment, "refund"), paymentMessage: outboxRow(message, context) }, "refund");
  }
  const { email, money } = payment;
  const paid = { amount: money.amount, currency: money.currency };
  const { members } = grantOf(form, { email, adminDomain, paid }, grant, context);
  const paymentMessage = outboxRow(completedMessage(payment, membership), context);
  return write({ ...members, payment: putSettled(payment, "membership"), paymentMessage }, "membership");
}

/**
 * Makes the person a member. A person who is already a member, by another payment or by an admin, gets a refund.
 * @throws Contended UnknownOutcome the provider must send its event again
 */
export const settleMembership = (
  payment: ArrivedMoney,
  form: MembershipForm,
  context: RequestContext,
): Promise<Settlement> =>
  execute(
    {
      // The first try does not read the settlement: most payments have none yet, and the transaction demands that there
      // is none. All reads are strongly consistent.
      read: async (depth: Depth): Promise<Facts> => {
        const isCertain = depth === "certain";
        const before = isCertain ? await readSettlement(payment.paymentId) : undefined;
        return before ? { isCertain, before } : { isCertain, grant: await readGrantFacts(payment.email) };
      },
      decide: (facts: Facts) => decide(payment, form, facts, context),
    },
    context,
  );
