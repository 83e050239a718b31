import { askRefund, type NewRefund } from "#domain/payments/ask-refund.ts";
import { openCheckout } from "#domain/payments/open-checkout.ts";
import { prices } from "#domain/payments/prices.ts";
import { provider } from "#domain/payments/provider.ts";
import { redirectsOf } from "#domain/payments/redirects.ts";
import { accepted, ok } from "#kit/answer.ts";
import { apiOnce } from "#kit/answered-once.ts";
import { dispatch } from "#kit/api.ts";
import { requiredEnv } from "#kit/env.ts";
import { listPayments } from "./payment-list.ts";
import { requestedPurpose } from "./requested-purpose.ts";
import * as routes from "./routes.ts";

const webApp = { allowedOrigins: requiredEnv("ALLOWED_ORIGINS").split(","), home: requiredEnv("WEB_APP_URL") };

const refundAnswer = (refund: NewRefund) => accepted({ message: "The refund is on its way to the provider.", refund });

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
]);
