/** The API's answer about an event (`docs/contract.md`, "Events"). Pure. */
import { type EventRecord, isHidden, questionFields } from "#domain/events/event.ts";
import { type Pricing, pricingOf } from "#domain/events/pricing.ts";

/** Both spellings, because both occur in the web application. */
export const pricingAnswer = ({ member, nonMember }: Pricing) => ({
  member,
  members: member,
  nonMember,
  nonMembers: nonMember,
});

const internalFields = ["generation", "version", "termsVersion", "scheduleVersion", "formerQuestions"] as const;

/**
 * An event as the API answers it: without the fields that only the service needs. The form of the web application takes
 * an absent switch for `false` and sends it back, so the answer has those two whose absence means `true`.
 */
export function eventAnswer(event: EventRecord): Record<string, unknown> {
  const answer: Record<string, unknown> = { ...event, isPublished: !isHidden(event) };
  for (const name of internalFields) delete answer[name];
  answer.pricing = pricingAnswer(pricingOf(event));
  answer.nonBizTechAllowed ??= true;
  for (const name of questionFields) answer[name] ??= [];
  return answer;
}
