/**
 * SQS's protocol for operators: listing queues, their attributes, reading and deleting messages, and moving the messages
 * of a dead-letter queue. Functions only send: their mappings read the queues themselves.
 */
import { randomUUID } from "node:crypto";
import { type Authorize, allowAll } from "../service-kit/authorize.ts";
import type { HttpService } from "../service-kit/http-service.ts";
import { accessDenied, type Fields, ServiceProblem, startJsonService } from "../service-kit/json-service.ts";
import { md5, sqsRecord } from "./message.ts";
import type { Queue } from "./queue.ts";

/** The queues of a stage. */
interface Queues {
  of(arn: string): Queue;
  has(arn: string): boolean;
  all(): readonly Queue[];
  named(name: string): Queue | undefined;
}

export interface QueueServiceOptions {
  /** 0 or absent: any free port. */
  readonly port?: number;
  readonly queues: Queues;
  readonly accountId: string;
  /** Authorizes every request. Absent: every caller may do everything. */
  readonly authorize?: Authorize;
}

/** A move of messages that has ended. The laptop moves all at once. */
interface MoveTask {
  readonly SourceArn: string;
  readonly DestinationArn?: string;
  readonly Status: "COMPLETED" | "FAILED";
  readonly FailureReason?: string;
  readonly ApproximateNumberOfMessagesMoved: number;
  readonly ApproximateNumberOfMessagesToMove: number;
  /** Epoch milliseconds. */
  readonly StartedTimestamp: number;
}

const noQueue = (): ServiceProblem =>
  new ServiceProblem("com.amazonaws.sqs#QueueDoesNotExist", "The specified queue does not exist.");
const noResource = (): ServiceProblem =>
  new ServiceProblem(
    "com.amazonaws.sqs#ResourceNotFoundException",
    "The resource that you specified for the SourceArn parameter doesn't exist.",
  );
const invalid = (message: string): ServiceProblem => new ServiceProblem("InvalidParameterValue", message);

const attributesOf = (queue: Queue): Record<string, string> => {
  const { settings, definition } = queue;
  return {
    QueueArn: definition.arn,
    ApproximateNumberOfMessages: String(queue.visible),
    ApproximateNumberOfMessagesNotVisible: String(queue.inFlight),
    VisibilityTimeout: String(settings.visibility / 1_000),
    MessageRetentionPeriod: String(settings.retention / 1_000),
    ...(settings.redrive && {
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: settings.redrive.arn,
        maxReceiveCount: settings.redrive.receives,
      }),
    }),
  };
};

/**
 * Moves the messages of a dead-letter queue. A moved message is a new one: it has a new id, and its retention begins
 * again.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-configure-dead-letter-queue-redrive.html
 * @param destination absent: the queue that each message came from
 * @returns `left`: messages that came from no queue
 */
export function moveMessages(queues: Pick<Queues, "of">, source: Queue, destination?: Queue) {
  let [moved, left] = [0, 0];
  for (const { body, messageAttributes, sourceArn, receiptHandle } of source.receive(source.visible)) {
    const to = destination ?? (sourceArn === undefined ? undefined : queues.of(sourceArn));
    if (to) {
      to.send(body, { messageAttributes });
      source.delete(receiptHandle);
      moved += 1;
    } else left += 1;
  }
  return { moved, left };
}

/** Moves of one queue that are remembered, newest first. */
const maxRemembered = 10;

