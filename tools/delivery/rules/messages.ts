/** How messages reach their readers: queues, rules, mappings, topics and the archive. */
import { isDeepStrictEqual } from "node:util";
import { type Change, harmless, isIn, type Judge, noLess, onlyMore, refused, seconds, type TypeRules } from "./rule.ts";

/** A pattern takes more with more alternatives of a field, and fewer with another field, at each depth. */
function takesAll(after: unknown, before: unknown): boolean {
  if (Array.isArray(before)) {
    return Array.isArray(after) && before.every((item) => after.some((other) => isDeepStrictEqual(other, item)));
  }
  const [old, wanted] = [before, after] as Readonly<Record<string, unknown>>[];
  if (typeof old !== "object" || typeof wanted !== "object") return isDeepStrictEqual(before, after);
  return (
    isDeepStrictEqual(Object.keys(old).sort(), Object.keys(wanted).sort()) &&
    Object.keys(old).every((name) => takesAll(wanted[name], old[name]))
  );
}

const pattern: Judge = ({ before, after }) =>
  takesAll(after, before) ? [] : ["messages that it takes now might not be taken any more."];

/** Messages say who registers and pays. */
const elsewhere: Judge = ({ before = [], after = [], wanted }: Change<readonly { readonly Arn?: unknown }[]>) =>
  after
    .filter((target) => !before.some((other) => isDeepStrictEqual(target, other)) && !isIn(target.Arn, wanted))
    .map(({ Arn }) => `messages would go to ${JSON.stringify(Arn)}, which is not of this stack.`);

/** Of two readers of a queue, each gets a part of the messages. */
const onlyReader: Judge = ({ before, after, wanted }) => {
  const readers = Object.values(wanted.Resources ?? {}).filter(
    ({ Type, Properties }) =>
      Type === "AWS::Lambda::EventSourceMapping" && isDeepStrictEqual(Properties?.EventSourceArn, after),
  );
  return before === undefined && readers.length < 2 ? [] : ["another function reads it already, or it read another."];
};

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
      Targets: [onlyMore("something that it starts now would not start any more."), elsewhere],
    },
    opens: ["Targets"],
  },
  "AWS::Lambda::EventSourceMapping": {
    // A stream mapping knows how far the stream was read. A new one begins at StartingPosition.
    holds: ({ StartingPosition }) => (StartingPosition === undefined ? undefined : "its place in the stream"),
    ends: "the reading of a queue that stays",
    endsWith: ["EventSourceArn"],
    properties: {
      BatchSize: harmless,
      Enabled: on("nothing would be read any more."),
      EventSourceArn: onlyReader,
      Tags: harmless,
    },
    opens: ["EventSourceArn"],
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
    properties: { EventDestination: refused("what is said of mails, and to whom, would go to another place.") },
    opens: ["EventDestination"],
  },
  "AWS::SNS::Subscription": { holds: "the confirmation of its receiver", properties: {} },
  "AWS::SNS::Topic": { holds: "the confirmed subscriptions", properties: { DisplayName: harmless, Tags: harmless } },
};
