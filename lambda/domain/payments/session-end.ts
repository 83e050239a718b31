/** Ends or keeps an unpaid registration after its checkout has failed or expired (`docs/design.md`, "Money"). */

import { membersOf } from "#domain/registrations/change.ts";
import { leave } from "#domain/registrations/leave.ts";
import { factOf, type RegistrationRecord } from "#domain/registrations/registration.ts";
import { type RegistrationKey, readRegistration } from "#domain/registrations/store.ts";
import { withoutCheckout } from "#domain/registrations/transition.ts";
import type { RequestContext } from "#kit/context.ts";
import { NotFound } from "#kit/errors.ts";
import { answer, type Decision, execute, write } from "#kit/execute.ts";
import { heldForSession } from "./checkout.ts";

/** A checkout for a registration. */
export interface RegistrationCheckout extends RegistrationKey {
  readonly id: string;
  /** The queueKey of the registration. */
  readonly queueKey: string;
  /** End of the provider's session, epoch milliseconds. */
  readonly expiresAt: number;
  /** The provider's page, as soon as it is known. */
  readonly url?: string;
}

/** Whether a registration waits for this checkout and not for a later one. */
export const waitsFor = (
  { holdExpiresAt, queueKey, checkoutLink }: RegistrationRecord,
  { queueKey: ofCheckout, url }: RegistrationCheckout,
): boolean =>
  holdExpiresAt !== undefined && queueKey === ofCheckout && (checkoutLink === undefined || checkoutLink === url);

/** End of the hold without the money that is under way for this checkout, epoch milliseconds. */
const heldAnyway = ({ holdExpiresAt = 0, moneyUnderWay }: RegistrationRecord, { id }: RegistrationCheckout): number =>
  moneyUnderWay?.checkoutId === id ? moneyUnderWay.heldUntil : holdExpiresAt;

/** Whether only the session has kept the seat. @param now epoch milliseconds */
const isHeldForSession = (registration: RegistrationRecord, checkout: RegistrationCheckout, now: number): boolean =>
  waitsFor(registration, checkout) && heldAnyway(registration, checkout) <= Math.max(heldForSession(checkout), now);

/** Removes the checkout from the registration, if the registration still waits for it. */
const forgetCheckout = (checkout: RegistrationCheckout, context: RequestContext): Promise<void> =>
  execute(
    {
      read: () => readRegistration(checkout, "strong"),
      decide: (current): Decision<void> => {
        const knowsIt = current?.checkoutLink !== undefined || current?.moneyUnderWay?.checkoutId === checkout.id;
        if (!current || !knowsIt || !waitsFor(current, checkout)) return answer(undefined);
        const after = withoutCheckout(current, context);
        const message = { type: "registration.updated", data: factOf(after) } as const;
        return write(membersOf({ before: current, after, message }, context), undefined);
      },
    },
    context,
  );

/**
 * Handles a session that has expired or whose payment has failed. If only the session has kept the seat, the hold ends.
 * Otherwise the person may pay in another session. Does nothing if the registration does not wait for the session any
 * more.
 * @throws Contended UnknownOutcome the provider must send its event again
 */
export async function endOfSession(checkout: RegistrationCheckout, context: RequestContext): Promise<void> {
  const { email, event } = checkout;
  const { changed } = await leave(
    {
      ...{ email, event, to: "cancelled", by: "payment", because: "hold over" },
      isMeant: (registration) => isHeldForSession(registration, checkout, context.now),
    },
    context,
  ).catch((error: unknown) => {
    if (error instanceof NotFound) return { changed: false };
    throw error;
  });
  if (!changed) await forgetCheckout(checkout, context);
}
