/**
 * The amount that a person has to pay now, and whether an earlier checkout is for this amount (`docs/contract.md`,
 * "Payments"). Pure.
 */

import type { EventKey, EventRecord } from "#domain/events/event.ts";
import { amountOwed } from "#domain/events/pricing.ts";
import type { MembershipForm } from "#domain/people/members/form.ts";
import { broughtBy } from "#domain/registrations/record/plus-ones.ts";
import { isUnpaid, type RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { type State, stateOf } from "#domain/registrations/record/statuses.ts";
import { NotFound } from "#kit/errors.ts";
import { NothingToPay } from "../refusals.ts";
import type { Checkout, LatestCheckout, Purpose } from "./checkout.ts";

/** The amount that a person owes, with its currency and purpose. */
export type AmountOwed = Pick<Checkout, "amount" | "currency" | "product" | "purpose">;

/** The properties of a person that prices depend on. */
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

/** The present price of a registration, with all who come along, in cents. */
export const priceOf = (
  event: EventRecord,
  registration: Pick<RegistrationRecord, "isPartner" | "entryPrice" | "agreedPrice" | "plusOnes">,
  { isMember }: Pick<Payer, "isMember">,
): number => amountOwed(event, { isMember, isPartner: registration.isPartner }, registration);

/** What money for a registration is for. */
export function purposeFor(
  { id, year }: EventKey,
  registration: Pick<RegistrationRecord, "queueKey" | "plusOnes">,
): Extract<Purpose, { kind: "event" }> {
  const plusOnes = broughtBy(registration);
  return { kind: "event", event: { id, year }, queueKey: registration.queueKey, ...(plusOnes > 0 && { plusOnes }) };
}

const free = "This costs you nothing any more. Confirm your seat instead.";
const tooLate = "The time to pay is over. Register again.";

/**
 * Whether the registration is an application that has nothing to pay now: not decided yet, or accepted without a price,
 * confirmed or not. A person who was accepted while it was free pays nothing later either.
 */
export function owesNothingNow(
  { event, registration }: { readonly event?: EventRecord; readonly registration?: RegistrationRecord },
  { isMember }: Pick<Payer, "isMember">,
): boolean {
  if (!event || !registration || registration.generation !== event.generation) return false;
  if (registration.status === "accepted" || stateOf(registration) === "applicant") return true;
  const isOpen = registration.status === "acceptedPending" || registration.status === "acceptedComplete";
  return isOpen && registration.paidBy === undefined && priceOf(event, registration, { isMember }) === 0;
}

/**
 * The amount owed for a registration, in cents.
 * @param currency ISO 4217
 * @param now epoch milliseconds
 * @throws NotFound the event, or a registration for this generation of it, does not exist
 * @throws NothingToPay the state requires no payment, the price is 0, or the hold is over
 */
export function amountOwedForEvent(
  { event, registration }: { readonly event?: EventRecord; readonly registration?: RegistrationRecord },
  { isMember }: Payer,
  currency: string,
  now: number,
): AmountOwed {
  const state = registration && stateOf(registration);
  // First, so that a person without a registration does not learn whether a hidden event exists.
  if (!registration || !state || state === "deleted") throw new NotFound("Registration");
  if (!event) throw new NotFound("Event");
  if (registration.generation !== event.generation) throw new NotFound("Registration");
  if (!isUnpaid(registration)) {
    throw new NothingToPay(reasons[state] ?? "There is nothing left to pay: your seat is confirmed.");
  }
  const amount = priceOf(event, registration, { isMember });
  if (amount === 0) throw new NothingToPay(free);
  if ((registration.holdExpiresAt ?? 0) <= now) throw new NothingToPay(tooLate);
  const purpose = purposeFor(event, registration);
  const { plusOnes = 0 } = purpose;
  const product = plusOnes > 0 ? `${event.ename} (${1 + plusOnes} people)` : event.ename;
  return { amount, currency: currency.toLowerCase(), product, purpose };
}

/**
 * @throws NothingToPay for members, and for admins, who do not pay for a membership (`docs/contract.md`, "Payments")
 */
export function amountOwedForMembership(
  form: MembershipForm,
  { isMember, isAdmin }: Payer,
  { amount, currency }: Pick<Checkout, "amount" | "currency">,
): AmountOwed {
  if (isAdmin) throw new NothingToPay("Admins do not pay for their membership.");
  if (isMember) throw new NothingToPay("You are a member already.");
  return { amount, currency: currency.toLowerCase(), product: "Membership", purpose: { kind: "membership", form } };
}

/** Whether money is for as many people as the registration is now. */
export const isForAll = (registration: RegistrationRecord, plusOnes = 0): boolean =>
  broughtBy(registration) === plusOnes;

/**
 * Whether the amount is a present price of the registration: what the payer is was decided when the page was opened.
 * @param plusOnes for whom the amount is, besides the person
 */
export const isPresentPrice = (
  event: EventRecord,
  registration: RegistrationRecord,
  amount: number,
  plusOnes: number | undefined,
): boolean =>
  isForAll(registration, plusOnes) &&
  [true, false].some((isMember) => priceOf(event, registration, { isMember }) === amount);

const queueKeyOf = (purpose: Purpose | LatestCheckout["purpose"]): string | undefined =>
  purpose.kind === "event" ? purpose.queueKey : undefined;

const isSameRegistration = (latest: LatestCheckout, { purpose }: AmountOwed): boolean =>
  queueKeyOf(latest.purpose) === queueKeyOf(purpose);

const plusOnesOf = (purpose: Purpose | LatestCheckout["purpose"]): number | undefined =>
  purpose.kind === "event" ? purpose.plusOnes : undefined;

/** The same amount, for as many people. */
const isSamePrice = (latest: LatestCheckout, { amount, currency, purpose }: AmountOwed): boolean =>
  latest.amount === amount && latest.currency === currency && plusOnesOf(latest.purpose) === plusOnesOf(purpose);

/** Whether the checkout may still be paid at the provider. @param now epoch milliseconds */
export const mayBeOpen = ({ closed, expiresAt }: LatestCheckout, now: number): boolean => !closed && expiresAt > now;

/**
 * Whether an open checkout is for exactly this amount and purpose. Not if the registration no longer has the checkout's
 * link: it has had other states since.
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

/** Whether the seat would be held even without a checkout. @param now epoch milliseconds */
const isHeldAnyway = (
  registration: Pick<RegistrationRecord, "heldWithoutCheckout"> | undefined,
  now: number,
): boolean => (registration?.heldWithoutCheckout ?? Number.POSITIVE_INFINITY) > now;

/**
 * A new checkout extends the hold. One that replaces a checkout of the same price is allowed only while the seat would be
 * held even without a checkout. Otherwise a person could hold a seat forever by opening checkouts.
 * @throws NothingToPay the time to pay is over
 */
export function assertMayExtendHold(
  latest: LatestCheckout | undefined,
  owed: AmountOwed,
  registration: Pick<RegistrationRecord, "heldWithoutCheckout"> | undefined,
  now: number,
): void {
  const isRepriced = latest !== undefined && isSameRegistration(latest, owed) && !isSamePrice(latest, owed);
  if (!isRepriced && !isHeldAnyway(registration, now)) throw new NothingToPay(tooLate);
}
