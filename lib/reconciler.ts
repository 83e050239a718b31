/** The reconciliation with the payment provider, every night (`docs/design.md`, "Reconciliation"). */
import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import type { Construct } from "constructs";
import { otherFunctions } from "#consumers/functions.ts";
import { ClubFunction } from "./function.ts";
import { letUse, propsOf, type Resources } from "./resources.ts";

export class Reconciler extends ClubFunction {
  constructor(scope: Construct, id: string, resources: Resources) {
    super(scope, id, propsOf("reconcile", otherFunctions.reconcile, resources));
    letUse(this, otherFunctions.reconcile, resources);
    this.configureAsyncInvoke({ retryAttempts: 2, maxEventAge: Duration.hours(6) });
    new Rule(this, "Schedule", {
      description: "The books are reconciled",
      // In UTC: at night in North America, and out of the minutes in which many schedules begin.
      schedule: Schedule.cron({ hour: "10", minute: "17" }),
      targets: [new LambdaFunction(this)],
    });
  }
}
