/** Where ends what nobody gets done, and the alarm that says so. */
import { Duration } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";

export interface DeadLetterQueueProps {
  /** What it means that something is in the queue, for whoever hears the alarm. */
  readonly meaning: string;
}

export class DeadLetterQueue extends Queue {
  readonly alarm: Alarm;

  constructor(scope: Construct, id: string, { meaning }: DeadLetterQueueProps) {
    super(scope, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // The longest that there is: a message keeps the age that it had in the queue before.
      retentionPeriod: Duration.days(14),
    });
    this.alarm = new Alarm(this, "Alarm", {
      alarmDescription: `${meaning} What to do: docs/runbook.md, "Dead letters".`,
      metric: this.metricApproximateNumberOfMessagesVisible({ statistic: "Maximum", period: Duration.minutes(1) }),
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      // A queue that nobody has touched for hours reports nothing.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}
