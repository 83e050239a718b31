/** Messages of queues, and their records in a function's event. */
import { createHash, randomBytes, randomUUID } from "node:crypto";

export interface MessageAttribute {
  readonly dataType: string;
  readonly stringValue: string;
}

/** A stored message. Times are epoch milliseconds. */
export interface Message {
  readonly messageId: string;
  readonly body: string;
  readonly sentAt: number;
  readonly messageAttributes: Readonly<Record<string, MessageAttribute>>;
  /** The number of receipts in all queues together. */
  readonly receiveCount: number;
  /** The number of receipts in the present queue. */
  readonly receivedHere: number;
  readonly firstReceivedAt?: number;
  /** ARN of the queue that moved the message to its dead-letter queue. */
  readonly sourceArn?: string;
}

export interface ReceivedMessage extends Message {
  readonly receiptHandle: string;
}

/** A message as a function gets it. */
export type SqsRecord = ReturnType<typeof sqsRecord>;

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

/** The system attributes that SQS adds to a message. */
const systemAttributes = (message: Message): Record<string, string> => ({
  ApproximateReceiveCount: `${message.receiveCount}`,
  SentTimestamp: `${message.sentAt}`,
  SenderId: "AIDALOCALSTAGE0000000",
  ApproximateFirstReceiveTimestamp: `${message.firstReceivedAt ?? message.sentAt}`,
  ...(message.sourceArn !== undefined && { DeadLetterQueueSourceArn: message.sourceArn }),
});

export function sqsRecord(message: ReceivedMessage, queue: { readonly arn: string }) {
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

/** A message that could not be processed or delivered. */
export interface DeadLetter {
  /** The queue's name in the stack: `MailFailures`. */
  readonly queue: string;
  /** The message's body; for stream records, their position in the stream. */
  readonly body: unknown;
  /** The reason, when a rule of the bus gave the message up. */
  readonly attributes: Readonly<Record<string, string>>;
}
