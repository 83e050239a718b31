/** The promoter's subscription as data, shared by the stack and tests. */
import { source } from "./bus-entry.ts";
import type { FollowUp } from "./catalogue.ts";

const asksFor: readonly FollowUp[] = ["promote"];

/**
 * An EventBridge event pattern for all messages with the follow-up `promote`.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
export const promoterSubscription = { source: [source], detail: { data: { followUps: asksFor } } };
