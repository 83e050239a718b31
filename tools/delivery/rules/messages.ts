/** How messages reach their readers: queues, rules, mappings, topics and the archive. */
import { isDeepStrictEqual } from "node:util";
import { harmless, type Judge, noLess, onlyMore, seconds, type TypeRules } from "./rule.ts";

const fewer = "messages that it takes now would not be taken any more.";

/** A pattern takes more with more of the alternatives of a field, and less with another field. */
const pattern: Judge = ({ before, after, ...rest }) =>
  before === undefined ||
  (typeof after === "object" && isDeepStrictEqual(Object.keys(before).sort(), Object.keys(after ?? {}).sort()))
    ? onlyMore(fewer)({ before, after, ...rest })
    : [fewer];

const on =
  (text: string): Judge =>
  ({ after }) =>
    after === undefined || after === true || after === "ENABLED" ? [] : [text];

export const messages: Readonly<Record<string, TypeRules>> = {
  "AWS::SQS::Queue": {
    holds: "messages that wait",
    properties: {
      // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html
      MessageRetentionPeriod: noLess(seconds("messages that nobody takes"), 345_600),
      VisibilityTimeout: noLess(seconds("the time for a message, after which it is given again,"), 30),
      Tags: harmless,
    },
  },
  "AWS::Events::Archive": {
    holds: "the messages of the last days, for a replay",
    properties: {
      Description: harmless,
      EventPattern: pattern,
      // 0 is without an end. https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_UpdateArchive.html
      RetentionDays: ({ before, after, ...rest }) =>
        noLess(
          (from, to) => `messages would be kept for ${to} days instead of ${from}; older ones are deleted.`,
          Number.POSITIVE_INFINITY,
        )({ before: before || undefined, after: after || undefined, ...rest }),
    },
  },
  "AWS::Events::EventBus": { ends: "the way of all messages", properties: { Description: harmless } },
  "AWS::Events::Rule": {
    ends: "what it starts",
    sameBy: ["EventPattern", "ScheduleExpression", "Targets"],
    properties: {
      Description: harmless,
      EventPattern: pattern,
      State: on("it would start nothing any more."),
      Targets: onlyMore("something that it starts now would not start any more."),
    },
  },
  "AWS::Lambda::EventSourceMapping": {
    // A stream mapping knows how far the stream was read. A new one begins at StartingPosition.
    holds: ({ StartingPosition }) => (StartingPosition === undefined ? undefined : "its place in the stream"),
    ends: "the reading of a queue that stays",
    endsWith: ["EventSourceArn", "FunctionName"],
    properties: { BatchSize: harmless, Enabled: on("nothing would be read any more."), Tags: harmless },
  },
  "AWS::Lambda::EventInvokeConfig": {
    ends: "what becomes of a failed call",
    endsWith: ["FunctionName"],
    sameBy: ["FunctionName", "Qualifier"],
    properties: {
      MaximumEventAgeInSeconds: noLess(seconds("an event that fails"), 21_600),
      MaximumRetryAttempts: noLess(
        (before, after) => `it would be tried ${after} times again instead of ${before}.`,
        2,
      ),
    },
  },
  "AWS::SES::ConfigurationSet": {
    ends: "the suppression list and the events of mails",
    properties: { Tags: harmless },
  },
  "AWS::SES::ConfigurationSetEventDestination": {
    ends: "what is known of bounces and complaints",
    properties: { EventDestination: onlyMore("bounces or complaints would not be heard of any more.") },
  },
  "AWS::SNS::Subscription": { holds: "the confirmation of its receiver", properties: {} },
  "AWS::SNS::Topic": { holds: "the confirmed subscriptions", properties: { DisplayName: harmless, Tags: harmless } },
};