export async function startQueueService(options: QueueServiceOptions): Promise<HttpService> {
  const { port, queues, accountId, authorize = allowAll } = options;
  const tasks = new Map<string, MoveTask[]>();
  let base = "";
  const urlOf = (queue: Queue): string => `${base}/${accountId}/${queue.definition.name}`;
  const may = (accessKeyId: string, action: string, arn: string): void => {
    const refusal = authorize(accessKeyId, `sqs:${action}`, arn);
    if (refusal) throw accessDenied(refusal);
  };
  /** The queue of a request's `QueueUrl`. */
  const named = ({ QueueUrl }: Fields): Queue => {
    const queue = queues.named(
      String(QueueUrl ?? "")
        .split("/")
        .at(-1) ?? "",
    );
    if (!queue) throw noQueue();
    return queue;
  };
  const byArn = (arn: unknown): Queue => {
    if (typeof arn !== "string" || !queues.has(arn)) throw noResource();
    return queues.of(arn);
  };

  function move(source: Queue, destination: Queue | undefined): MoveTask {
    const started = Date.now();
    const { moved, left } = moveMessages(queues, source, destination);
    return {
      SourceArn: source.definition.arn,
      ...(destination && { DestinationArn: destination.definition.arn }),
      Status: left > 0 ? "FAILED" : "COMPLETED",
      ...(left > 0 && { FailureReason: "CouldNotDetermineMessageSource" }),
      ApproximateNumberOfMessagesMoved: moved,
      ApproximateNumberOfMessagesToMove: moved + left,
      StartedTimestamp: started,
    };
  }

  const service = await startJsonService({
    port,
    target: "AmazonSQS",
    version: "1.0",
    operations: {
      ListQueues: ({ QueueNamePrefix: prefix = "" }, accessKeyId) => {
        may(accessKeyId, "ListQueues", "*");
        const found = queues.all().filter(({ definition }) => definition.name.startsWith(String(prefix)));
        return { QueueUrls: found.map(urlOf) };
      },
      GetQueueAttributes: (fields, accessKeyId) => {
        const queue = named(fields);
        may(accessKeyId, "GetQueueAttributes", queue.definition.arn);
        const asked = [fields.AttributeNames ?? []].flat().map(String);
        const all = Object.entries(attributesOf(queue));
        return {
          Attributes: Object.fromEntries(all.filter(([name]) => asked.includes("All") || asked.includes(name))),
        };
      },
      ReceiveMessage: (fields, accessKeyId) => {
        const queue = named(fields);
        may(accessKeyId, "ReceiveMessage", queue.definition.arn);
        const most = Number(fields.MaxNumberOfMessages ?? 1);
        if (!(most >= 1 && most <= 10)) {
          throw invalid(
            `Value ${most} for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided.`,
          );
        }
        const { VisibilityTimeout } = fields;
        const messages = queue.receive(most, VisibilityTimeout === undefined ? undefined : Number(VisibilityTimeout));
        if (messages.length === 0) return {};
        return {
          Messages: messages.map((message) => {
            const { md5OfBody, messageId, receiptHandle, body } = sqsRecord(message, queue.definition);
            return { MessageId: messageId, ReceiptHandle: receiptHandle, Body: body, MD5OfBody: md5OfBody };
          }),
        };
      },
      SendMessage: (fields, accessKeyId) => {
        const queue = named(fields);
        may(accessKeyId, "SendMessage", queue.definition.arn);
        const { messageId, body } = queue.send(String(fields.MessageBody ?? ""));
        return { MessageId: messageId, MD5OfMessageBody: md5(body) };
      },
      DeleteMessage: (fields, accessKeyId) => {
        const queue = named(fields);
        may(accessKeyId, "DeleteMessage", queue.definition.arn);
        queue.delete(String(fields.ReceiptHandle ?? ""));
        return {};
      },
      StartMessageMoveTask: ({ SourceArn, DestinationArn }, accessKeyId) => {
        const source = byArn(SourceArn);
        may(accessKeyId, "StartMessageMoveTask", source.definition.arn);
        // Only a dead-letter queue of another queue can be the source.
        // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_StartMessageMoveTask.html
        if (!queues.all().some(({ settings }) => settings.redrive?.arn === source.definition.arn)) {
          throw invalid("Source queue must be configured as a Dead Letter Queue.");
        }
        const destination = DestinationArn === undefined ? undefined : byArn(DestinationArn);
        const task = move(source, destination);
        const before = tasks.get(source.definition.arn) ?? [];
        tasks.set(source.definition.arn, [task, ...before].slice(0, maxRemembered));
        return { TaskHandle: Buffer.from(randomUUID()).toString("base64") };
      },
      ListMessageMoveTasks: ({ SourceArn, MaxResults = 1 }, accessKeyId) => {
        const source = byArn(SourceArn);
        may(accessKeyId, "ListMessageMoveTasks", source.definition.arn);
        return { Results: (tasks.get(source.definition.arn) ?? []).slice(0, Number(MaxResults)) };
      },
    },
  });
  base = service.url;
  return service;
}
