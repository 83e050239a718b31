/** The chat's incoming webhook: a secret that a person stores, because its address is all that it takes to write there. */
import { ArnFormat, Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import type { Usable } from "./function.ts";

export class ChatWebhook extends Construct implements Usable<"read"> {
  readonly variables: Readonly<Record<string, string>>;

  /** @param secretName of a secret whose value is the webhook's address */
  constructor(scope: Construct, id: string, secretName: string) {
    super(scope, id);
    this.variables = { CHAT_WEBHOOK_SECRET: secretName };
  }

  statements(): PolicyStatement[] {
    const arn = Stack.of(this).formatArn({
      service: "secretsmanager",
      resource: "secret",
      // Secrets Manager appends a hyphen and six characters of its own.
      resourceName: `${this.variables.CHAT_WEBHOOK_SECRET}-??????`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    return [new PolicyStatement({ actions: ["secretsmanager:GetSecretValue"], resources: [arn] })];
  }
}
