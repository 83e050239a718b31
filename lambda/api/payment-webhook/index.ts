import { paymentCredentials } from "#domain/payments/credentials.ts";
import { effects } from "#domain/payments/effects.ts";
import { moneyEventOf } from "#domain/payments/money-event.ts";
import { noteMoney } from "#domain/payments/note-money.ts";
import { checkoutIdOf, meaningOf } from "#domain/payments/provider-event.ts";
import { readCheckout, readCheckoutIdOf } from "#domain/payments/store.ts";
import { ok } from "#kit/answer.ts";
import { api, dispatch } from "#kit/api.ts";
import { log } from "#kit/log.ts";
import { retried } from "#kit/retry.ts";
import * as routes from "./routes.ts";
import { signedEvent } from "./signature.ts";

const received = ok({ received: true });

/** Every failure is answered as an error, so that the provider retries, for days. */
const receivePaymentEvent = api(routes.receivePaymentEvent, async ({ body, now, context }) => {
  const { webhookSecrets } = await paymentCredentials();
  const event = await signedEvent(body, webhookSecrets, now);
  const money = moneyEventOf(event);
  if (money) await noteMoney(money, context);
  const message = meaningOf(event);
  if (!message) return received;
  const { meaning, session } = message;
  const id = checkoutIdOf(session) ?? (await retried(() => readCheckoutIdOf(session.id), context));
  const checkout = id && (await retried(() => readCheckout(id), context));
  // Other systems of the club may share the provider's account.
  const effect = checkout ? await effects[meaning](checkout, session, context) : "not ours";
  log.info("payment event", { session: session.id, meaning, effect });
  return received;
});

export const handler = dispatch([receivePaymentEvent]);
