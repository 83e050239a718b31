/** The API's answer about an event (`docs/contract.md`, "Events"). Pure. */
import { type EventRecord, isHidden, questionFields } from "#domain/events/event.ts";
import { companyPrice, type Pricing, pricingOf } from "#domain/events/pricing.ts";

/**
 * Both spellings, because the web application uses both. It recognizes a members-only event by the absent price for
 * others.
 */
export const pricingAnswer = ({ member, nonMember }: Pricing, isMembersOnly: boolean) => ({
  member,
  members: member,
  ...(!isMembersOnly && { nonMember, nonMembers: nonMember }),
});

/** An event in a list. @param now epoch milliseconds */
export const listedEventAnswer = (
  { eventPage, registrationFormKey, ...event }: EventRecord,
  now: number,
  isForAdmin = false,
): Record<string, unknown> => answerOf(event as EventRecord, now, isForAdmin);

/** An event by itself. @param now epoch milliseconds */
export const eventAnswer = (
  { eventPage, ...event }: EventRecord,
  now: number,
  isForAdmin = false,
): Record<string, unknown> => ({
  ...answerOf(event as EventRecord, now, isForAdmin),
  ...(eventPage !== undefined && { eventPage: JSON.parse(eventPage) }),
});

/**
 * An event as the API answers it: without the fields that only the service needs. The form of the web application
 * treats an absent switch as `false` and sends it back, so the answer includes the two switches that default to `true`.
 */
function answerOf(record: EventRecord, now: number, isForAdmin: boolean): Record<string, unknown> {
  const { generation, version, termsVersion, scheduleVersion, isWithdrawn, formerQuestions, ...all } = record;
  const { mails, replyTo, ...event } = all;
  return {
    ...Object.fromEntries(questionFields.map((name) => [name, []])),
    ...(isForAdmin ? all : event),
    isPublished: !isHidden(record, now),
    pricing: pricingAnswer(pricingOf(record), record.nonBizTechAllowed === false),
    ...companyPrice(record),
    nonBizTechAllowed: record.nonBizTechAllowed ?? true,
  };
}
