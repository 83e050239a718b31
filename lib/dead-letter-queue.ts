/** Dead-letter queue with its alarm. */
import { Duration } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";

export interface DeadLetterQueueProps {
  /** What a message in this queue means. It begins the alarm's description. */
  readonly meaning: string;
}

export class DeadLetterQueue extends Queue {
  readonly alarm: Alarm;

  constructor(scope: Construct, id: string, { meaning }: DeadLetterQueueProps) {
    super(scope, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // The longest time that SQS allows: a message brings its age along from the queue before.
      retentionPeriod: Duration.days(14),
    });
    this.alarm = new Alarm(this, "Alarm", {
      alarmDescription: `${meaning} What to do: docs/runbook.md, "Dead letters".`,
      metric: this.metricApproximateNumberOfMessagesVisible({ statistic: "Maximum", period: Duration.minutes(1) }),
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      // SQS reports no numbers for a queue that was not used for hours.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}
