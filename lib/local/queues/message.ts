/** Messages of queues, and the events that functions get of them. */
import { createHash, randomBytes, randomUUID } from "node:crypto";

export interface MessageAttribute {
  readonly dataType: string;
  readonly stringValue: string;
}

/** A message as it is kept. Times are epoch milliseconds. */
export interface Message {
  readonly messageId: string;
  readonly body: string;
  readonly sentAt: number;
  readonly messageAttributes: Readonly<Record<string, MessageAttribute>>;
  /** Over all queues that it has been in. */
  readonly receiveCount: number;
  /** In the queue that it is in. */
  readonly receivedHere: number;
  readonly firstReceivedAt?: number;
  /** ARN of the queue that gave it up. */
  readonly sourceArn?: string;
}

export interface ReceivedMessage extends Message {
  readonly receiptHandle: string;
}

/** A message in the event of a function. */
export interface SqsRecord {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly messageAttributes: Readonly<Record<string, object>>;
  readonly md5OfBody: string;
  readonly eventSource: "aws:sqs";
  readonly eventSourceARN: string;
  readonly awsRegion: string;
}

export const md5 = (text: string): string => createHash("md5").update(text).digest("hex");

export const newMessage = (
  body: string,
  messageAttributes: Readonly<Record<string, MessageAttribute>>,
  now: number,
): Message => ({
  messageId: randomUUID(),
  body,
  sentAt: now,
  messageAttributes,
  receiveCount: 0,
  receivedHere: 0,
});

export const newReceiptHandle = (): string => randomBytes(96).toString("base64");

/** What SQS says of a message besides its body. */
export const systemAttributes = (message: Message): Record<string, string> => ({
  ApproximateReceiveCount: `${message.receiveCount}`,
  SentTimestamp: `${message.sentAt}`,
  SenderId: "AIDALOCALSTAGE0000000",
  ApproximateFirstReceiveTimestamp: `${message.firstReceivedAt ?? message.sentAt}`,
  ...(message.sourceArn !== undefined && { DeadLetterQueueSourceArn: message.sourceArn }),
});

export function sqsRecord(message: ReceivedMessage, queue: { readonly arn: string }): SqsRecord {
  const attributes = Object.entries(message.messageAttributes).map(
    ([name, attribute]) => [name, { ...attribute, stringListValues: [], binaryListValues: [] }] as const,
  );
  return {
    messageId: message.messageId,
    receiptHandle: message.receiptHandle,
    body: message.body,
    attributes: systemAttributes(message),
    messageAttributes: Object.fromEntries(attributes),
    md5OfBody: md5(message.body),
    eventSource: "aws:sqs",
    eventSourceARN: queue.arn,
    awsRegion: queue.arn.split(":")[3] ?? "",
  };
}
