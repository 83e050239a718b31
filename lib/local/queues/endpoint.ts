/** SQS's HTTP protocol, as far as a function needs it to send messages and a developer to inspect a queue. */
import { type Fields, ServiceProblem, startJsonService } from "../service-kit/json-service.ts";
import type { Queues } from "./index.ts";
import { type MessageAttribute, md5, type ReceivedMessage, systemAttributes } from "./message.ts";
import { type Queue, QueueProblem } from "./queue.ts";

export interface QueueEndpointOptions {
  /** 0 or absent: any free port. */
  readonly port?: number;
  readonly queues: Queues;
  readonly accountId: string;
}

export interface QueueEndpoint {
  /** `http://127.0.0.1:<port>`: the endpoint of SQS's client. */
  readonly url: string;
  /** The address of a queue: the value of `Ref` in CloudFormation. */
  urlOf(name: string): string;
  close(): Promise<void>;
}

const problem = (type: string, message: string): ServiceProblem =>
  new ServiceProblem(`com.amazonaws.sqs#${type}`, message);

const asText = (value: unknown): string => (typeof value === "string" ? value : "");
const asNumber = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function attributesOf(value: unknown): Record<string, MessageAttribute> {
  const entries = Object.entries((value ?? {}) as Record<string, { DataType?: unknown; StringValue?: unknown }>);
  return Object.fromEntries(
    entries.map(([name, { DataType, StringValue }]) => {
      if (typeof StringValue !== "string") throw problem("UnsupportedOperation", `${name} is no text.`);
      return [name, { dataType: asText(DataType), stringValue: StringValue }];
    }),
  );
}

/** @throws QueueProblem when the queue refuses the message */
function send(queue: Queue, fields: Fields): { MessageId: string; MD5OfMessageBody: string } {
  const { messageId, body } = queue.send(asText(fields.MessageBody), {
    messageAttributes: attributesOf(fields.MessageAttributes),
    delaySeconds: asNumber(fields.DelaySeconds),
  });
  return { MessageId: messageId, MD5OfMessageBody: md5(body) };
}

function sendBatch(queue: Queue, fields: Fields): object {
  const Successful: object[] = [];
  const Failed: object[] = [];
  for (const entry of asList(fields.Entries) as Fields[]) {
    try {
      Successful.push({ Id: entry.Id, ...send(queue, entry) });
    } catch (failure) {
      if (!(failure instanceof QueueProblem)) throw failure;
      Failed.push({ Id: entry.Id, SenderFault: true, Code: "InvalidParameterValue", Message: failure.message });
    }
  }
  return { Successful, ...(Failed.length > 0 && { Failed }) };
}

/** Picks the entries that the request names; `All` picks every entry. */
function pick<T>(all: Readonly<Record<string, T>>, ...names: unknown[]): Record<string, T> | undefined {
  const wanted = new Set(names.flatMap(asList));
  const picked = Object.entries(all).filter(([name]) => wanted.has("All") || wanted.has(name));
  return picked.length > 0 ? Object.fromEntries(picked) : undefined;
}

const shown = (message: ReceivedMessage, fields: Fields): object => ({
  MessageId: message.messageId,
  ReceiptHandle: message.receiptHandle,
  Body: message.body,
  MD5OfBody: md5(message.body),
  Attributes: pick(systemAttributes(message), fields.AttributeNames, fields.MessageSystemAttributeNames),
  MessageAttributes: pick(
    Object.fromEntries(
      Object.entries(message.messageAttributes).map(([name, { dataType, stringValue }]) => [
        name,
        { DataType: dataType, StringValue: stringValue },
      ]),
    ),
    fields.MessageAttributeNames,
  ),
});

const counts = (queue: Queue): Record<string, string> => ({
  ApproximateNumberOfMessages: `${queue.visible}`,
  ApproximateNumberOfMessagesDelayed: `${queue.delayed}`,
  ApproximateNumberOfMessagesNotVisible: `${queue.inFlight}`,
  QueueArn: queue.definition.arn,
});

type Operation = (queue: Queue, fields: Fields) => object;

const operations: Readonly<Record<string, Operation>> = {
  SendMessage: send,
  SendMessageBatch: sendBatch,
  // Answers at once, even when the caller asks to wait for a message.
  ReceiveMessage: (queue, fields) => {
    const most = asNumber(fields.MaxNumberOfMessages) ?? 1;
    const messages = queue.receive(most, asNumber(fields.VisibilityTimeout));
    return messages.length > 0 ? { Messages: messages.map((message) => shown(message, fields)) } : {};
  },
  DeleteMessage: (queue, fields) => {
    queue.delete(asText(fields.ReceiptHandle));
    return {};
  },
  GetQueueAttributes: (queue, fields) => ({ Attributes: pick(counts(queue), fields.AttributeNames) }),
  PurgeQueue: (queue) => {
    queue.purge();
    return {};
  },
};

/** @throws Error when the port is taken */
export async function startQueueEndpoint({ port, queues, accountId }: QueueEndpointOptions): Promise<QueueEndpoint> {
  const onQueue =
    (operation: Operation) =>
    (fields: Fields): object => {
      const queue = queues.named(asText(fields.QueueUrl).split("/").at(-1) ?? "");
      if (!queue) throw problem("QueueDoesNotExist", "The specified queue does not exist.");
      try {
        return operation(queue, fields);
      } catch (failure) {
        if (failure instanceof QueueProblem) throw problem("InvalidParameterValue", failure.message);
        throw failure;
      }
    };
  const service = await startJsonService({
    port,
    target: "AmazonSQS",
    version: "1.0",
    operations: Object.fromEntries(Object.entries(operations).map(([name, operation]) => [name, onQueue(operation)])),
  });
  return { url: service.url, urlOf: (name) => `${service.url}/${accountId}/${name}`, close: () => service.close() };
}
