/**
 * Ends the provider's session when what it is for is gone, or paid or given otherwise: nobody is to pay for nothing. The
 * registration has ended, an admin has waived the payment, a member was made by hand, the account was deleted.
 */

import type { LatestCheckout } from "#domain/payments/checkout.ts";
import { type Provider, provider } from "#domain/payments/provider.ts";
import { closeCheckout, readLatestCheckout, readPayer, readSettlement, replaceForm } from "#domain/payments/store.ts";
import { isMemberAlready } from "#domain/people/members/member.ts";
import type { RequestContext } from "#kit/context.ts";
import { log } from "#kit/log.ts";
import { retried } from "#kit/retry.ts";
import { type CheckoutMessage, checkoutMessage } from "#outbox/messages.ts";
import { consumer } from "./consumer.ts";

/** Whether it is still to be paid: by the registration that it was made for, or by somebody who is no member. */
async function isWanted({ email, purpose, createdAt }: LatestCheckout, message: CheckoutMessage): Promise<boolean> {
  // Whoever pays after that for a checkout of before would get an account that they have just deleted.
  if (message.type === "user.deleted" && createdAt <= message.occurredAt) return false;
  if (purpose.kind === "membership") return !isMemberAlready(await readPayer(email, undefined));
  const { registration } = await readPayer(email, purpose.event);
  return registration?.holdExpiresAt !== undefined && registration.waitKey === purpose.waitKey;
}

/** Ends what nobody should pay any more. May be said twice, and goes on where it broke off. */
export async function closeObsolete(message: CheckoutMessage, at: Provider, context: RequestContext): Promise<void> {
  const { data } = message;
  const event = "eventID" in data ? { id: data.eventID, year: data.year } : undefined;
  const read = () => retried(() => readLatestCheckout(data.email, event), context);
  const latest = await read();
  if (!latest || latest.expiresAt <= context.now || (await retried(() => isWanted(latest, message), context))) return;
  // From now on, whoever is making the session at this moment cannot record it, and ends it themselves.
  if (!latest.closed && !(await retried(() => closeCheckout(latest), context))) return;
  const { id, replaces, ...made } = latest.sessionId === undefined ? ((await read()) ?? latest) : latest;
  // Without a session of its own, the one that it was to replace may be open still.
  const sessionId = made.sessionId ?? replaces;
  if (id !== latest.id || sessionId === undefined) return;
  // It has been paid: the provider has told us, or this is what made the checkout obsolete.
  if ((await retried(() => readSettlement(sessionId), context)) !== undefined) return;
  const found = await at.end(sessionId);
  log.info("checkout closed", { session: sessionId, found });
  // Nobody becomes a member by it any more: what they told about themselves goes with the account.
  if (message.type === "user.deleted" && found === "ended") await retried(() => replaceForm(latest, {}), context);
}

export const handler = consumer(checkoutMessage, (message, context) => closeObsolete(message, provider, context));
