/** The sweeper: once a minute it ends the holds whose time is over (`docs/design.md`, "Registration states and holds"). */
import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import type { Construct } from "constructs";
import { ClubFunction, type ClubFunctionProps } from "./function.ts";

export class Sweeper extends ClubFunction {
  constructor(scope: Construct, id: string, props: Omit<ClubFunctionProps, "bundle" | "description" | "timeout">) {
    super(scope, id, {
      ...props,
      bundle: "sweeper",
      description: "Ends holds whose time is over",
      // A run ends before the next one begins, and is never tried again, so two runs do not sweep at once. Reserved
      // concurrency would do the same, but AWS refuses it in a new account, which has ten concurrent runs in all.
      timeout: Duration.seconds(50),
    });
    this.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    new Rule(this, "Schedule", {
      description: "Holds are swept",
      schedule: Schedule.rate(Duration.minutes(1)),
      // The run of the next minute makes up for a missed one.
      targets: [new LambdaFunction(this, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
  }
}
