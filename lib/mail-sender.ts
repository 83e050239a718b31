/** The sender's address of all mails, and the right to send from this address only. */

import { Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import type { Settings } from "#kit/env.ts";
import type { Usable } from "./function.ts";
import type { StageConfig } from "./stages.ts";

export type MailAction = "SendRawEmail";

export class MailSender extends Construct implements Usable<MailAction> {
  readonly variables: Settings;
  private readonly address: string;

  constructor(scope: Construct, id: string, { stage }: { readonly stage: StageConfig }) {
    super(scope, id);
    this.address = stage.mailSender;
    this.variables = { MAIL_SENDER: this.address };
  }

  statements(actions: readonly MailAction[]): PolicyStatement[] {
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
