/**
 * Ends the provider's session when its payment is obsolete: the registration has ended or is paid, an admin has waived the
 * payment or granted the membership, or the account was deleted. Otherwise a person could pay for nothing.
 */

import { isMemberAlready } from "#domain/people/members/member.ts";
import type { RequestContext } from "#kit/context.ts";
import { writeOnce } from "#kit/execute.ts";
import { log } from "#kit/log.ts";
import { retried } from "#kit/retry.ts";
import type { CheckoutMessage } from "#outbox/messages.ts";
import type { LatestCheckout } from "./checkout.ts";
import { readSettlement } from "./payment-store.ts";
import type { Provider } from "./provider.ts";
import { closeCheckout, dropForm, isOfDeletedAccount, readLatestCheckout, readPayer } from "./store.ts";

/** Whether the checkout still has to be paid: its registration awaits payment, or the person is not a member yet. */
async function isWanted(latest: LatestCheckout): Promise<boolean> {
  if (isOfDeletedAccount(latest, latest)) return false;
  const { email, purpose } = latest;
  if (purpose.kind === "membership") return !isMemberAlready(await readPayer(email, undefined));
  const { registration } = await readPayer(email, purpose.event);
  return registration?.holdExpiresAt !== undefined && registration.queueKey === purpose.queueKey;
}

/** Ends an obsolete checkout. Idempotent: another run continues where an earlier one stopped. */
export async function closeObsolete(message: CheckoutMessage, at: Provider, context: RequestContext): Promise<void> {
  const { data } = message;
  const event = "eventID" in data ? { id: data.eventID, year: data.year } : undefined;
  const read = () => retried(() => readLatestCheckout(data.email, event), context);
  const latest = await read();
  if (!latest) return;
  // A payment of this checkout would be refunded, so the membership form is deleted with the account.
  if (isOfDeletedAccount(latest, latest)) await writeOnce({ form: dropForm(latest) }, context);
  if (latest.expiresAt <= context.now || (await retried(() => isWanted(latest), context))) return;
  // A concurrent request that creates the session cannot store it in a closed checkout, and ends the session itself.
  if (!latest.closed && !(await retried(() => closeCheckout(latest), context))) return;
  const { id, replaces, ...made } = latest.sessionId === undefined ? ((await read()) ?? latest) : latest;
  // When the checkout has no session, the session of the checkout that it replaces may still be open.
  const sessionId = made.sessionId ?? replaces;
  if (id !== latest.id || sessionId === undefined) return;
  // A settled session is paid. The payment may even be the reason for this message.
  if ((await retried(() => readSettlement(sessionId), context)) !== undefined) return;
  const { status } = await at.end(sessionId);
  log.info("checkout closed", { session: sessionId, status });
}
