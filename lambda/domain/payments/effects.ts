/** What the service does for the provider's events, by their meaning. Each event may come twice, and in any order. */

import type { RequestContext } from "#kit/context.ts";
import { answer, type Decision, execute, write, writeOnce } from "#kit/execute.ts";
import { retried } from "#kit/retry.ts";
import type { Money } from "#outbox/catalogue.ts";
import { outboxRow } from "#outbox/store.ts";
import type { Checkout } from "./checkout.ts";
import { type ArrivedMoney, refundMessage } from "./money.ts";
import type { Meaning, Session } from "./provider-event.ts";
import { awaitMoney, endOfSession, type RegistrationCheckout } from "./session-end.ts";
import { settleMembership } from "./settle-membership.ts";
import { settle } from "./settle-registration.ts";
import { closeCheckout, dropForm, putSettled, readSettlement, type Settlement } from "./store.ts";

/** @returns the outcome, for the log */
type Effect = (checkout: Checkout, session: Session, context: RequestContext) => Promise<string>;

/** The money that has arrived, as the provider reports it; the amount in cents. */
const moneyOf = ({ amount = 0, currency = "", paymentIntent }: Session): Money => ({
  amount,
  currency: currency.toUpperCase(),
  ...(paymentIntent !== undefined && { paymentIntent }),
});

const isAsked = ({ amount, currency }: Checkout, session: Session): boolean =>
  session.amount === amount && (session.currency ?? currency) === currency;

/**
 * Settles a payment of another amount or currency than asked for. It buys nothing and has to go back.
 * @throws Contended UnknownOutcome the provider must send its event again
 */
const settleWrongAmount = (
  payment: ArrivedMoney,
  checkout: Pick<Checkout, "id" | "purpose">,
  context: RequestContext,
): Promise<Settlement> =>
  execute(
    {
      read: () => readSettlement(payment.paymentId),
      decide: (before: Settlement | undefined): Decision<Settlement> => {
        if (before) return answer(before);
        const { purpose } = checkout;
        const money = outboxRow(refundMessage(payment, purpose, "wrong amount"), context);
        const form = purpose.kind === "membership" && { form: dropForm(checkout) };
        return write({ money, payment: putSettled(payment, "refund"), ...form }, "refund");
      },
    },
    context,
  );

function settleAny(checkout: Checkout, session: Session, context: RequestContext): Promise<Settlement> {
  const { email, purpose } = checkout;
  const payment = { email, paymentId: session.id, money: moneyOf(session) };
  if (!isAsked(checkout, session)) return settleWrongAmount(payment, checkout, context);
  if (purpose.kind === "membership") return settleMembership(payment, { ...checkout, purpose }, context);
  const { event, queueKey } = purpose;
  return settle({ ...payment, event, queueKey }, context);
}

/** The checkout of a registration, in the fields that a registration needs; undefined for a membership. */
function registrationCheckout({ id, email, purpose, expiresAt, url }: Checkout): RegistrationCheckout | undefined {
  if (purpose.kind !== "event") return undefined;
  const { event, queueKey } = purpose;
  return { id, email, event, queueKey, expiresAt, ...(url !== undefined && { url }) };
}

/**
 * The session has ended without a payment: the registration may lose its hold, and a membership form has no further use.
 * When another checkout has taken its place, the old session was ended for that checkout: the seat is held for it.
 */
const comeToNothing: Effect = async (checkout, _session, context) => {
  if (checkout.purpose.kind === "membership") await writeOnce({ form: dropForm(checkout) }, context);
  if (!(await retried(() => closeCheckout(checkout), context))) return "replaced";
  const registration = registrationCheckout(checkout);
  if (registration) await endOfSession(registration, context);
  return "closed";
};

/**
 * A checkout is closed after the effect's own transaction. A crash in between is answered as a failure. When the
 * provider sends the event again, the payment is settled already, and the checkout is closed.
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
