/** Whether and how an event can be registered for, as its page shows it. The service decides. Pure. */
import { isPast, moneyText } from "./dates.ts";
import { texts } from "./texts.ts";
import type { EventWithCounts, Settings } from "./types.ts";

type Shown = Pick<
  EventWithCounts,
  | (
      | "startDate"
      | "endDate"
      | "deadline"
      | "opensAt"
      | "wholeDays"
      | "isCompleted"
      | "calledOff"
      | "guests"
      | "nonBizTechAllowed"
    )
  | ("partnerCapac" | "partnerRegistrationQuestions" | "pricing" | "counts" | "code")
>;

export type Phase = "soon" | "open" | "ended" | "over";

/** @param now epoch milliseconds */
export function phaseOf(event: Shown, now: number): Phase {
  if (isPast(event, now)) return "over";
  const end = event.deadline ?? event.endDate ?? event.startDate;
  if (event.isCompleted || event.calledOff !== undefined || (end !== undefined && Date.parse(end) <= now))
    return "ended";
  return event.opensAt !== undefined && now < Date.parse(event.opensAt) ? "soon" : "open";
}

/** Whether partners have places or questions of their own. */
export const takesPartners = ({ partnerCapac, partnerRegistrationQuestions }: Shown): boolean =>
  partnerCapac !== undefined || partnerRegistrationQuestions.length > 0;

/** Who may register without an account. @param usual where the event does not say it */
export function guestsOf(event: Shown, usual: Settings["guests"]): Settings["guests"] {
  const guests = event.guests ?? usual;
  if (guests === "nobody") return guests;
  const isForAll = guests === "everyone" && event.nonBizTechAllowed;
  if (isForAll) return guests;
  return takesPartners(event) ? "partners" : "nobody";
}

/** The price in words; undefined: free. */
export function priceText({ pricing }: Pick<Shown, "pricing">, currency: string, isPartner = false) {
  const { member, nonMember } = pricing;
  const money = (dollars: number) => (dollars > 0 ? moneyText(dollars, currency) : undefined);
  if (isPartner || member === nonMember) return money(nonMember ?? member);
  const ofMembers = money(member);
  if (nonMember === undefined) return ofMembers && texts.event.memberPrice(ofMembers);
  return texts.event.prices(ofMembers ?? texts.events.free, money(nonMember) ?? texts.events.free);
}

/** What it costs, and how and when that is paid; undefined: free. */
export function costsText(
  event: Pick<EventWithCounts, "pricing" | "isApplicationBased" | "refundAtCheckIn">,
  currency: string,
  isPartner: boolean,
  isFull: boolean,
): string | undefined {
  const price = priceText(event, currency, isPartner);
  const { payApplied, payWaiting, payText } = texts.register;
  const costs = price && (event.isApplicationBased ? payApplied : isFull ? payWaiting : payText)(price);
  return costs && event.refundAtCheckIn ? `${costs} ${texts.register.deposit}` : costs;
}

/** What is left for a kind of people, or for who has this code; undefined: as many as want. */
export function leftFor({ counts, partnerCapac, code }: Shown, isPartner: boolean): number | undefined {
  if (!counts) return undefined;
  const { remaining, partnerRemaining, allotmentRemaining = 0 } = counts;
  if (isPartner && partnerCapac !== undefined) return partnerRemaining ?? undefined;
  const isInvited = code?.kind === "access" && allotmentRemaining > 0;
  return isInvited ? allotmentRemaining : (remaining ?? undefined);
}
