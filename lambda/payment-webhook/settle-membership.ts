/** What a payment makes of a membership: all of it in one transaction, once, or a refund. */
import { requiredEnv } from "#kit/env.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { commit } from "#kit/table.ts";
import type { MembershipForm } from "../members/form.ts";
import { grantMembership } from "../members/grant.ts";
import { type Origin, outboxRow } from "../outbox/store.ts";
import { type ArrivedMoney, completedNews, refundNews } from "../payments/money.ts";
import { putSettled, readSettlement, type Settlement } from "../payments/store.ts";

const adminDomain = requiredEnv("ADMIN_EMAIL_DOMAIN");
const membership = { kind: "membership" } as const;

/**
 * Makes somebody a member who was none. Somebody who is one already, by another payment or an admin's grant, gets the
 * money back.
 * @throws Contended UnknownOutcome the provider must bring the news again
 */
export const settleMembership = (payment: ArrivedMoney, form: MembershipForm, origin: Origin): Promise<Settlement> =>
  untilSettled(async () => {
    const { email, paymentId } = payment;
    const to = { email, adminDomain, onlyIfNew: true };
    const granted = await grantMembership(form, to, origin, {
      payment: putSettled(payment, "membership"),
      paymentNews: outboxRow(completedNews(payment, membership), origin),
    });
    if (granted.granted) return "membership";
    const before = await readSettlement(paymentId);
    if (before) return before;
    const refunded = await commit({
      payment: putSettled(payment, "refund"),
      paymentNews: outboxRow(refundNews(payment, membership, "nothing to pay"), origin),
    });
    return refunded.committed ? "refund" : again;
  });
