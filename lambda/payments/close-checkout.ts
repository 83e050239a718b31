/**
 * Ends the provider's session when what it is for is gone, or paid or given otherwise: nobody is to pay for nothing. The
 * registration has ended, an admin has waived the payment, a member was made by hand.
 */
import { log } from "#kit/log.ts";
import { untilSettled } from "#kit/retry.ts";
import { consumer } from "../outbox/consumer.ts";
import { type CheckoutNews, checkoutNews } from "../outbox/news.ts";
import type { LatestCheckout } from "./checkout.ts";
import { type Provider, provider } from "./provider.ts";
import { closeCheckout, readLatestCheckout, readPayer, readSettlement } from "./store.ts";

/** Whether it is still to be paid: by the registration that it was made for, or by somebody who is no member. */
async function isWanted({ email, purpose }: LatestCheckout): Promise<boolean> {
  if (purpose.kind === "membership") {
    const { user, member } = await readPayer(email, undefined);
    return !user?.isMember && member === undefined;
  }
  const { registration } = await readPayer(email, purpose.event);
  return registration?.holdExpiresAt !== undefined && registration.waitKey === purpose.waitKey;
}

/** Ends what nobody should pay any more. May be said twice, and goes on where it broke off. */
export async function closeObsolete({ data }: CheckoutNews, at: Provider, now: number): Promise<void> {
  const event = "eventID" in data ? { id: data.eventID, year: data.year } : undefined;
  const read = () => untilSettled(() => readLatestCheckout(data.email, event));
  const latest = await read();
  if (!latest || latest.expiresAt <= now || (await untilSettled(() => isWanted(latest)))) return;
  // From now on, whoever is making the session at this moment can not record it, and ends it themselves.
  if (!latest.closed && !(await untilSettled(() => closeCheckout(latest)))) return;
  const { id, sessionId } = latest.sessionId === undefined ? ((await read()) ?? latest) : latest;
  if (id !== latest.id || sessionId === undefined) return;
  // It has been paid: the provider has told us, or this is what made the checkout obsolete.
  if ((await untilSettled(() => readSettlement(sessionId))) !== undefined) return;
  log.info("checkout closed", { session: sessionId, found: await at.end(sessionId) });
}

export const handler = consumer(checkoutNews, (news) => closeObsolete(news, provider, Date.now()));
