/** Records money that an executive has taken in cash or by transfer: for a seat or membership that waits for it, or its rest. */

import type { EventKey } from "#domain/events/event.ts";
import { requireFirstName, withNames } from "#domain/people/members/names.ts";
import { readMember } from "#domain/people/members/store.ts";
import { mayRenew } from "#domain/people/members/terms.ts";
import { termsOfStage } from "#domain/people/members/terms-of-stage.ts";
import { isRevivable } from "#domain/registrations/record/acts.ts";
import {
  countsAsMember,
  holdsSeat,
  isUnpaid,
  type RegistrationRecord,
} from "#domain/registrations/record/registration.ts";
import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import type { Keep } from "#kit/table/execute.ts";
import { retried } from "#kit/table/retry.ts";
import { amountOwedForMembership, priceOf, purposeFor } from "../checkout/amount-owed.ts";
import { membershipPriceFor, pricedForm } from "../checkout/membership-price.ts";
import type { CheckoutRequest, Prices } from "../checkout/open-checkout.ts";
import { readPayer } from "../checkout/store.ts";
import { moneyOf } from "../record/payment-store.ts";
import { NothingToPay } from "../refusals.ts";
import { assertExpected, type Taking, takeRest } from "./change-entries.ts";
import { settleMembershipByHand } from "./settle-membership.ts";
import { settle } from "./settle-registration.ts";

export interface TakenFrom extends Taking, Pick<CheckoutRequest, "purpose"> {
  readonly email: string;
  /** The email is one of the admins' domain. */
  readonly isAdmin: boolean;
}

type Keeping = Keep<string> | undefined;

/** The same keeping, for a step that answers something else. */
const keeping = (keep: Keeping, paymentId: string) => keep && { ...keep, member: () => keep.member(paymentId) };

const firstEntry = (
  { email, amount, how, dated, waive }: TakenFrom,
  price: number,
  currency: string,
  context: RequestContext,
) => ({
  ...{ email, paymentId: `hand_${context.newId()}`, money: { amount, currency } },
  byHand: { how, dated, waive, price, by: context.actor },
});

/** Whether money confirms the registration: it waits for it, or has ended because none came. */
const waitsForMoney = (registration: RegistrationRecord): boolean =>
  isUnpaid(registration) || (registration.status === "cancelled" && isRevivable(registration.left));

async function takeForSeat(
  taken: TakenFrom,
  event: EventKey,
  { currency }: Prices,
  context: RequestContext,
  keep: Keeping,
) {
  const { email } = taken;
  const known = await retried(() => readPayer(email, event), context);
  const { registration } = known;
  if (!registration || registration.status === "deleted") throw new NotFound("Registration");
  if (registration.owes && registration.paidBy !== undefined && holdsSeat(registration)) {
    await takeRest(registration.paidBy, taken, context, keeping(keep, registration.paidBy));
    return registration.paidBy;
  }
  if (!waitsForMoney(registration)) throw new NothingToPay("No seat of this person waits for money.");
  const payer = { isMember: countsAsMember(known.user, registration) };
  const price = known.event
    ? priceOf(known.event, registration, payer)
    : (registration.agreedPrice ?? registration.entryPrice ?? taken.amount);
  assertExpected(taken, price, currency);
  const payment = firstEntry(taken, price, currency, context);
  const { queueKey, plusOnes } = purposeFor(event, registration);
  await settle({ ...payment, event, queueKey, plusOnes }, context, keeping(keep, payment.paymentId));
  return payment.paymentId;
}

async function takeForMembership(
  taken: TakenFrom,
  prices: Prices,
  context: RequestContext,
  keep: Keeping,
): Promise<string> {
  const { email, purpose, isAdmin } = taken;
  const given = purpose.kind === "membership" ? purpose.form : {};
  const [known, member] = await retried(() => Promise.all([readPayer(email, undefined), readMember(email)]), context);
  if (member?.owes) {
    const { payments } = await moneyOf(email);
    const owing = payments.findLast((one) => one.purpose.kind === "membership" && one.paymentId.startsWith("hand_"));
    if (owing) {
      await takeRest(owing.paymentId, taken, context, keeping(keep, owing.paymentId));
      return owing.paymentId;
    }
  }
  const { fname: firstName, lname: lastName } = known.user ?? {};
  const form = withNames(pricedForm(given, known.user), { firstName, lastName });
  const amount = membershipPriceFor(form, prices.membership, prices.memberships);
  const owed = amountOwedForMembership(
    form,
    { isMember: !mayRenew({ ...known, member }, taken.dated ?? context.now, termsOfStage.rule), isAdmin },
    { ...prices, amount },
  );
  requireFirstName(form);
  assertExpected(taken, owed.amount, prices.currency);
  const payment = firstEntry(taken, owed.amount, prices.currency, context);
  await settleMembershipByHand(payment, form, context, keeping(keep, payment.paymentId));
  return payment.paymentId;
}

/**
 * @returns the payment's id: of a new one, or of the one whose rest was taken
 * @throws NotFound NothingToPay no seat or membership of the person waits for money
 * @throws AmountDiffers MonthClosed Contended UnknownOutcome  @throws ValidationFailed a membership for a person without a known name
 */
export const takeByHand = (
  taken: TakenFrom,
  prices: Prices,
  context: RequestContext,
  keep?: Keep<string>,
): Promise<string> =>
  taken.purpose.kind === "event"
    ? takeForSeat(taken, taken.purpose.event, prices, context, keep)
    : takeForMembership(taken, prices, context, keep);
