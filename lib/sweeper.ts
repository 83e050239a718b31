/** The sweeper: ends expired holds and announces due mails every minute (`docs/design.md`, "Registration states and holds"). */
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
      description: "Ends expired holds, and announces reminders and invitations to give feedback",
      // A run ends before the next one begins, and is never retried, so there are no concurrent runs. Reserved concurrency
      // would ensure the same, but AWS refuses it in a new account, whose concurrency limit is ten.
      timeout: Duration.seconds(50),
    });
    this.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    new Rule(this, "Schedule", {
      description: "Holds are swept",
      schedule: Schedule.rate(Duration.minutes(1)),
      // The next run compensates for a missed one.
      targets: [new LambdaFunction(this, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
  }
}
