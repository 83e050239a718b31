/** The triggers of a user pool: before a sign-up, and before a mail with a code. */
import { Duration } from "aws-cdk-lib";
import { Policy, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { ClubFunction } from "./function.ts";
import type { StageConfig } from "./stages.ts";
import type { ClubTable } from "./table.ts";

/**
 * Creates the function of `lambda/consumers/pre-sign-up.ts`, with its permissions on one pool. The caller must add it to
 * the pool as a trigger.
 */
export function addSignUpRule(
  scope: Construct,
  { stage, table, poolArn }: { readonly stage: StageConfig; readonly table: ClubTable; readonly poolArn: string },
): ClubFunction {
  const rule = new ClubFunction(scope, "PreSignUp", {
    stage,
    bundle: "pre-sign-up",
    description:
      "Decides who gets an account or a code by mail, and links Google to an account with the same verified email",
    // 512 MB: the person waits for the cold start. Cognito times out after five seconds and retries.
    memory: 512,
    timeout: Duration.seconds(5),
    environment: { SIGN_UP_LIMITS: JSON.stringify(stage.signUps) },
  }).uses(table, ["BatchGetItem", "UpdateItem"]);
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
