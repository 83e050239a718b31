import { openCheckout } from "#domain/payments/checkout/open-checkout.ts";
import { prices } from "#domain/payments/checkout/prices.ts";
import { redirectsOf } from "#domain/payments/checkout/redirects.ts";
import { provider } from "#domain/payments/provider/provider.ts";
import type { Payment } from "#domain/payments/record/payment.ts";
import { askRefund, type NewRefund } from "#domain/payments/refunds/ask-refund.ts";
import { keepMoney, reverseEntry, waiveRest } from "#domain/payments/settling/change-entries.ts";
import { takeByHand } from "#domain/payments/settling/take-by-hand.ts";
import { openedFor } from "#domain/registrations/links/opened-link.ts";
import { requiredEnv } from "#kit/env.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { accepted, created, ok } from "#kit/request/answer.ts";
import { apiOnce } from "#kit/request/answered-once.ts";
import { api, dispatch } from "#kit/request/api.ts";
import { inAdminDomain } from "#kit/request/caller.ts";
import { closeMonth, getJournal, getPosition, getTotals } from "./journal.ts";
import { listPayments, paymentAnswer, timeOf } from "./payment-list.ts";
import { purposeByHand, requestedPurpose } from "./requested-purpose.ts";
import * as routes from "./routes.ts";
import type { Taking } from "./schemas.ts";

const adminDomain = requiredEnv("ADMIN_EMAIL_DOMAIN");
const webApp = { allowedOrigins: requiredEnv("ALLOWED_ORIGINS").split(","), home: requiredEnv("WEB_APP_URL") };

/** The page keeps its link on the device: no address has the secret. */
const linkPage = requiredEnv("LINK_PAGE");
const pageOfLink = { successUrl: `${linkPage}?paid`, cancelUrl: `${linkPage}?not-paid` };

const refundAnswer = ({ stays, ...refund }: NewRefund) =>
  accepted({
    message: `${refund.isByHand ? "Recorded." : "The refund is on its way to the provider."}${stays ? ` The ${stays} stays valid: \`cancel\` ends it.` : ""}`,
    refund,
  });

const decisionAnswer = (payment: Payment) => ok({ message: "Recorded.", payment: paymentAnswer(payment) });

const takenAnswer = (paymentId: string) => created({ message: "Recorded.", paymentId });

/** @throws ValidationFailed the date is to come, or more than 400 days ago */
function datedOf(at: string | undefined, now: number): number | undefined {
  const dated = timeOf(at);
  if (dated === undefined) return undefined;
  if (dated > now || dated < now - 400 * 86_400_000) {
    throw new ValidationFailed([{ path: "/at", message: "must be a date of the last 400 days" }]);
  }
  return dated;
}

const takingOf = ({ amount, how, at, confirm, waive }: Taking, now: number) => ({
  ...{ amount, how, confirm, waive, dated: datedOf(at, now) },
});

const pageAnswer = (url: string) => ok(url);

export const handler = dispatch([
  apiOnce(routes.startPayment, async ({ body, caller, context, claimed }) => {
    const { email, isAdmin, givenName: firstName, familyName: lastName } = caller;
    const purpose = requestedPurpose(body);
    const request = { email, isAdmin, nameInToken: { firstName, lastName }, purpose, ...redirectsOf(body, webApp) };
    return pageAnswer(await openCheckout(request, prices, provider, context, claimed?.keeping(pageAnswer)));
  }),
  api(
    routes.startPaymentByLink,
    async ({ bearer: link, context }) => {
      const { email, eventID: id, year, ticketHash } = link;
      const purpose = { kind: "event", event: { id, year } } as const;
      const request = { email, isAdmin: false, purpose, linked: { ticketHash }, ...pageOfLink };
      return pageAnswer(await openCheckout(request, prices, provider, { ...context, actor: "link" }));
    },
    openedFor("registration"),
  ),
  listPayments,
  getJournal,
  closeMonth,
  getTotals,
  getPosition,
  apiOnce(routes.refundPayment, async ({ params, body: { at, ...body }, caller, now, context, claimed }) => {
    const dated = datedOf(at, now);
    if (dated !== undefined && body.how === undefined) {
      throw new ValidationFailed([{ path: "/at", message: "needs `how`: the provider refunds now" }]);
    }
    const asked = { ...body, dated, by: caller };
    return refundAnswer(await askRefund(params.paymentId, asked, context, claimed?.keeping(refundAnswer)));
  }),
  apiOnce(routes.decidePayment, async ({ params, body, context, claimed }) => {
    const decide = body.decision === "keep" ? keepMoney : waiveRest;
    return decisionAnswer(await decide(params.paymentId, body, context, claimed?.keeping(decisionAnswer)));
  }),
  apiOnce(routes.takePayment, async ({ body, now, context, claimed }) => {
    const { email } = body;
    const isAdmin = inAdminDomain(email, adminDomain);
    const taken = { ...takingOf(body, now), email, isAdmin, purpose: purposeByHand(body) };
    return takenAnswer(await takeByHand(taken, prices, context, claimed?.keeping(takenAnswer)));
  }),
  apiOnce(routes.reversePayment, async ({ params, body: { instead, ...body }, now, context, claimed }) => {
    const asked = { ...body, ...(instead && { instead: takingOf(instead, now) }) };
    return decisionAnswer(await reverseEntry(params.paymentId, asked, context, claimed?.keeping(decisionAnswer)));
  }),
]);
