/** What an event costs whom (`contract.md`, section 1). */
import type { Issue } from "#kit/errors.ts";

/** As stored: dollars. Without `nonMember` the event is for members only. */
export interface Pricing {
  readonly member: number;
  readonly nonMember?: number;
}

/** As sent: either spelling. */
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

export function normalizePricing({ member, members, nonMember, nonMembers }: PricingInput): Pricing {
  const other = nonMember ?? nonMembers;
  return { member: member ?? members ?? 0, ...(other !== undefined && { nonMember: other }) };
}

/** The price for one person in integer cents, or `members-only` when the event has none for them. */
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
 * What one person owes, in integer cents: the present price. An event that has become members-only has none for others:
 * they keep the price that they were let in at.
 * @param entryPrice in integer cents. Undefined: the event had none then either, so an admin let the person in, to pay as
 * a member does. Registrations that were stored before there were entry prices count the same way.
 */
export function amountOwed(
  event: Parameters<typeof priceFor>[0],
  isMember: boolean,
  entryPrice: number | undefined,
): number {
  const price = priceFor(event, isMember);
  return price === "members-only" ? (entryPrice ?? amountOwed(event, true, undefined)) : price;
}

/** Whether anybody at all pays for it. */
export const isPriced = ({ pricing }: { readonly pricing?: Pricing }): boolean =>
  pricing !== undefined && (pricing.member > 0 || (pricing.nonMember ?? 0) > 0);
