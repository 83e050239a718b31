/** What a consumer subscribes to, as data. */
import type { FunctionDeclaration } from "#kit/function.ts";
import { source } from "./bus-entry.ts";
import type { DetailType, FollowUp } from "./catalogue.ts";
import { channelsOf, type NoticeKind } from "./notice-kinds.ts";

/** The messages of one rule on the bus. */
export type Subscription =
  | { readonly types: readonly DetailType[] }
  /** Every type with `prefix`, if each of these fields of the message's data has one of the listed values. */
  | { readonly prefix: string; readonly data: Readonly<Record<string, readonly string[]>> }
  | { readonly pattern: typeof promoterSubscription }
  /** Events of SES about the mails of this stage. */
  | { readonly mailEvents: readonly string[] };

/** The alarms that ring for dead letters. Each dead-letter queue names its own. */
export type DeadLetterAlarm = "mailsGivenUp" | "seatsGivenUp" | "othersGivenUp";

export interface ConsumerDeclaration extends FunctionDeclaration {
  /** Each gets its own rule. */
  readonly subscribesTo: readonly Subscription[];
  /** Rings when the consumer has given up messages. */
  readonly alarm: DeadLetterAlarm;
  /** Messages per batch, by default 10. Two batches run at once. */
  readonly batchSize?: number;
  /**
   * A message whose tries have all failed is retried every hour for three days, so that it survives an exhausted daily
   * quota or an outage. These retries have two batches of their own.
   */
  readonly retriesLater?: true;
}

/** The messages about registrations with a notice for this channel. */
export const noticesOn = (channel: "mail" | "chat"): Subscription => ({
  prefix: "registration.",
  data: { notice: (Object.keys(channelsOf) as NoticeKind[]).filter((kind) => channelsOf[kind][channel]) },
});

const asksFor: readonly FollowUp[] = ["promote"];

/**
 * The promoter's: an EventBridge event pattern for all messages with the follow-up `promote`.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
export const promoterSubscription = { source: [source], detail: { data: { followUps: asksFor } } };
