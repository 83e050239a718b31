/** Dead-letter queue with its alarm. */
import { Duration } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";

export interface DeadLetterQueueProps {
  /** What a message in this queue means. It begins the alarm's description. */
  readonly meaning: string;
}

/** The longest time that SQS allows. A message brings its age along when SQS moves it to a dead-letter queue. */
export const retention = Duration.days(14);

/** Once a minute, the highest number. */
export const eachMinute = { statistic: "Maximum", period: Duration.minutes(1) };

/**
 * Makes the alarm that goes off at the first message.
 * @param what counts the messages of a queue
 */
export const alarmAt = (scope: Construct, id: string, what: { readonly meaning: string; readonly metric: IMetric }) =>
  new Alarm(scope, id, {
    alarmDescription: `${what.meaning} What to do: docs/runbook.md, "Dead letters".`,
    metric: what.metric,
    threshold: 0,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: 1,
    // SQS reports no numbers for a queue that was not used for hours.
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });

export class DeadLetterQueue extends Queue {
  readonly alarm: Alarm;

  constructor(scope: Construct, id: string, { meaning }: DeadLetterQueueProps) {
    super(scope, id, { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true, retentionPeriod: retention });
    this.alarm = alarmAt(this, "Alarm", { meaning, metric: this.metricApproximateNumberOfMessagesVisible(eachMinute) });
  }
}
