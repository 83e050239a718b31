/** The function that a user pool asks before every new account. */
import { Duration } from "aws-cdk-lib";
import { Policy, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { ClubFunction } from "./function.ts";
import type { StageConfig } from "./stages.ts";

/**
 * Makes the function of `lambda/domain/identity/sign-up.ts`, with exactly its rights on one pool. The pool must still be
 * told to ask it.
 */
export function addSignUpRule(scope: Construct, stage: StageConfig, poolArn: string): ClubFunction {
  const rule = new ClubFunction(scope, "PreSignUp", {
    stage,
    bundle: "pre-sign-up",
    description: "Decides who gets an account, and links Google to an account with the same verified email",
    // 512 MB: the person waits for the cold start. Cognito gives up after five seconds and asks again.
    memory: 512,
    timeout: Duration.seconds(5),
  });
  // A policy of its own: the function depends on its role's default policy, and the pool on the function.
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
