/** The sender of all mails, and the right to send from its address only. */

import { Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
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
  private readonly address: string;

  constructor(scope: Construct, id: string, { stage }: { readonly stage: StageConfig }) {
    super(scope, id);
    this.address = stage.mailSender;
    this.variables = { MAIL_SENDER: this.address, MAIL_SENDER_NAME: stage.senderName };
  }

  statements(actions: readonly MailAction[]): PolicyStatement[] {
    // The condition compares the bare address, so the name beside it changes nothing. The name has no condition of its own
    // (`ses:FromDisplayName`): AWS does not say how it compares an encoded name.
    // https://docs.aws.amazon.com/ses/latest/dg/sending-authorization-policy-examples.html
    // SES checks the identity of the address if there is one, else the identity of its domain.
    const identities = [this.address, this.address.split("@")[1]];
    return [
      new PolicyStatement({
        actions: actions.map((action) => `ses:${action}`),
        resources: identities.map((name) =>
          Stack.of(this).formatArn({ service: "ses", resource: "identity", resourceName: name }),
        ),
        conditions: { StringEquals: { "ses:FromAddress": this.address } },
      }),
    ];
  }
}
