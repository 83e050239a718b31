/** What a payment makes of a membership: all of it in one transaction, once, or a refund. */

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

/** What settling is decided on: what the payment was settled as before, or what a grant is decided on. */
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
    // Perhaps by this very payment.
    if (!isCertain) return lookCloser;
    const message = refundMessage(payment, membership, "nothing to pay");
    return write({ payment: putSettled(payment, "refund"), paymentMessage: outboxRow(message, context) }, "refund");
  }
  const { members } = grantOf(form, { email: payment.email, adminDomain }, grant, context);
  const paymentMessage = outboxRow(completedMessage(payment, membership), context);
  return write({ ...members, payment: putSettled(payment, "membership"), paymentMessage }, "membership");
}

/**
 * Makes a person a member who was none. A person who is one already, by another payment or an admin's grant, gets the
 * money back.
 * @throws Contended UnknownOutcome the provider must bring the message again
 */
export const settleMembership = (
  payment: ArrivedMoney,
  form: MembershipForm,
  context: RequestContext,
): Promise<Settlement> =>
  execute(
    {
      // A first message finds nothing settled: the transaction demands it. All reads are strongly consistent.
      read: async (depth: Depth): Promise<Facts> => {
        const isCertain = depth === "certain";
        const before = isCertain ? await readSettlement(payment.paymentId) : undefined;
        return before ? { isCertain, before } : { isCertain, grant: await readGrantFacts(payment.email) };
      },
      decide: (facts: Facts) => decide(payment, form, facts, context),
    },
    context,
  );
