/** What becomes of an unpaid registration when its checkout comes to nothing (`design.md`, section 7). */

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
  /** The arrival of the registration. */
  readonly waitKey: string;
  /** When the provider's session ends, epoch milliseconds. */
  readonly expiresAt: number;
  /** The provider's page, once it is known. */
  readonly url?: string;
}

/** Whether a registration still waits for this checkout, and for no later one. */
export const waitsFor = (
  { holdExpiresAt, waitKey, checkoutLink }: RegistrationRecord,
  { waitKey: ofCheckout, url }: RegistrationCheckout,
): boolean =>
  holdExpiresAt !== undefined && waitKey === ofCheckout && (checkoutLink === undefined || checkoutLink === url);

/** Until when the seat is held whatever becomes of the checkout's money, epoch milliseconds. */
const heldAnyway = ({ holdExpiresAt = 0, moneyUnderWay }: RegistrationRecord, { id }: RegistrationCheckout): number =>
  moneyUnderWay?.checkoutId === id ? moneyUnderWay.heldUntil : holdExpiresAt;

/** Nothing but the session has kept the seat. */
const isHeldForSession = (registration: RegistrationRecord, checkout: RegistrationCheckout, now: number): boolean =>
  waitsFor(registration, checkout) && heldAnyway(registration, checkout) <= Math.max(heldForSession(checkout), now);

/** Takes the checkout off the registration, if it is still the one that the registration waits for. */
const forgetCheckout = (checkout: RegistrationCheckout, context: RequestContext): Promise<void> =>
  execute(
    {
      depth: "certain",
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
 * The provider's session has expired, or its money does not come. Ends the hold, if nothing but the session has kept it;
 * else the person may pay in another session. Does nothing to a registration that waits for it no more.
 * @throws Contended UnknownOutcome the provider must bring the message again
 */
export async function endOfSession(checkout: RegistrationCheckout, context: RequestContext): Promise<void> {
  const { email, event } = checkout;
  const { changed } = await leave(
    {
      ...{ email, event, to: "cancelled", by: "payment", because: "hold over" },
      isHoldOver: (registration) => isHeldForSession(registration, checkout, context.now),
    },
    context,
  ).catch((error: unknown) => {
    if (error instanceof NotFound) return { changed: false };
    throw error;
  });
  if (!changed) await forgetCheckout(checkout, context);
}
