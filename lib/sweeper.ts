/** The sweeper: ends expired holds and announces due mails every minute (`docs/design.md`, "Registration states and holds"). */
import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import type { Construct } from "constructs";
import { otherFunctions } from "#consumers/functions.ts";
import { ClubFunction } from "./function.ts";
import { letUse, propsOf, type Resources } from "./resources.ts";

export class Sweeper extends ClubFunction {
  constructor(scope: Construct, id: string, resources: Resources) {
    super(scope, id, propsOf("sweeper", otherFunctions.sweeper, resources));
    letUse(this, otherFunctions.sweeper, resources);
    this.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    new Rule(this, "Schedule", {
      description: "Holds are swept",
      schedule: Schedule.rate(Duration.minutes(1)),
      // The next run compensates for a missed one.
      targets: [new LambdaFunction(this, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
  }
}
