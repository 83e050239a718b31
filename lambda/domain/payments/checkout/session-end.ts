/**
 * Ends or keeps an unpaid registration after its checkout has failed or expired, and extends the hold while money is under
 * way (`docs/design.md`, "Payments").
 */

import { readSeats } from "#domain/capacity/seats.ts";
import { holdUntil } from "#domain/registrations/holds/holds.ts";
import { leave } from "#domain/registrations/leave.ts";
import { factOf, type RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { withMoneyUnderWay, withoutCheckout } from "#domain/registrations/record/transition.ts";
import { membersOf } from "#domain/registrations/store/change.ts";
import { type RegistrationKey, readRegistration } from "#domain/registrations/store/store.ts";
import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write } from "#kit/table/execute.ts";
import { heldForSession } from "./checkout.ts";

/** A checkout for a registration. */
export interface RegistrationCheckout extends RegistrationKey {
  readonly id: string;
  /** The queueKey of the registration. */
  readonly queueKey: string;
  /** End of the provider's session, epoch milliseconds. */
  readonly expiresAt: number;
  /** The provider's page, when known. */
  readonly url?: string;
}

/** Whether a registration awaits the payment of this checkout, not of a later one. */
const waitsFor = (
  { holdExpiresAt, queueKey, checkoutLink }: RegistrationRecord,
  { queueKey: ofCheckout, url }: RegistrationCheckout,
): boolean =>
  holdExpiresAt !== undefined && queueKey === ofCheckout && (checkoutLink === undefined || checkoutLink === url);

/** End of the hold if the money under way for this checkout is ignored, epoch milliseconds. */
const heldAnyway = ({ holdExpiresAt = 0, moneyUnderWay }: RegistrationRecord, { id }: RegistrationCheckout): number =>
  moneyUnderWay?.checkoutId === id ? moneyUnderWay.heldUntil : holdExpiresAt;

/** Whether the seat was held only for the session. @param now epoch milliseconds */
const isHeldForSession = (registration: RegistrationRecord, checkout: RegistrationCheckout, now: number): boolean =>
  waitsFor(registration, checkout) && heldAnyway(registration, checkout) <= Math.max(heldForSession(checkout), now);

/** Removes the checkout from the registration, if the registration still awaits its payment. */
export const forgetCheckout = (checkout: RegistrationCheckout, context: RequestContext): Promise<void> =>
  execute(
    {
      read: () => readRegistration(checkout, "strong"),
      decide: (current): Decision<void> => {
        const knowsIt = current?.checkoutLink !== undefined || current?.moneyUnderWay?.checkoutId === checkout.id;
        if (!current || !knowsIt || !waitsFor(current, checkout)) return answer(undefined);
        const after = withoutCheckout(current, context);
        const message = { type: "registration.updated", data: factOf(after) } as const;
        return write(membersOf({ before: current, after, message, audit: "fields" }, context), undefined);
      },
    },
    context,
  );

/**
 * Handles a session that has expired or whose payment has failed. If the seat was held only for the session, the hold
 * ends; otherwise the person may pay in another session. Does nothing if the registration no longer awaits this payment.
 * @throws Contended UnknownOutcome the provider must resend its event
 */
export async function endOfSession(checkout: RegistrationCheckout, context: RequestContext): Promise<void> {
  const { email, event } = checkout;
  const { changed } = await leave(
    {
      ...{ email, event, to: "cancelled", origin: "provider/checkout" },
      isMeant: (registration) => isHeldForSession(registration, checkout, context.now),
    },
    context,
  ).catch((error: unknown) => {
    if (error instanceof NotFound) return { changed: false };
    throw error;
  });
  if (!changed) await forgetCheckout(checkout, context);
}

/** A bank debit succeeds or fails within ten days. */
const maxTransferMs = 10 * 86_400_000;

/**
 * Extends the hold to the time by which the money must have arrived, but not beyond the start of the event.
 * @throws Contended UnknownOutcome the provider must resend its event
 */
export const awaitMoney = (checkout: RegistrationCheckout, context: RequestContext): Promise<void> =>
  execute(
    {
      read: () => Promise.all([readRegistration(checkout, "strong"), readSeats(checkout.event, "strong")]),
      decide: ([current, seats]): Decision<void> => {
        // Without the link, the payment has failed already, and this event is outdated.
        const isNew = current?.checkoutLink !== undefined && current.moneyUnderWay?.checkoutId !== checkout.id;
        if (!isNew || !waitsFor(current, checkout)) return answer(undefined);
        const heldUntil = holdUntil(context.now, maxTransferMs, seats?.startsAt ?? context.now);
        const after = withMoneyUnderWay(current, { checkoutId: checkout.id, heldUntil }, context);
        const message = { type: "registration.updated", data: factOf(after) } as const;
        return write(membersOf({ before: current, after, message, audit: "fields" }, context), undefined);
      },
    },
    context,
  );
