/** The sender of all mails: their configuration set, and the right to send from one address only. */

import { Stack } from "aws-cdk-lib";
import { EventBus } from "aws-cdk-lib/aws-events";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import {
  ConfigurationSet,
  ConfigurationSetTlsPolicy,
  EmailSendingEvent,
  EventDestination,
  SuppressionReasons,
} from "aws-cdk-lib/aws-ses";
import { Construct } from "constructs";
import type { Settings } from "#kit/env.ts";
import type { Usable } from "./function.ts";
import type { StageConfig } from "./stages.ts";

export type MailAction = "SendRawEmail";

/**
 * The sender's name for the mails of the user pool. The CDK encodes a name with other characters than ASCII, but leaves a
 * comma without quotes. A name that comes in quotes stays as it is.
 */
export const quotedName = (name: string): string => (/^[ -~]*$/.test(name) ? JSON.stringify(name) : name);

export class MailSender extends Construct implements Usable<MailAction> {
  readonly variables: Settings;
  /** Name of the set under which every mail of the stage is sent, those of the user pool as well. */
  readonly configurationSet: string;
  private readonly address: string;

  constructor(scope: Construct, id: string, { stage }: { readonly stage: StageConfig }) {
    super(scope, id);
    this.address = stage.mailSender;
    const configurationSet = new ConfigurationSet(this, "ConfigurationSet", {
      tlsPolicy: ConfigurationSetTlsPolicy.REQUIRE,
      reputationMetrics: true,
      // After a permanent bounce SES itself delivers nothing to the address. Complaints are not in this list: SES would
      // keep back the person's tickets as well.
      suppressionReasons: SuppressionReasons.BOUNCES_ONLY,
    });
    configurationSet.addEventDestination("Feedback", {
      // SES publishes to the default bus only.
      // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-properties-ses-configurationseteventdestination-eventbridgedestination.html
      destination: EventDestination.eventBus(EventBus.fromEventBusName(this, "DefaultBus", "default")),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT],
    });
    this.configurationSet = configurationSet.configurationSetName;
    this.variables = {
      MAIL_SENDER: this.address,
      MAIL_SENDER_NAME: stage.senderName,
      MAIL_CONFIGURATION_SET: this.configurationSet,
    };
  }

  statements(actions: readonly MailAction[]): PolicyStatement[] {
    // The condition compares the bare address, so the name beside it changes nothing. The name has no condition of its own
    // (`ses:FromDisplayName`): AWS does not say how it compares an encoded name.
    // https://docs.aws.amazon.com/ses/latest/dg/sending-authorization-policy-examples.html
    // SES checks the identity of the address if there is one, else the identity of its domain. It also checks the
    // configuration set. https://github.com/aws/aws-cdk/issues/34402
    const identities = [this.address, this.address.split("@")[1]];
    const arn = (resource: string, resourceName?: string) =>
      Stack.of(this).formatArn({ service: "ses", resource, resourceName });
    return [
      new PolicyStatement({
        actions: actions.map((action) => `ses:${action}`),
        resources: [
          ...identities.map((name) => arn("identity", name)),
          arn("configuration-set", this.configurationSet),
        ],
        conditions: { StringEquals: { "ses:FromAddress": this.address } },
      }),
    ];
  }
}
