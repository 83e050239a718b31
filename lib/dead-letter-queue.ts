/** Queues of messages whose processing failed, with alarms (`lib/monitoring/alarms.ts`). */
import { Duration } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { DeadLetterAlarm } from "#outbox/subscriptions.ts";
import type { Usable, Variables } from "./function.ts";

export interface DeadLetterQueueProps {
  /** The alarm that rings for a message in this queue. */
  readonly alarm: DeadLetterAlarm;
}

/** SQS's maximum. A message keeps its age when SQS moves it to a dead-letter queue. */
export const retention = Duration.days(14);

export class DeadLetterQueue extends Queue implements Usable<"SendMessage"> {
  readonly alarm: DeadLetterAlarm;

  constructor(scope: Construct, id: string, { alarm }: DeadLetterQueueProps) {
    super(scope, id, { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true, retentionPeriod: retention });
    this.alarm = alarm;
  }

  get variables(): Variables {
    return { DEAD_LETTER_QUEUE: this.queueUrl };
  }

  statements(actions: readonly "SendMessage"[]): PolicyStatement[] {
    return [new PolicyStatement({ actions: actions.map((action) => `sqs:${action}`), resources: [this.queueArn] })];
  }
}
