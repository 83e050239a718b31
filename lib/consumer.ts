/** A consumer: a rule on the bus, one or two queues, a function, and a dead-letter queue. */
import { Duration } from "aws-cdk-lib";
import { type EventPattern, type IEventBus, Match, Rule } from "aws-cdk-lib/aws-events";
import { SqsQueue } from "aws-cdk-lib/aws-events-targets";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { DetailType } from "#outbox/catalogue.ts";
import { type DeadLetterAlarm, DeadLetterQueue, retention } from "./dead-letter-queue.ts";
import { ClubFunction, type ClubFunctionProps } from "./function.ts";

/** The messages that a consumer subscribes to. */
export type Subscription =
  | { readonly types: readonly DetailType[] }
  /** Every type with `prefix`, if each of these fields of the message's data has one of the listed values. */
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
  /** By default the default bus, to which AWS services send. */
  readonly bus?: IEventBus;
  /** Each subscription gets its own rule. */
  readonly subscribesTo: Subscription | readonly Subscription[];
  /** Maximum concurrent batches, at least 2. It protects the service that the consumer calls. */
  readonly maxConcurrency: number;
  /** Messages per batch, by default 10. */
  readonly batchSize?: number;
  /**
   * Whether a message whose tries have all failed is retried every hour for three days, so that it survives an exhausted
   * daily quota or an outage. These retries have `maxConcurrency` batches of their own.
   */
  readonly retriesLater?: boolean;
  /** Rings when the consumer has given up messages. */
  readonly alarm: DeadLetterAlarm;
}

/** How often the function gets a message before it leaves the queue. */
const tries = 5;
/** The same for the queue of later tries: every hour for three days. */
const laterTries = 72;

export class Consumer extends ClubFunction {
  readonly queue: Queue;
  /** The queue of later tries, if the consumer has one. Its messages are invisible nearly all the time. */
  readonly later: Queue | undefined;

  constructor(
    scope: Construct,
    id: string,
    { bus, subscribesTo, maxConcurrency, batchSize = 10, retriesLater, alarm, ...props }: ConsumerProps,
  ) {
    super(scope, id, props);
    const reads = (mapping: string, queue: Queue): void => this.#reads(mapping, queue, { batchSize, maxConcurrency });
    const failures = new DeadLetterQueue(this, "Failures", { alarm });
    this.later = retriesLater ? this.#later(failures, reads) : undefined;
    this.queue = new Queue(this, "Queue", {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: retention,
      // AWS recommends six times the timeout, so that Lambda can retry when the function is throttled.
      // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
      visibilityTimeout: Duration.seconds(6 * props.timeout.toSeconds()),
      deadLetterQueue: { queue: this.later ?? failures, maxReceiveCount: tries },
    });
    for (const [index, kind] of [subscribesTo].flat().entries()) {
      new Rule(this, index === 0 ? "Rule" : `Rule${index + 1}`, {
        description: `Messages for ${id}`,
        ...(bus && { eventBus: bus }),
        eventPattern: eventPattern(kind),
        // EventBridge retries for a day. A message that it cannot deliver goes to the same dead-letter queue as one that
        // the function failed at, and in the same format.
        targets: [new SqsQueue(this.queue, { deadLetterQueue: failures })],
      });
    }
    reads("Messages", this.queue);
  }

  /** Creates the queue of messages that the function retries every hour. */
  #later(failures: DeadLetterQueue, reads: (mapping: string, queue: Queue) => void): Queue {
    const later = new Queue(this, "Later", {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: retention,
      // The time until the next try of a failed message.
      visibilityTimeout: Duration.hours(1),
      deadLetterQueue: { queue: failures, maxReceiveCount: laterTries },
    });
    reads("LaterMessages", later);
    return later;
  }

  /** Subscribes the function to the queue. */
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
