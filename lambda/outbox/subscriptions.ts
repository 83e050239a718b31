/** The messages that a consumer hears, as data: the rules of the stack and the tests read the same pattern. */
import { source } from "./bus-entry.ts";
import type { DetailType, FollowUp } from "./catalogue.ts";

/**
 * An event pattern of EventBridge.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
export interface Subscription {
  readonly source: readonly string[];
  readonly [field: string]: unknown;
}

/** The messages that the promoter heard before messages had a list of follow-ups. */
const promotionsOfOldMessages: readonly DetailType[] = [
  "registration.waitlisted",
  "registration.cancelled",
  "registration.deleted",
  "registration.rejected",
  "event.capacityChanged",
  "event.updated",
  "event.rescheduled",
];

const followUps: readonly FollowUp[] = ["promote"];

/**
 * The promoter hears every message that asks for a promotion. A message without a list is older than the list: it may
 * still be on its way, or come from the archive. EventBridge treats an empty list like a missing value, so messages
 * that ask for nothing may come too, and the promoter ignores them.
 */
export const promoterSubscription: Subscription = {
  source: [source],
  $or: [
    { detail: { data: { followUps } } },
    { "detail-type": promotionsOfOldMessages, detail: { data: { followUps: [{ exists: false }] } } },
  ],
};
