/** A function that reacts to what happens in the club: rule on the bus, queue, function, dead-letter queue. */
import { Duration } from "aws-cdk-lib";
import { type EventBus, type EventPattern, Match, Rule } from "aws-cdk-lib/aws-events";
import { SqsQueue } from "aws-cdk-lib/aws-events-targets";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { DetailType } from "#outbox/catalogue.ts";
import type { Subscription } from "#outbox/subscriptions.ts";
import { DeadLetterQueue } from "./dead-letter-queue.ts";
import { HouseFunction, type HouseFunctionProps } from "./function.ts";

/** The events that a consumer hears. */
export type Hears =
  | { readonly types: readonly DetailType[] }
  /** Every type that begins with this, where the event's data has one of these values. */
  | { readonly prefix: string; readonly data: Readonly<Record<string, readonly string[]>> }
  | { readonly pattern: Subscription };

function eventPattern(hears: Hears): EventPattern {
  // The construct hands on what its type does not know, such as `$or`.
  if ("pattern" in hears) return { ...hears.pattern, source: [...hears.pattern.source] };
  const kinds =
    "types" in hears
      ? { detailType: [...hears.types] }
      : { detailType: Match.prefix(hears.prefix), detail: { data: hears.data } };
  return { source: ["club.events"], ...kinds };
}

export interface ConsumerProps extends HouseFunctionProps {
  readonly timeout: Duration;
  readonly bus: EventBus;
  /** One or several kinds. */
  readonly hears: Hears | readonly Hears[];
  /** Most batches at a time, from 2: a rush must not outrun what the consumer calls. */
  readonly atOnce: number;
  /** Messages of a batch; 10 when absent. */
  readonly batchSize?: number;
}

/** How often a message is tried before it is given up. */
const tries = 5;

export class Consumer extends HouseFunction {
  constructor(scope: Construct, id: string, { bus, hears, atOnce, batchSize = 10, ...props }: ConsumerProps) {
    super(scope, id, props);
    const failures = new DeadLetterQueue(this, "Failures", {
      meaning: `Events that ${id} did not get, or failed at ${tries} times.`,
    });
    const queue = new Queue(this, "Queue", {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // AWS's advice for functions: as long as it may try, also when it is throttled for a while.
      visibilityTimeout: Duration.seconds(6 * props.timeout.toSeconds()),
      deadLetterQueue: { queue: failures, maxReceiveCount: tries },
    });
    for (const [index, kind] of [hears].flat().entries()) {
      new Rule(this, index === 0 ? "Rule" : `Rule${index + 1}`, {
        description: `What ${id} hears`,
        eventBus: bus,
        eventPattern: eventPattern(kind),
        // A queue that cannot be reached is tried for a day. Both failures end in one queue, in one form: the event.
        targets: [new SqsQueue(queue, { deadLetterQueue: failures })],
      });
    }
    this.addEventSource(
      new SqsEventSource(queue, { batchSize, maxConcurrency: atOnce, reportBatchItemFailures: true }),
    );
  }
}
