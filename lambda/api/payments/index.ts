import { openCheckout } from "#domain/payments/checkout/open-checkout.ts";
import { prices } from "#domain/payments/checkout/prices.ts";
import { redirectsOf } from "#domain/payments/checkout/redirects.ts";
import type { Payment } from "#domain/payments/payment.ts";
import { provider } from "#domain/payments/provider/provider.ts";
import { askRefund, type NewRefund } from "#domain/payments/refunds/ask-refund.ts";
import { decideMoney } from "#domain/payments/refunds/decide-money.ts";
import { takeByHand } from "#domain/payments/settling/take-by-hand.ts";
import { requiredEnv } from "#kit/env.ts";
import { accepted, created, ok } from "#kit/request/answer.ts";
import { apiOnce } from "#kit/request/answered-once.ts";
import { dispatch } from "#kit/request/api.ts";
import { listPayments, paymentAnswer } from "./payment-list.ts";
import { requestedPurpose } from "./requested-purpose.ts";
import * as routes from "./routes.ts";

const webApp = { allowedOrigins: requiredEnv("ALLOWED_ORIGINS").split(","), home: requiredEnv("WEB_APP_URL") };

const refundAnswer = ({ stays, ...refund }: NewRefund) =>
  accepted({
    message: `The refund is on its way to the provider.${stays ? ` The ${stays} stays valid: \`cancel\` ends it.` : ""}`,
    refund,
  });

const decisionAnswer = (payment: Payment) => ok({ message: "Recorded.", payment: paymentAnswer(payment) });

const takenAnswer = (paymentId: string) => created({ message: "The seat is confirmed.", paymentId });

const pageAnswer = (url: string) => ok(url);

export const handler = dispatch([
  apiOnce(routes.startPayment, async ({ body, caller, context, claimed }) => {
    const { email, isAdmin, givenName: firstName, familyName: lastName } = caller;
    const purpose = requestedPurpose(body);
    const request = { email, isAdmin, nameInToken: { firstName, lastName }, purpose, ...redirectsOf(body, webApp) };
    return pageAnswer(await openCheckout(request, prices, provider, context, claimed?.keeping(pageAnswer)));
  }),
  listPayments,
  apiOnce(routes.refundPayment, async ({ params, body, context, claimed }) =>
    refundAnswer(await askRefund(params.paymentId, body, context, claimed?.keeping(refundAnswer))),
  ),
  apiOnce(routes.decidePayment, async ({ params, body, context, claimed }) =>
    decisionAnswer(await decideMoney(params.paymentId, body, context, claimed?.keeping(decisionAnswer))),
  ),
  apiOnce(routes.takePayment, async ({ body, context, claimed }) => {
    const { email, eventID: id, year, amount, how } = body;
    const taken = { email, event: { id, year }, money: { amount, currency: prices.currency }, how };
    return takenAnswer(await takeByHand(taken, context, claimed?.keeping(takenAnswer)));
  }),
]);
