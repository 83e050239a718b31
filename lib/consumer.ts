/** A consumer: a rule on the bus, one or two queues, a function, and a dead-letter queue. */
import { Duration } from "aws-cdk-lib";
import { type IEventBus, Match, Rule, type RuleProps } from "aws-cdk-lib/aws-events";
import { SqsQueue } from "aws-cdk-lib/aws-events-targets";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { ConsumerDeclaration, Subscription } from "#outbox/subscriptions.ts";
import { DeadLetterQueue, retention } from "./dead-letter-queue.ts";
import { ClubFunction, type ClubFunctionProps } from "./function.ts";

export interface ConsumerProps
  extends ClubFunctionProps,
    Pick<ConsumerDeclaration, "subscribesTo" | "batchSize" | "retriesLater" | "alarm"> {
  readonly timeout: number;
  /** The bus of the club's messages. AWS services send to the default bus. */
  readonly bus: IEventBus;
  /** The name of the SES configuration set of this stage's mails. */
  readonly configurationSet: string;
}

/** Concurrent batches of a queue: the minimum that AWS allows for a queue's mapping. It spares what the consumer calls. */
export const batchesAtOnce = 2;
/** The bus and the pattern of a subscription. */
function ruleOf(subscription: Subscription, eventBus: IEventBus, configurationSet: string): RuleProps {
  if ("mailEvents" in subscription) {
    // Other stages of the account publish to the same bus. SES tags each mail with its configuration set.
    const detail = { mail: { tags: { "ses:configuration-set": [configurationSet] } } };
    return { eventPattern: { source: ["aws.ses"], detailType: [...subscription.mailEvents], detail } };
  }
  if ("pattern" in subscription) return { eventBus, eventPattern: subscription.pattern };
  const kinds =
    "types" in subscription
      ? { detailType: [...subscription.types] }
      : { detailType: Match.prefix(subscription.prefix), detail: { data: subscription.data } };
  return { eventBus, eventPattern: { source: ["club.events"], ...kinds } };
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
    { bus, configurationSet, subscribesTo, batchSize = 10, retriesLater, alarm, ...props }: ConsumerProps,
  ) {
    super(scope, id, props);
    const reads = (mapping: string, queue: Queue): void => this.#reads(mapping, queue, batchSize);
    const failures = new DeadLetterQueue(this, "Failures", { alarm });
    this.uses(failures, ["SendMessage"]);
    this.later = retriesLater ? this.#later(failures, reads) : undefined;
    this.queue = new Queue(this, "Queue", {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: retention,
      // AWS recommends six times the timeout, so that Lambda can retry when the function is throttled.
      // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
      visibilityTimeout: Duration.seconds(6 * props.timeout),
      deadLetterQueue: { queue: this.later ?? failures, maxReceiveCount: tries },
    });
    for (const [index, subscription] of subscribesTo.entries()) {
      new Rule(this, index === 0 ? "Rule" : `Rule${index + 1}`, {
        description: `Messages for ${id}`,
        ...ruleOf(subscription, bus, configurationSet),
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
  #reads(mapping: string, queue: Queue, batchSize: number): void {
    // SqsEventSource is not used: it would also grant actions that Lambda does not need.
    this.addToRolePolicy(
      new PolicyStatement({
        actions: ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"],
        resources: [queue.queueArn],
      }),
    );
    this.addEventSourceMapping(mapping, {
      eventSourceArn: queue.queueArn,
      batchSize,
      maxConcurrency: batchesAtOnce,
      reportBatchItemFailures: true,
    });
  }
}
