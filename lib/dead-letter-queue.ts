/** Queues of messages whose processing failed, with alarms (`lib/monitoring/alarms.ts`). */
import { Duration } from "aws-cdk-lib";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";

export interface DeadLetterQueueProps {
  /** What a message in this queue means, for the alarm's description. */
  readonly meaning: string;
}

/** SQS's maximum. A message keeps its age when SQS moves it to a dead-letter queue. */
export const retention = Duration.days(14);

export class DeadLetterQueue extends Queue {
  readonly meaning: string;

  constructor(scope: Construct, id: string, { meaning }: DeadLetterQueueProps) {
    super(scope, id, { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true, retentionPeriod: retention });
    this.meaning = meaning;
  }
}
