/** Prices of an event for members and for others (`docs/contract.md`, "Events"). Pure. */
import type { Issue } from "#kit/errors.ts";

/** Prices as stored, in dollars. Without `nonMember` the event is for members only. */
export interface Pricing {
  readonly member: number;
  readonly nonMember?: number;
}

/** Prices as sent, in dollars. The web application uses both spellings. */
export interface PricingInput {
  readonly member?: number;
  readonly nonMember?: number;
  readonly members?: number;
  readonly nonMembers?: number;
}

const isCents = (dollars: number): boolean => Math.round(dollars * 100) / 100 === dollars;

export function pricingIssues(input: PricingInput): Issue[] {
  return Object.entries(input)
    .filter(([, dollars]) => !isCents(dollars as number))
    .map(([name]) => ({ path: `/pricing/${name}`, message: "must have at most two decimals" }));
}

/** The prices of an event; 0 for all people where there are none. */
export const pricingOf = ({ pricing }: { readonly pricing?: Pricing }): Pricing =>
  pricing ?? { member: 0, nonMember: 0 };

/**
 * Prices as stored. Answers have both spellings, so a caller may change one of them and send both back: a price that is
 * as before says nothing. Else the spelling of the specification counts.
 * @param before the prices that the caller changes
 */
export function normalizePricing(
  { member, members, nonMember, nonMembers }: PricingInput,
  before: Partial<Pricing> = {},
): Pricing {
  const meant = (own: number | undefined, other: number | undefined, was: number | undefined) =>
    own === undefined || (other !== undefined && own === was) ? other : own;
  const forOthers = meant(nonMember, nonMembers, before.nonMember);
  return {
    member: meant(member, members, before.member) ?? 0,
    ...(forOthers !== undefined && { nonMember: forOthers }),
  };
}

/** Whether the event costs nothing, and is not for members only. No pricing at all says the same. */
export const isFree = ({ member, nonMember }: Pricing): boolean => member === 0 && nonMember === 0;

/** The price for one person in integer cents, or `members-only` when the event has no price for that person. */
export function priceFor(
  event: { readonly pricing?: Pricing; readonly nonBizTechAllowed?: boolean },
  isMember: boolean,
): number | "members-only" {
  if (!isMember && event.nonBizTechAllowed === false) return "members-only";
  if (!event.pricing) return 0;
  const dollars = isMember ? event.pricing.member : event.pricing.nonMember;
  return dollars === undefined ? "members-only" : Math.round(dollars * 100);
}

/**
 * The amount that one person owes, in integer cents: the present price. If the event has become members-only, it has no
 * price for a non-member. This person keeps the price at which they were let in (`docs/contract.md`, "Moves of a
 * registration").
 * @param entryPrice in integer cents. Undefined: the event had no price for the person then either, so an admin let the
 * person in, and the person pays as a member does. Registrations from the time before entry prices count the same way.
 */
export function amountOwed(
  event: Parameters<typeof priceFor>[0],
  isMember: boolean,
  entryPrice: number | undefined,
): number {
  const price = priceFor(event, isMember);
  return price === "members-only" ? (entryPrice ?? amountOwed(event, true, undefined)) : price;
}

/** Whether members or others pay for the event. */
export const isPriced = ({ pricing }: { readonly pricing?: Pricing }): boolean =>
  pricing !== undefined && (pricing.member > 0 || (pricing.nonMember ?? 0) > 0);
