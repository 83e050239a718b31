import { paymentCredentials } from "#domain/payments/provider/credentials.ts";
import { hear } from "#domain/payments/provider-events/effects.ts";
import { moneyEventOf } from "#domain/payments/provider-events/money-event.ts";
import { noteMoney } from "#domain/payments/provider-events/note-money.ts";
import { meaningOf } from "#domain/payments/provider-events/provider-event.ts";
import { ok } from "#kit/request/answer.ts";
import { api, dispatch } from "#kit/request/api.ts";
import * as routes from "./routes.ts";
import { signedEvent } from "./signature.ts";

const received = ok({ received: true });

/** Every failure is answered as an error, so that the provider retries, for days. */
const receivePaymentEvent = api(routes.receivePaymentEvent, async ({ body, now, context }) => {
  const { webhookSecrets } = await paymentCredentials();
  const event = await signedEvent(body, webhookSecrets, now);
  const money = moneyEventOf(event);
  if (money) await noteMoney(money, context);
  const news = meaningOf(event);
  if (news) await hear(news, context);
  return received;
});

export const handler = dispatch([receivePaymentEvent]);
