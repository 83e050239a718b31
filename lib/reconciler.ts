/** The reconciliation with the payment provider, every night (`docs/design.md`, "Reconciliation"). */
import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import type { Construct } from "constructs";
import { ClubFunction, type ClubFunctionProps } from "./function.ts";

export class Reconciler extends ClubFunction {
  constructor(scope: Construct, id: string, props: Omit<ClubFunctionProps, "bundle" | "description" | "timeout">) {
    super(scope, id, {
      ...props,
      bundle: "reconcile",
      description: "Settles what the payment provider knows and the table lacks",
      // On a laptop, 10,000 payments that the webhook has missed take ten minutes, and 80 seconds otherwise. Lambda repeats
      // a run whose time is over twice, and it goes on where it was.
      timeout: Duration.minutes(14),
    });
    this.configureAsyncInvoke({ retryAttempts: 2, maxEventAge: Duration.hours(6) });
    new Rule(this, "Schedule", {
      description: "The books are reconciled",
      // In UTC: at night in North America, and out of the minutes in which many schedules begin.
      schedule: Schedule.cron({ hour: "10", minute: "17" }),
      targets: [new LambdaFunction(this)],
    });
  }
}
