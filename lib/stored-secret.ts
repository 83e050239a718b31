/** A secret that is created manually (docs/deploy.md). The stack contains only its name. */

import { ArnFormat, Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import type { Usable, Variables } from "./function.ts";

export interface StoredSecretProps {
  /** The environment variable with the name for functions. */
  readonly variable: string;
  readonly secretName: string;
}

/** A function that `uses` the secret finds its name in the environment and may read its value. */
export class StoredSecret extends Construct implements Usable<"read"> {
  readonly variables: Variables;
  readonly #secretName: string;

  constructor(scope: Construct, id: string, { variable, secretName }: StoredSecretProps) {
    super(scope, id);
    this.variables = { [variable]: secretName };
    this.#secretName = secretName;
  }

  statements(): PolicyStatement[] {
    const arn = Stack.of(this).formatArn({
      service: "secretsmanager",
      resource: "secret",
      // Secrets Manager appends a hyphen and six random characters to the name.
      resourceName: `${this.#secretName}-??????`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    return [new PolicyStatement({ actions: ["secretsmanager:GetSecretValue"], resources: [arn] })];
  }
}
