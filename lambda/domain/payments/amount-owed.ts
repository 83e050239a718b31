/** What one person has to pay now, and whether a checkout that was made before is for that. Pure. */

import type { EventRecord } from "#domain/events/event.ts";
import { amountOwed } from "#domain/events/pricing.ts";
import { type State, stateOf } from "#domain/registrations/moves.ts";
import type { RegistrationRecord } from "#domain/registrations/registration.ts";
import { NotFound, NothingToPay } from "#kit/errors.ts";
import type { Checkout, LatestCheckout, Purpose } from "./checkout.ts";

/** What is asked of somebody. */
export type AmountOwed<P extends Purpose = Purpose> = Pick<Checkout, "amount" | "currency" | "product"> & {
  readonly purpose: P;
};

/** The person who pays, as far as prices depend on them. */
export interface Payer {
  readonly isMember: boolean;
  readonly isAdmin: boolean;
}

const reasons: Partial<Record<State, string>> = {
  waitlist: "You are on the waitlist. There is something to pay only when a seat is yours.",
  applicant: "Your application has not been decided yet.",
  accepted: "This costs you nothing. Confirm that you come instead.",
  rejected: "Your application was not accepted.",
  cancelled: "Your registration was cancelled. Register again.",
};

const free = "This costs you nothing any more. Confirm your seat instead.";
const tooLate = "The time to pay is over. Register again.";

/**
 * What a registration costs the person.
 * @param currency ISO 4217
 * @param now epoch milliseconds
 * @throws NotFound NothingToPay
 */
export function amountOwedForEvent(
  { event, registration }: { readonly event?: EventRecord; readonly registration?: RegistrationRecord },
  { isMember }: Payer,
  currency: string,
  now: number,
): AmountOwed<Extract<Purpose, { kind: "event" }>> {
  if (!event) throw new NotFound("Event");
  const state = registration && stateOf(registration);
  if (!registration || !state || state === "deleted" || registration.incarnation !== event.incarnation) {
    throw new NotFound("Registration");
  }
  if (state !== "incomplete" && state !== "acceptedPending") {
    throw new NothingToPay(reasons[state] ?? "There is nothing left to pay: your seat is confirmed.");
  }
  const amount = amountOwed(event, isMember, registration.entryPrice);
  if (amount === 0) throw new NothingToPay(free);
  if ((registration.holdExpiresAt ?? 0) <= now) throw new NothingToPay(tooLate);
  const purpose = { kind: "event", event: { id: event.id, year: event.year }, waitKey: registration.waitKey } as const;
  return { amount, currency: currency.toLowerCase(), product: event.ename, purpose };
}

/** @throws NothingToPay for members, and for admins, who do not pay (`spec.md`, "Authentication", 13) */
export function amountOwedForMembership<F>(
  form: F,
  { isMember, isAdmin }: Payer,
  { amount, currency }: Pick<Checkout, "amount" | "currency">,
): { amount: number; currency: string; product: string; purpose: { kind: "membership"; form: F } } {
  if (isAdmin) throw new NothingToPay("Admins do not pay for their membership.");
  if (isMember) throw new NothingToPay("You are a member already.");
  return { amount, currency: currency.toLowerCase(), product: "Membership", purpose: { kind: "membership", form } };
}

const queueKeyOf = (purpose: Purpose | LatestCheckout["purpose"]): string | undefined =>
  purpose.kind === "event" ? purpose.waitKey : undefined;

const isSameRegistration = (latest: LatestCheckout, { purpose }: AmountOwed): boolean =>
  queueKeyOf(latest.purpose) === queueKeyOf(purpose);

const isSamePrice = (latest: LatestCheckout, { amount, currency }: AmountOwed): boolean =>
  latest.amount === amount && latest.currency === currency;

/** Whether the provider may still take money for it. */
export const mayBeOpen = ({ closed, expiresAt }: LatestCheckout, now: number): boolean => !closed && expiresAt > now;

/**
 * Whether a checkout still asks for exactly this. One whose link was taken from the registration does not, although
 * it may still be open: the registration has been through other states since.
 */
export function isFor(
  latest: LatestCheckout,
  owed: AmountOwed,
  registration: Pick<RegistrationRecord, "checkoutLink"> | undefined,
  now: number,
): boolean {
  if (!mayBeOpen(latest, now) || !isSameRegistration(latest, owed) || !isSamePrice(latest, owed)) return false;
  return latest.url === undefined || owed.purpose.kind === "membership" || registration?.checkoutLink === latest.url;
}

/**
 * Another checkout prolongs the hold. One that replaces a checkout of the same price is opened only while the seat would
 * be held without any, so that nobody holds a seat for ever by opening one after the other.
 * @throws NothingToPay
 */
export function assertMayProlong(
  latest: LatestCheckout | undefined,
  owed: AmountOwed,
  registration: Pick<RegistrationRecord, "heldWithoutCheckout"> | undefined,
  now: number,
): void {
  const isRepriced = latest !== undefined && isSameRegistration(latest, owed) && !isSamePrice(latest, owed);
  const { heldWithoutCheckout = Number.POSITIVE_INFINITY } = registration ?? {};
  if (!isRepriced && heldWithoutCheckout <= now) throw new NothingToPay(tooLate);
}
