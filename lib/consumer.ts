/** A consumer: a rule on the bus, a queue, a function, and a dead-letter queue with its alarm. */
import { Duration } from "aws-cdk-lib";
import { type EventBus, type EventPattern, Match, Rule } from "aws-cdk-lib/aws-events";
import { SqsQueue } from "aws-cdk-lib/aws-events-targets";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { DetailType } from "#outbox/catalogue.ts";
import type { Subscription } from "#outbox/subscriptions.ts";
import { DeadLetterQueue } from "./dead-letter-queue.ts";
import { ClubFunction, type ClubFunctionProps } from "./function.ts";

/** The messages that a consumer hears. */
export type Hears =
  | { readonly types: readonly DetailType[] }
  /** Every type that begins with `prefix`, where each field of the message's data has one of the listed values. */
  | { readonly prefix: string; readonly data: Readonly<Record<string, readonly string[]>> }
  | { readonly pattern: Subscription };

function eventPattern(hears: Hears): EventPattern {
  // The type of the construct does not know `$or`; the construct passes it on all the same.
  if ("pattern" in hears) return { ...hears.pattern, source: [...hears.pattern.source] };
  const kinds =
    "types" in hears
      ? { detailType: [...hears.types] }
      : { detailType: Match.prefix(hears.prefix), detail: { data: hears.data } };
  return { source: ["club.events"], ...kinds };
}

export interface ConsumerProps extends ClubFunctionProps {
  readonly timeout: Duration;
  readonly bus: EventBus;
  /** For several kinds the consumer has one rule each. */
  readonly hears: Hears | readonly Hears[];
  /** Most batches at a time, at least 2. The limit protects the service that the consumer calls from a rush. */
  readonly atOnce: number;
  /** Messages of a batch; 10 when absent. */
  readonly batchSize?: number;
}

/** How often the function gets a message before the queue moves it to the dead-letter queue. */
const tries = 5;

export class Consumer extends ClubFunction {
  constructor(scope: Construct, id: string, { bus, hears, atOnce, batchSize = 10, ...props }: ConsumerProps) {
    super(scope, id, props);
    const failures = new DeadLetterQueue(this, "Failures", {
      meaning: `Events that ${id} did not get, or failed at ${tries} times.`,
    });
    const queue = new Queue(this, "Queue", {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // AWS recommends six times the timeout, so that Lambda can try again when the function is throttled.
      // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
      visibilityTimeout: Duration.seconds(6 * props.timeout.toSeconds()),
      deadLetterQueue: { queue: failures, maxReceiveCount: tries },
    });
    for (const [index, kind] of [hears].flat().entries()) {
      new Rule(this, index === 0 ? "Rule" : `Rule${index + 1}`, {
        description: `What ${id} hears`,
        eventBus: bus,
        eventPattern: eventPattern(kind),
        // EventBridge tries for a day to reach the queue. A message that it cannot deliver ends in the same
        // dead-letter queue as a message that the function failed at, and in the same form.
        targets: [new SqsQueue(queue, { deadLetterQueue: failures })],
      });
    }
    // SqsEventSource is not used: it would also grant actions that Lambda does not need.
    this.addToRolePolicy(
      new PolicyStatement({
        actions: ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"],
        resources: [queue.queueArn],
      }),
    );
    this.addEventSourceMapping("Messages", {
      eventSourceArn: queue.queueArn,
      batchSize,
      maxConcurrency: atOnce,
      reportBatchItemFailures: true,
    });
  }
}
