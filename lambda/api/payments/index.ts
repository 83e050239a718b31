import { openCheckout } from "#domain/payments/open-checkout.ts";
import { prices } from "#domain/payments/prices.ts";
import { provider } from "#domain/payments/provider.ts";
import { redirectsOf } from "#domain/payments/redirects.ts";
import { pageOfPayments } from "#domain/payments/store.ts";
import { ok } from "#kit/answer.ts";
import { apiOnce } from "#kit/answered-once.ts";
import { api, dispatch } from "#kit/api.ts";
import { decodeCursor, part, sortKeyOf } from "#kit/cursor.ts";
import { requiredEnv } from "#kit/env.ts";
import { nextHeader } from "#kit/pages.ts";
import { paymentAnswer, requestedList } from "./payment-list.ts";
import { requestedPurpose } from "./requested-purpose.ts";
import * as routes from "./routes.ts";

const webApp = { allowedOrigins: requiredEnv("ALLOWED_ORIGINS").split(","), home: requiredEnv("WEB_APP_URL") };

const isOfList = sortKeyOf(part.time, (paymentId) => /^\w{1,255}$/.test(paymentId));

const pageAnswer = (url: string) => ok(url);

export const handler = dispatch([
  apiOnce(routes.startPayment, async ({ body, caller, context, claimed }) => {
    const { email, isAdmin, givenName: firstName, familyName: lastName } = caller;
    const purpose = requestedPurpose(body);
    const request = { email, isAdmin, nameInToken: { firstName, lastName }, purpose, ...redirectsOf(body, webApp) };
    return pageAnswer(await openCheckout(request, prices, provider, context, claimed?.keeping(pageAnswer)));
  }),
  api(routes.listPayments, async ({ query }) => {
    const after = decodeCursor(query.cursor, isOfList);
    const page = await pageOfPayments(requestedList(query), { limit: query.limit, after });
    return ok(page.rows.map(paymentAnswer), nextHeader(page));
  }),
]);
