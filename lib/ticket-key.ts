/** The key that seals ticket codes. CloudFormation generates it, so no person knows it. */

import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import type { Usable, Variables } from "./function.ts";
import { removalPolicy } from "./removal.ts";
import type { StageConfig } from "./stages.ts";

export class TicketKey extends Construct implements Usable<"read"> {
  readonly variables: Variables;
  private readonly secret: Secret;

  constructor(scope: Construct, id: string, { stage }: { readonly stage: StageConfig }) {
    super(scope, id);
    this.secret = new Secret(this, "Resource", {
      description: "Seals the codes of tickets: a new one makes every ticket that is out worthless",
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: removalPolicy(stage),
    });
    this.variables = { TICKET_KEY_SECRET: this.secret.secretArn };
  }

  statements(): PolicyStatement[] {
    return [new PolicyStatement({ actions: ["secretsmanager:GetSecretValue"], resources: [this.secret.secretArn] })];
  }
}
