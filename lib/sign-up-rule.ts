/** The pre-sign-up trigger of a user pool. */
import { Duration } from "aws-cdk-lib";
import { Policy, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { ClubFunction } from "./function.ts";
import type { StageConfig } from "./stages.ts";

/**
 * Creates the function of `lambda/domain/identity/sign-up.ts`, with its permissions on one pool. The caller must add it to
 * the pool as a trigger.
 */
export function addSignUpRule(scope: Construct, stage: StageConfig, poolArn: string): ClubFunction {
  const rule = new ClubFunction(scope, "PreSignUp", {
    stage,
    bundle: "pre-sign-up",
    description: "Decides who gets an account, and links Google to an account with the same verified email",
    // 512 MB: the person waits for the cold start. Cognito times out after five seconds and retries.
    memory: 512,
    timeout: Duration.seconds(5),
  });
  // A separate policy avoids a cycle: the function depends on its role's default policy, and the pool on the function.
  new Policy(scope, "PreSignUpAccounts", {
    roles: rule.role ? [rule.role] : [],
    statements: [
      new PolicyStatement({
        actions: ["cognito-idp:ListUsers", "cognito-idp:AdminLinkProviderForUser"],
        resources: [poolArn],
      }),
    ],
  });
  return rule;
}
