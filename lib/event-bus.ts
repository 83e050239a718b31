/** The bus that carries messages (`source: "club.events"`) from the relay to the consumers. */

import { Duration } from "aws-cdk-lib";
import { EventBus } from "aws-cdk-lib/aws-events";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import type { Usable, Variables } from "./function.ts";

export type BusAction = "PutEvents";

export class ClubEventBus extends Construct implements Usable<BusAction> {
  readonly bus: EventBus;
  readonly variables: Variables;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.bus = new EventBus(this, "Resource", { description: "Messages about changes" });
    this.bus.archive("Archive", {
      description: "Ninety days of messages, for replays after a consumer's error",
      eventPattern: { source: ["club.events"] },
      retention: Duration.days(90),
    });
    this.variables = { BUS_NAME: this.bus.eventBusName };
  }

  statements(actions: readonly BusAction[]): PolicyStatement[] {
    const named = actions.map((action) => `events:${action}`);
    return [new PolicyStatement({ actions: named, resources: [this.bus.eventBusArn] })];
  }
}
