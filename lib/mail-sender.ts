/** The sender of all mails: the configuration set, and the permission to send only from one address. */

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
import type { Usable, Variables } from "./function.ts";
import type { StageConfig } from "./stages.ts";

export type MailAction = "SendRawEmail";

/**
 * The sender's name for the mails of the user pool. The CDK encodes names with non-ASCII characters, but does not quote
 * others, for example with a comma. A quoted name is unchanged.
 */
export const quotedName = (name: string): string => (/^[ -~]*$/.test(name) ? JSON.stringify(name) : name);

export class MailSender extends Construct implements Usable<MailAction> {
  readonly variables: Variables;
  /** Name of the configuration set of all mails of the stage, including those of the user pool. */
  readonly configurationSet: string;
  private readonly address: string;

  constructor(scope: Construct, id: string, { stage }: { readonly stage: StageConfig }) {
    super(scope, id);
    this.address = stage.mailSender;
    const configurationSet = new ConfigurationSet(this, "ConfigurationSet", {
      tlsPolicy: ConfigurationSetTlsPolicy.REQUIRE,
      reputationMetrics: true,
      // After a permanent bounce SES itself suppresses the address. Not after complaints: SES would suppress tickets too.
      suppressionReasons: SuppressionReasons.BOUNCES_ONLY,
    });
    configurationSet.addEventDestination("Feedback", {
      // SES publishes only to the default bus.
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
    // The condition compares only the bare address. There is no condition on the name (`ses:FromDisplayName`), because AWS
    // does not document how encoded names are compared.
    // https://docs.aws.amazon.com/ses/latest/dg/sending-authorization-policy-examples.html
    // SES asks for the right on the sender's identity, on the configuration set (https://github.com/aws/aws-cdk/issues/34402),
    // and in the sandbox on the recipients' identities too (https://github.com/aws/aws-sdk-js/issues/3641).
    const arn = (resource: string, resourceName?: string) =>
      Stack.of(this).formatArn({ service: "ses", resource, resourceName });
    return [
      new PolicyStatement({
        actions: actions.map((action) => `ses:${action}`),
        resources: [arn("identity", "*"), arn("configuration-set", this.configurationSet)],
        conditions: { StringEquals: { "ses:FromAddress": this.address } },
      }),
    ];
  }
}
