/** The messages that the promoter hears, as data: the rule of the stack and the tests read the same pattern. */
import { source } from "./bus-entry.ts";
import type { FollowUp } from "./catalogue.ts";

const asksFor: readonly FollowUp[] = ["promote"];

/**
 * The promoter hears every message that asks for a promotion. An event pattern of EventBridge.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
export const promoterSubscription = { source: [source], detail: { data: { followUps: asksFor } } };
