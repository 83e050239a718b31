/** The effects of the provider's events, by meaning. Events may be duplicated and out of order. */

import { log } from "#kit/log.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write, writeOnce } from "#kit/table/execute.ts";
import { retried } from "#kit/table/retry.ts";
import type { Money } from "#outbox/catalogue.ts";
import { outboxRow } from "#outbox/store.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { awaitMoney, endOfSession, type RegistrationCheckout } from "../checkout/session-end.ts";
import { closeCheckout, dropForm, readCheckout, readCheckoutIdOf } from "../checkout/store.ts";
import { changePayment } from "../record/change-payment.ts";
import { type ArrivedMoney, refundMessage } from "../record/money.ts";
import { paymentName, type Settlement, withAllTold } from "../record/payment.ts";
import { readSettlement, settlementMembers } from "../record/payment-store.ts";
import { settleMembership } from "../settling/settle-membership.ts";
import { settle } from "../settling/settle-registration.ts";
import { checkoutIdOf, type Meaning, type Session, type SessionNews } from "./provider-event.ts";

/** @returns the outcome, for the log */
type Effect = (checkout: Checkout, session: Session, context: RequestContext) => Promise<string>;

/** The money received according to the provider; the amount in cents. */
const moneyOf = ({ amount = 0, currency = "", paymentIntent }: Session): Money => ({
  amount,
  currency: currency.toUpperCase(),
  ...(paymentIntent !== undefined && { paymentIntent }),
});

const isAsked = ({ amount, currency }: Checkout, session: Session): boolean =>
  session.amount === amount && (session.currency ?? currency) === currency;

/**
 * Settles a payment with a wrong amount or currency: it has to be refunded.
 * @throws Contended UnknownOutcome the provider must resend its event
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
        return write({ money, ...settlementMembers(payment, "refund", purpose, context), ...form }, "refund");
      },
    },
    context,
  );

function settleAny(checkout: Checkout, session: Session, context: RequestContext): Promise<Settlement> {
  const { email, purpose } = checkout;
  const payment = { email, paymentId: session.id, money: moneyOf(session) };
  if (!isAsked(checkout, session)) return settleWrongAmount(payment, checkout, context);
  if (purpose.kind === "membership") return settleMembership(payment, { ...checkout, purpose }, context);
  const { event, queueKey, plusOnes } = purpose;
  return settle({ ...payment, event, queueKey, plusOnes }, context);
}

/** The fields of a checkout that its registration needs; undefined for a membership. */
function registrationCheckout({ id, email, purpose, expiresAt, url }: Checkout): RegistrationCheckout | undefined {
  if (purpose.kind !== "event") return undefined;
  const { event, queueKey } = purpose;
  return { id, email, event, queueKey, expiresAt, ...(url !== undefined && { url }) };
}

/**
 * The session has ended without a payment: the registration may lose its hold, and a membership form is no longer needed.
 * If the session was ended because another checkout replaced it, the seat remains held.
 */
const endUnpaid: Effect = async (checkout, _session, context) => {
  if (checkout.purpose.kind === "membership") await writeOnce({ form: dropForm(checkout) }, context);
  if (!(await retried(() => closeCheckout(checkout), context))) return "replaced";
  const registration = registrationCheckout(checkout);
  if (registration) await endOfSession(registration, context);
  return "closed";
};

/**
 * After the effect's own transaction, people hear of refunds and disputes that were known before, and the checkout is
 * closed. After a crash in between the provider resends the event, the payment is settled already, and the rest is done.
 */
export const effects: Readonly<Record<Meaning, Effect>> = {
  paid: async (checkout, session, context) => {
    const settlement = await settleAny(checkout, session, context);
    const name = paymentName({ paymentId: session.id, ...moneyOf(session) });
    await Promise.all([changePayment(name, withAllTold, context), retried(() => closeCheckout(checkout), context)]);
    return settlement;
  },
  "under way": async (checkout, _session, context) => {
    const registration = registrationCheckout(checkout);
    if (registration) await awaitMoney(registration, context);
    return "waiting";
  },
  failed: endUnpaid,
  expired: endUnpaid,
};

/**
 * Does what follows from news about a session, whether the provider has sent them or was asked.
 * @returns the outcome, for the log. Other systems of the club may share the provider's account.
 * @throws Contended UnknownOutcome the news have to come again
 */
export async function hear({ meaning, session }: SessionNews, context: RequestContext): Promise<string> {
  const id = checkoutIdOf(session) ?? (await retried(() => readCheckoutIdOf(session.id), context));
  const checkout = id && (await retried(() => readCheckout(id), context));
  const effect = checkout ? await effects[meaning](checkout, session, context) : "not ours";
  log.info("payment event", { session: session.id, meaning, effect });
  return effect;
}
