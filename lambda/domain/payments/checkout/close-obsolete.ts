/**
 * Ends the provider's session when its payment is obsolete: the registration has ended or is paid, its price has changed, an
 * admin has waived the payment or granted the membership, or the account was deleted. Otherwise a person could pay for
 * nothing.
 */

import type { EventKey } from "#domain/events/event.ts";
import { mayRenew } from "#domain/people/members/terms.ts";
import { termsOfStage } from "#domain/people/members/terms-of-stage.ts";
import { eachInTime } from "#domain/registrations/reactions/each-in-time.ts";
import { registrationsOf } from "#domain/registrations/store/store.ts";
import { log } from "#kit/log.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { writeOnce } from "#kit/table/execute.ts";
import { retried } from "#kit/table/retry.ts";
import type { Provider } from "../provider/provider.ts";
import { readSettlement } from "../record/payment-store.ts";
import { isPresentPrice } from "./amount-owed.ts";
import type { LatestCheckout } from "./checkout.ts";
import { confirmUnpaid } from "./confirm-free.ts";
import { forgetCheckout } from "./session-end.ts";
import { closeCheckout, dropForm, isOfDeletedAccount, readLatestCheckout, readPayer } from "./store.ts";

/** Whether the checkout still has to be paid: its registration awaits payment, or the person may still pay for a membership. */
async function wantOf(latest: LatestCheckout, now: number): Promise<"wanted" | "repriced" | "obsolete"> {
  if (isOfDeletedAccount(latest, latest)) return "obsolete";
  const { email, purpose, amount } = latest;
  if (purpose.kind === "membership") {
    return mayRenew(await readPayer(email, undefined), now, termsOfStage.rule) ? "wanted" : "obsolete";
  }
  const { registration, event } = await readPayer(email, purpose.event);
  if (registration?.holdExpiresAt === undefined || registration.queueKey !== purpose.queueKey) return "obsolete";
  return event && !isPresentPrice(event, registration, amount, purpose.plusOnes) ? "repriced" : "wanted";
}

/** Ends an obsolete checkout. Idempotent: another run continues where an earlier one stopped. */
async function closeObsolete(
  email: string,
  event: EventKey | undefined,
  at: Provider,
  context: RequestContext,
): Promise<void> {
  const read = () => retried(() => readLatestCheckout(email, event), context);
  const latest = await read();
  if (!latest) return;
  // A payment of this checkout would be refunded, so the membership form is deleted with the account.
  if (isOfDeletedAccount(latest, latest)) await writeOnce({ form: dropForm(latest) }, context);
  if (latest.expiresAt <= context.now) return;
  const want = await retried(() => wantOf(latest, context.now), context);
  if (want === "wanted") return;
  const isRepriced = want === "repriced";
  // A concurrent request that creates the session cannot store it in a closed checkout, and ends the session itself.
  if (!latest.closed && !(await retried(() => closeCheckout(latest, isRepriced), context))) return;
  const { id, replaces, ...made } = latest.sessionId === undefined ? ((await read()) ?? latest) : latest;
  // When the checkout has no session, the session of the checkout that it replaces may still be open.
  const sessionId = made.sessionId ?? replaces;
  if (id !== latest.id || sessionId === undefined) return;
  // A settled session is paid. The payment may even be the reason for this message.
  if ((await retried(() => readSettlement(sessionId), context)) !== undefined) return;
  const { status } = await at.end(sessionId);
  const { purpose } = latest;
  if (isRepriced && purpose.kind === "event") await forgetCheckout({ ...latest, ...purpose }, context);
  log.info("checkout closed", { session: sessionId, status });
}

/** The person's checkout, for the event or for a membership, may be obsolete. */
export const closeOfPerson = (
  { email, ...about }: { readonly email: string; readonly eventID?: string; readonly year?: number },
  at: Provider,
  context: RequestContext,
): Promise<void> => {
  const { eventID: id, year } = about;
  return closeObsolete(email, id !== undefined && year !== undefined ? { id, year } : undefined, at, context);
};

/**
 * The prices of an event have changed: unpaid seats that cost nothing now are confirmed, and obsolete pages closed. A page
 * that was opened this moment may be missing in the list: what it takes goes back (`settle-registration.ts`).
 * @throws NotYet not all seats are seen to in time: the next run continues
 */
export async function closeOfEvent(event: EventKey, at: Provider, context: RequestContext): Promise<void> {
  const emails: string[] = [];
  for await (const { email, status } of registrationsOf(event)) {
    if (status === "incomplete" || status === "acceptedPending") emails.push(email);
  }
  await eachInTime(emails, context, async (email) => {
    await confirmUnpaid(email, event, context);
    await closeObsolete(email, event, at, context);
  });
}
