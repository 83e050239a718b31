/** The function that looks once a minute for holds that are over. */
import { Duration } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import type { Construct } from "constructs";
import { HouseFunction, type HouseFunctionProps } from "./function.ts";

export class Sweeper extends HouseFunction {
  constructor(scope: Construct, id: string, props: Omit<HouseFunctionProps, "bundle" | "description" | "timeout">) {
    super(scope, id, {
      ...props,
      bundle: "sweeper",
      description: "Ends holds whose time is over",
      // Over before the next run begins, and never tried again, so that no two runs sweep at once. Setting concurrency
      // aside for it would be refused in a new account, which has ten in all.
      timeout: Duration.seconds(50),
    });
    this.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    new Rule(this, "Schedule", {
      description: "Holds are swept",
      schedule: Schedule.rate(Duration.minutes(1)),
      // What is missed comes a minute later by itself.
      targets: [new LambdaFunction(this, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
    new Alarm(this, "Alarm", {
      alarmDescription: 'Some holds are not ended: unpaid seats stay taken. What to do: docs/runbook.md, "Sweeper".',
      metric: this.metricErrors({ period: Duration.minutes(1) }),
      threshold: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 10,
      datapointsToAlarm: 5,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}
