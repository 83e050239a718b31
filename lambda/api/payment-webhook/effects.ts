/** What the provider's news do, by what they mean. Each may come twice, and in any order. */

import type { Checkout } from "#domain/payments/checkout.ts";
import { awaitMoney } from "#domain/payments/money-under-way.ts";
import { endOfSession, type RegistrationCheckout } from "#domain/payments/session-end.ts";
import { settleMembership } from "#domain/payments/settle-membership.ts";
import { settle } from "#domain/payments/settle-registration.ts";
import { settleWrongAmount } from "#domain/payments/settle-wrong-amount.ts";
import { closeCheckout, type Settlement } from "#domain/payments/store.ts";
import type { RequestContext } from "#kit/context.ts";
import { retried } from "#kit/retry.ts";
import type { Money } from "#outbox/catalogue.ts";
import type { Meaning, Session } from "./provider-event.ts";

/** @returns what came of it, for the log */
type Effect = (checkout: Checkout, session: Session, context: RequestContext) => Promise<string>;

/** The money that has arrived, as the provider says. */
const moneyOf = ({ amount = 0, currency = "", paymentIntent }: Session): Money => ({
  amount,
  currency: currency.toUpperCase(),
  ...(paymentIntent !== undefined && { paymentIntent }),
});

const isAsked = ({ amount, currency }: Checkout, session: Session): boolean =>
  session.amount === amount && (session.currency ?? currency) === currency;

function settleAny(checkout: Checkout, session: Session, context: RequestContext): Promise<Settlement> {
  const { email, purpose } = checkout;
  const payment = { email, paymentId: session.id, money: moneyOf(session) };
  if (!isAsked(checkout, session)) return settleWrongAmount(payment, purpose, context);
  if (purpose.kind === "membership") return settleMembership(payment, purpose.form, context);
  const { event, waitKey } = purpose;
  return settle({ ...payment, event, waitKey }, context);
}

/** The checkout of a registration, as the registration sees it. */
function registrationCheckout({ id, email, purpose, expiresAt, url }: Checkout): RegistrationCheckout | undefined {
  if (purpose.kind !== "event") return undefined;
  const { event, waitKey } = purpose;
  return { id, email, event, waitKey, expiresAt, ...(url !== undefined && { url }) };
}

/**
 * Nobody pays in this session any more; only a registration has something to lose by it. Unless another checkout has
 * taken its place: then the old session was ended for that one's sake, and the seat is held for it.
 */
const comeToNothing: Effect = async (checkout, _session, context) => {
  if (!(await retried(() => closeCheckout(checkout), context))) return "replaced";
  const registration = registrationCheckout(checkout);
  if (registration) await endOfSession(registration, context);
  return "closed";
};

/**
 * Closing a checkout is a step behind the effect's own transaction: a crash in between is answered as a failure, and the
 * provider's next try finds the payment settled and closes it.
 */
export const effects: Readonly<Record<Meaning, Effect>> = {
  paid: async (checkout, session, context) => {
    const settlement = await settleAny(checkout, session, context);
    await retried(() => closeCheckout(checkout), context);
    return settlement;
  },
  "under way": async (checkout, _session, context) => {
    const registration = registrationCheckout(checkout);
    if (registration) await awaitMoney(registration, context);
    return "waiting";
  },
  failed: comeToNothing,
  expired: comeToNothing,
};
