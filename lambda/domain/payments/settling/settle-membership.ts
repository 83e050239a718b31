/**
 * Settles a payment for a membership once: one transaction grants the membership or requires a refund. It also removes
 * the form, which is no longer needed.
 */

import { type GrantFacts, grantOf, readGrantFacts } from "#domain/people/members/grant.ts";
import { mayRenew } from "#domain/people/members/terms.ts";
import { termsOfStage } from "#domain/people/members/terms-of-stage.ts";
import { requiredEnv } from "#kit/env.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, type Keep, write } from "#kit/table/execute.ts";
import type { RefundFact } from "#outbox/catalogue.ts";
import { outboxRow } from "#outbox/store.ts";
import type { Checkout, Purpose } from "../checkout/checkout.ts";
import { accountNotDeletedSince, dropForm, isOfDeletedAccount, readLatestCheckout } from "../checkout/store.ts";
import { restAfter } from "../record/by-hand.ts";
import { assertOpen } from "../record/journal-store.ts";
import { type ArrivedMoney, completedMessage, refundMessage } from "../record/money.ts";
import type { Settlement } from "../record/payment.ts";
import { readSettlement, settlementMembers } from "../record/payment-store.ts";
import { NothingToPay } from "../refusals.ts";

const adminDomain = requiredEnv("ADMIN_EMAIL_DOMAIN");
const membership = { kind: "membership" } as const;

type MembershipForm = Extract<Purpose, { kind: "membership" }>["form"];

/** A checkout for a membership. */
export type MembershipCheckout = Pick<Checkout, "id" | "email" | "createdAt"> & {
  readonly purpose: Extract<Purpose, { kind: "membership" }>;
};

/** The earlier settlement of the payment, and the facts for a grant. */
interface Facts {
  readonly before?: Settlement | undefined;
  readonly grant: GrantFacts;
  /** The account was deleted after the checkout. */
  readonly isDeleted: boolean;
}

/** The members that grant a membership, or one more term, for money. `at`: its day, epoch milliseconds. If it has been settled since the read, the transaction is refused. */
function granting(payment: ArrivedMoney, at: number, form: MembershipForm, grant: GrantFacts, context: RequestContext) {
  const { email, money, byHand, paymentId: paidBy } = payment;
  const { amount, currency } = money;
  const owes = (byHand && restAfter(byHand, amount)) || undefined;
  const to = { email, adminDomain, paid: { amount, currency }, owes, giving: { at, paidBy } };
  const { members } = grantOf(form, to, grant, context);
  const paymentMessage = outboxRow(completedMessage(payment, membership), context);
  return { ...members, ...settlementMembers(payment, "membership", membership, context), paymentMessage };
}

function decide(
  payment: ArrivedMoney,
  checkout: MembershipCheckout,
  { before, grant, isDeleted }: Facts,
  context: RequestContext,
): Decision<Settlement> {
  if (before) return answer(before);
  const form = dropForm(checkout);
  const refund = (reason: RefundFact["reason"]): Decision<Settlement> => {
    const paymentMessage = outboxRow(refundMessage(payment, membership, reason), context);
    return write({ ...settlementMembers(payment, "refund", membership, context), paymentMessage, form }, "refund");
  };
  if (isDeleted) return refund("account deleted");
  // A late event counts for the day on which the person went to pay.
  const { createdAt } = checkout;
  if (!mayRenew(grant.held, createdAt, termsOfStage.rule)) return refund("nothing to pay");
  const account = accountNotDeletedSince(checkout);
  return write({ ...granting(payment, createdAt, checkout.purpose.form, grant, context), form, account }, "membership");
}

async function read(payment: ArrivedMoney, checkout: MembershipCheckout): Promise<Facts> {
  const [before, latest, grant] = await Promise.all([
    readSettlement(payment.paymentId),
    readLatestCheckout(payment.email, undefined),
    readGrantFacts(payment.email),
  ]);
  return { before, grant, isDeleted: isOfDeletedAccount(checkout, latest) };
}

/**
 * Grants the membership, and creates an account if the person has none. Requires a refund for a person who is already a
 * member, or has deleted the account since the checkout.
 * @throws Contended UnknownOutcome the provider must resend its event
 */
export const settleMembership = (
  payment: ArrivedMoney,
  checkout: MembershipCheckout,
  context: RequestContext,
): Promise<Settlement> =>
  execute(
    {
      read: () => read(payment, checkout),
      decide: (facts: Facts) => decide(payment, checkout, facts, context),
    },
    context,
  );

/**
 * Grants the membership for money that an executive has taken.
 * @throws NothingToPay the person is a member  @throws MonthClosed Contended UnknownOutcome
 */
export const settleMembershipByHand = (
  payment: ArrivedMoney,
  form: MembershipForm,
  context: RequestContext,
  keep?: Keep<Settlement>,
): Promise<Settlement> =>
  execute(
    {
      keep,
      read: () => readGrantFacts(payment.email),
      decide(grant: GrantFacts): Decision<Settlement, void> {
        const at = payment.byHand?.dated ?? context.now;
        if (!mayRenew(grant.held, at, termsOfStage.rule)) throw new NothingToPay("This person is a member already.");
        return write(granting(payment, at, form, grant, context), "membership", assertOpen);
      },
    },
    context,
  );
