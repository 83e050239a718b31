/** The bus that carries what happened in the club (`source: "club.events"`) to whoever reacts to it. */
import { Duration } from "aws-cdk-lib";
import { EventBus } from "aws-cdk-lib/aws-events";
import { Construct } from "constructs";

export class ClubEventBus extends Construct {
  readonly bus: EventBus;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.bus = new EventBus(this, "Resource", { description: "What happened in the club" });
    this.bus.archive("Archive", {
      description: "Ninety days to replay after a consumer was wrong",
      eventPattern: { source: ["club.events"] },
      retention: Duration.days(90),
    });
  }
}
