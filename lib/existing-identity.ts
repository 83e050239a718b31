/**
 * Sign-in with an existing user pool (`docs/web-app.md`, "An existing user pool"), which the stack does not change.
 */
import { Annotations, Stack } from "aws-cdk-lib";
import { ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { issuerOf, type SignIn } from "./identity.ts";
import type { Resources } from "./resources.ts";
import { addSignUpRule } from "./sign-up-rule.ts";
import type { ExistingPool } from "./stages.ts";

/** The settings that the stack makes in its own pool, but not in an existing one. */
const leftToPeople = [
  "the pre-sign-up trigger: set it to the function in the output SignUpRuleArn",
  "the custom message trigger: the same function limits the codes that are sent again, where the pool has no other one",
  "verification before an email changes (AttributesRequireVerificationBeforeUpdate)",
  "the verification of emails at sign-up (AutoVerifiedAttributes)",
  "the password policy",
  "sender and text of the mails with codes",
  "the client: its flows, how long its tokens are valid, and the addresses of the sign-in page",
  "Google, and other providers",
  "the protection against deletion",
];

export class ExistingIdentity extends Construct implements SignIn {
  readonly tokens: SignIn["tokens"];
  readonly outputs: SignIn["outputs"];

  constructor(scope: Construct, id: string, resources: Resources, pool: ExistingPool["existing"]) {
    super(scope, id);
    const { userPoolId, clientId, region } = pool;
    const poolArn = Stack.of(this).formatArn({
      service: "cognito-idp",
      region,
      resource: "userpool",
      resourceName: userPoolId,
    });
    const rule = addSignUpRule(this, resources, poolArn);
    rule.addPermission("PreSignUpCognito", {
      principal: new ServicePrincipal("cognito-idp.amazonaws.com"),
      sourceArn: poolArn,
    });
    this.tokens = { issuer: issuerOf(region, userPoolId), audience: clientId };
    this.outputs = { UserPoolId: userPoolId, UserPoolClientId: clientId, SignUpRuleArn: rule.functionArn };
    Annotations.of(this).addWarningV2(
      "club:existing-pool",
      `The stack does not change the user pool ${userPoolId}. docs/web-app.md, "Settings of the pool", has the commands for what it leaves to you:\n  ${leftToPeople.join("\n  ")}`,
    );
  }
}
