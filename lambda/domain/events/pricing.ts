/** Prices of an event for members and for others (`docs/contract.md`, "Events"). Pure. */

import { isChargeable, minimumChargeText } from "#domain/events/minimum-charges.ts";
import type { Issue } from "#kit/errors.ts";

/** Prices as stored, in dollars. `nonBizTechAllowed: false` makes an event members-only. */
export interface Pricing {
  readonly member: number;
  readonly nonMember: number;
}

/** Prices as sent, in dollars. The web application uses both spellings. */
export interface PricingInput {
  readonly member?: number;
  readonly nonMember?: number;
  readonly members?: number;
  readonly nonMembers?: number;
}

const isCents = (dollars: number): boolean => Math.round(dollars * 100) / 100 === dollars;

const priceNames = { member: "member", members: "member", nonMember: "nonMember", nonMembers: "nonMember" } as const;

/**
 * Validates prices. An unchanged price is accepted, so that an old one does not block other changes.
 * @param before the prices before the change; undefined for a new event
 * @param currency of the stage, ISO 4217
 */
export function pricingIssues(input: PricingInput, before: Pricing | undefined, currency: string): Issue[] {
  return (Object.keys(priceNames) as (keyof PricingInput)[]).flatMap((name) => {
    const dollars = input[name];
    const path = `/pricing/${name}`;
    if (dollars === undefined || dollars === before?.[priceNames[name]]) return [];
    if (!isCents(dollars)) return [{ path, message: "must have at most two decimals" }];
    if (dollars === 0 || isChargeable(Math.round(dollars * 100), currency)) return [];
    return [{ path, message: `must be 0 or ${minimumChargeText(currency)}` }];
  });
}

const free: Pricing = { member: 0, nonMember: 0 };

/** The prices of an event; 0 when it has none. */
export const pricingOf = ({ pricing }: { readonly pricing?: Pricing }): Pricing => pricing ?? free;

/**
 * Converts prices for storage. An absent price is unchanged. Responses have both spellings, so a caller may change one
 * and send both back: the changed one counts. If both changed, the spelling without "s" counts.
 * @param before the prices before the change; undefined for a new event, which is free by default
 */
export function normalizePricing({ member, members, nonMember, nonMembers }: PricingInput, before?: Pricing): Pricing {
  const meant = (own: number | undefined, other: number | undefined, was: number | undefined) =>
    (own === undefined || (other !== undefined && own === was) ? other : own) ?? was ?? 0;
  return { member: meant(member, members, before?.member), nonMember: meant(nonMember, nonMembers, before?.nonMember) };
}

/** Whether the event is free. */
export const isFree = ({ member, nonMember }: Pricing): boolean => member === 0 && nonMember === 0;

/** The properties of an event that its prices depend on. */
export interface PricedEvent {
  readonly pricing?: Pricing;
  readonly nonBizTechAllowed?: boolean;
  readonly partnerRegistrationQuestions?: readonly unknown[];
  readonly partnerCapac?: number;
}

/** The properties of a person that prices depend on. */
export interface Attendee {
  readonly isMember: boolean;
  readonly isPartner?: boolean;
  /** By a code that opens the event. */
  readonly isInvited?: boolean;
}

/** What a registration has of the prices at its admission, in integer cents. */
export interface AdmissionPrices {
  /**
   * The event's price for the person. Absent when the event had none: an admin admitted the person, who pays the member
   * price.
   */
  readonly entryPrice?: number;
  /** What a code promised. */
  readonly agreedPrice?: number;
}

/** What a registration has of the prices, and the people who come along. */
export interface Admitted extends AdmissionPrices {
  readonly plusOnes?: readonly unknown[] | undefined;
}

/**
 * What becomes of a price that is a deposit, which goes back to who comes. `agreed`: so it was when the person registered.
 * `held`: it is paid. `due`: the person came, so it has to go back; `dueByHand`: as it was taken. `returned`: it is on its way.
 * `kept`: the treasurer has decided so.
 */
export type Deposit = "agreed" | "held" | "due" | "dueByHand" | "returned" | "kept";

const inCents = (dollars: number): number => Math.round(dollars * 100);

/** Whether the event wants partners: it has questions, or seats, for them. */
export const wantsPartners = ({ partnerRegistrationQuestions = [], partnerCapac }: PricedEvent): boolean =>
  partnerRegistrationQuestions.length > 0 || partnerCapac !== undefined;

/** Whether partners have a price of their own. A members-only event is open to partners if it wants them. */
const invitesPartners = (event: PricedEvent): boolean => event.nonBizTechAllowed !== false || wantsPartners(event);

/**
 * The price for each who comes along, in integer cents, also of those whom a member brings: that of non-members, or at a members-only event
 * without one that of members.
 */
export function plusOnePrice(event: PricedEvent): number {
  const { member, nonMember } = pricingOf(event);
  return inCents(event.nonBizTechAllowed === false && nonMember === 0 ? member : nonMember);
}

/** The same in dollars, where attendees may bring people and that costs something. */
export function companyPrice(event: PricedEvent & { readonly plusOnes?: number }): { readonly plusOnePrice?: number } {
  const cents = event.plusOnes ? plusOnePrice(event) : 0;
  return cents > 0 ? { plusOnePrice: cents / 100 } : {};
}

/**
 * The price for one person in integer cents, or `members-only` when the event has no price for that person. Partners, and
 * non-members who are invited, pay as non-members; a members-only event without a price for non-members charges them as
 * members.
 */
export function priceFor(
  event: PricedEvent,
  { isMember, isPartner = false, isInvited = false }: Attendee,
): number | "members-only" {
  const { member, nonMember } = pricingOf(event);
  const isMembersOnly = event.nonBizTechAllowed === false;
  const paysAsOther = (isPartner && invitesPartners(event)) || (isInvited && !isMember);
  if (paysAsOther) return plusOnePrice(event);
  if (!isMember && isMembersOnly) return "members-only";
  return inCents(isMember ? member : nonMember);
}

/**
 * The amount that a registration owes, in integer cents: the current price of the person, but not more than a code promised,
 * and of each who comes along. A non-member of an event that has become members-only, and so has no price for them, owes the
 * entry price (`docs/contract.md`, "Moves of a registration").
 */
export function amountOwed(
  event: PricedEvent,
  person: Attendee,
  { entryPrice, agreedPrice, plusOnes = [] }: Admitted = {},
): number {
  const price = priceFor(event, person);
  const present = price === "members-only" ? (entryPrice ?? amountOwed(event, { isMember: true })) : price;
  return Math.min(present, agreedPrice ?? present) + plusOnes.length * plusOnePrice(event);
}

/** Whether members or others pay for the event. */
export const isPriced = (event: { readonly pricing?: Pricing }): boolean => !isFree(pricingOf(event));
