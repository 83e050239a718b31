/** A consumer: a rule on the bus, one or two queues, a function, and a dead-letter queue. */
import { Duration } from "aws-cdk-lib";
import { type EventPattern, type IEventBus, Match, Rule } from "aws-cdk-lib/aws-events";
import { SqsQueue } from "aws-cdk-lib/aws-events-targets";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { DetailType } from "#outbox/catalogue.ts";
import { DeadLetterQueue, retention } from "./dead-letter-queue.ts";
import { ClubFunction, type ClubFunctionProps } from "./function.ts";

/** The messages that a consumer subscribes to. */
export type Subscription =
  | { readonly types: readonly DetailType[] }
  /** Every type that begins with `prefix`, where each field of the message's data has one of the listed values. */
  | { readonly prefix: string; readonly data: Readonly<Record<string, readonly string[]>> }
  | { readonly pattern: EventPattern }
  /** Events of one of AWS's services. */
  | { readonly service: string; readonly types: readonly string[]; readonly detail: Readonly<Record<string, unknown>> };

function eventPattern(subscription: Subscription): EventPattern {
  if ("pattern" in subscription) return subscription.pattern;
  if ("service" in subscription)
    return { source: [subscription.service], detailType: [...subscription.types], detail: subscription.detail };
  const kinds =
    "types" in subscription
      ? { detailType: [...subscription.types] }
      : { detailType: Match.prefix(subscription.prefix), detail: { data: subscription.data } };
  return { source: ["club.events"], ...kinds };
}

export interface ConsumerProps extends ClubFunctionProps {
  readonly timeout: Duration;
  /** Absent: the default bus, to which AWS's services send. */
  readonly bus?: IEventBus;
  /** For several kinds the consumer has one rule each. */
  readonly subscribesTo: Subscription | readonly Subscription[];
  /** Most batches at a time, at least 2. The limit protects the service that the consumer calls from a rush. */
  readonly maxConcurrency: number;
  /** Messages of a batch; 10 when absent. */
  readonly batchSize?: number;
  /**
   * Whether a message that has failed at all tries is tried again every hour for three days. Then it outlasts a quota
   * of a day and an outage, and goes out by itself when they are over. The tries have `maxConcurrency` batches of their own.
   */
  readonly retriesLater?: boolean;
}

/** How often the function gets a message before the queue gives it up. */
const tries = 5;
/** The same in the queue of later tries: every hour for three days. */
const laterTries = 72;

export class Consumer extends ClubFunction {
  readonly queue: Queue;
  /** The queue of later tries, if the consumer has one. While a message is in it, it is hidden nearly all the time. */
  readonly later: Queue | undefined;

  constructor(
    scope: Construct,
    id: string,
    { bus, subscribesTo, maxConcurrency, batchSize = 10, retriesLater, ...props }: ConsumerProps,
  ) {
    super(scope, id, props);
    const reads = (mapping: string, queue: Queue): void => this.#reads(mapping, queue, { batchSize, maxConcurrency });
    const failures = new DeadLetterQueue(this, "Failures", {
      meaning: `Events that ${id} did not get, or failed at ${tries + (retriesLater ? laterTries : 0)} times.`,
    });
    this.later = retriesLater ? this.#later(failures, reads) : undefined;
    this.queue = new Queue(this, "Queue", {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: retention,
      // AWS recommends six times the timeout, so that Lambda can try again when the function is throttled.
      // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
      visibilityTimeout: Duration.seconds(6 * props.timeout.toSeconds()),
      deadLetterQueue: { queue: this.later ?? failures, maxReceiveCount: tries },
    });
    for (const [index, kind] of [subscribesTo].flat().entries()) {
      new Rule(this, index === 0 ? "Rule" : `Rule${index + 1}`, {
        description: `Messages for ${id}`,
        ...(bus && { eventBus: bus }),
        eventPattern: eventPattern(kind),
        // EventBridge tries for a day to reach the queue. A message that it cannot deliver ends in the same
        // dead-letter queue as a message that the function failed at, and in the same form.
        targets: [new SqsQueue(this.queue, { deadLetterQueue: failures })],
      });
    }
    reads("Messages", this.queue);
  }

  /** Makes the queue of messages that the function tries every hour. */
  #later(failures: DeadLetterQueue, reads: (mapping: string, queue: Queue) => void): Queue {
    const later = new Queue(this, "Later", {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: retention,
      // A failed message stays hidden for so long.
      visibilityTimeout: Duration.hours(1),
      deadLetterQueue: { queue: failures, maxReceiveCount: laterTries },
    });
    reads("LaterMessages", later);
    return later;
  }

  /** The function gets the messages of the queue. */
  #reads(
    mapping: string,
    queue: Queue,
    { batchSize, maxConcurrency }: Pick<ConsumerProps, "batchSize" | "maxConcurrency">,
  ): void {
    // SqsEventSource is not used: it would also grant actions that Lambda does not need.
    this.addToRolePolicy(
      new PolicyStatement({
        actions: ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"],
        resources: [queue.queueArn],
      }),
    );
    this.addEventSourceMapping(mapping, {
      eventSourceArn: queue.queueArn,
      ...(batchSize !== undefined && { batchSize }),
      maxConcurrency,
      reportBatchItemFailures: true,
    });
  }
}
