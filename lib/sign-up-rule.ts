/** The triggers of a user pool: before a sign-up, and before a mail with a code. */
import { Policy, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { otherFunctions } from "#consumers/functions.ts";
import { ClubFunction } from "./function.ts";
import { letUse, propsOf, type Resources } from "./resources.ts";

/**
 * Creates the function of `lambda/consumers/pre-sign-up.ts`, with its permissions on one pool. The caller must add it to
 * the pool as a trigger.
 */
export function addSignUpRule(scope: Construct, resources: Resources, poolArn: string): ClubFunction {
  const declared = otherFunctions["pre-sign-up"];
  const rule = letUse(
    new ClubFunction(scope, "PreSignUp", propsOf("pre-sign-up", declared, resources)),
    declared,
    resources,
  );
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
