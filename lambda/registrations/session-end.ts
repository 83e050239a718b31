/** What becomes of an unpaid registration when its checkout comes to nothing (`design.md`, section 7). */
import { NotFound } from "#kit/errors.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { commit } from "#kit/table.ts";
import type { Origin } from "../outbox/store.ts";
import { heldForSession } from "../payments/checkout.ts";
import { membersOf } from "./change.ts";
import { leave } from "./leave.ts";
import { factOf, type RegistrationRecord } from "./registration.ts";
import { type RegistrationKey, readRegistration } from "./store.ts";
import { withoutCheckout } from "./transition.ts";

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

/** @returns false when there was nothing to forget */
const forgetCheckout = (checkout: RegistrationCheckout, arrival: string, origin: Origin): Promise<boolean> =>
  untilSettled(async () => {
    const current = await readRegistration(checkout, "strong");
    const knowsIt = current?.checkoutLink !== undefined || current?.moneyUnderWay?.checkoutId === checkout.id;
    if (!current || !knowsIt || !waitsFor(current, checkout)) return false;
    const after = withoutCheckout(current, { now: origin.now, arrival });
    const news = { type: "registration.updated", data: factOf(after) } as const;
    const { committed } = await commit(membersOf({ before: current, after, news }, origin));
    return committed ? true : again;
  });

/**
 * The provider's session has expired, or its money does not come. Ends the hold, if nothing but the session has kept it;
 * else the person may pay in another session. Does nothing to a registration that waits for it no more.
 * @param arrival names this piece of news
 * @throws Contended UnknownOutcome the provider must bring the news again
 */
export async function endOfSession(checkout: RegistrationCheckout, arrival: string, origin: Origin): Promise<void> {
  const { email, event } = checkout;
  const { changed } = await leave(
    {
      ...{ email, event, arrival, to: "cancelled", by: "payment", because: "hold over" },
      isHoldOver: (registration) => isHeldForSession(registration, checkout, origin.now),
    },
    origin,
  ).catch((error: unknown) => {
    if (error instanceof NotFound) return { changed: false };
    throw error;
  });
  if (!changed) await forgetCheckout(checkout, arrival, origin);
}
