/** Remains of earlier deploys: a stack that cannot be updated, or tables of a deleted stack. */
import type { Stack, StackResourceSummary, StackStatus } from "@aws-sdk/client-cloudformation";
import { paginateListTables } from "@aws-sdk/client-dynamodb";
import { stackName } from "../../../lib/stage-names.ts";
import { type Finding, ok, problem, warning } from "../../kit/finding.ts";
import type { Account, Check } from "../check-kit/account.ts";
import { asking } from "../check-kit/asking.ts";
import { all, describedStack, stackResources } from "../check-kit/stack.ts";

type Way = "deploy" | "execute" | "wait" | "delete" | "roll back";

/**
 * What a stack in this state needs before its next deploy.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-describing-stacks.html
 */
const ways: Readonly<Record<StackStatus, Way>> = {
  CREATE_COMPLETE: "deploy",
  UPDATE_COMPLETE: "deploy",
  UPDATE_ROLLBACK_COMPLETE: "deploy",
  IMPORT_COMPLETE: "deploy",
  IMPORT_ROLLBACK_COMPLETE: "deploy",
  // CloudFormation does not find a deleted stack by its name.
  DELETE_COMPLETE: "deploy",
  REVIEW_IN_PROGRESS: "execute",
  CREATE_IN_PROGRESS: "wait",
  DELETE_IN_PROGRESS: "wait",
  IMPORT_IN_PROGRESS: "wait",
  IMPORT_ROLLBACK_IN_PROGRESS: "wait",
  ROLLBACK_IN_PROGRESS: "wait",
  UPDATE_COMPLETE_CLEANUP_IN_PROGRESS: "wait",
  UPDATE_IN_PROGRESS: "wait",
  UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS: "wait",
  UPDATE_ROLLBACK_IN_PROGRESS: "wait",
  DELETE_FAILED: "delete",
  ROLLBACK_COMPLETE: "delete",
  ROLLBACK_FAILED: "delete",
  CREATE_FAILED: "roll back",
  IMPORT_ROLLBACK_FAILED: "roll back",
  UPDATE_FAILED: "roll back",
  UPDATE_ROLLBACK_FAILED: "roll back",
};

/** Commands that make a resource deletable for CloudFormation. */
const releases: Readonly<Record<string, (resource: string) => string>> = {
  "AWS::Cognito::UserPool": (pool) =>
    `aws cognito-idp update-user-pool --deletion-protection INACTIVE --user-pool-id ${pool}`,
  "AWS::DynamoDB::Table": (table) => `aws dynamodb update-table --no-deletion-protection-enabled --table-name ${table}`,
  "AWS::S3::Bucket": (bucket) => `aws s3 rm --recursive s3://${bucket}`,
};

/** The commands that delete a stack, in order. */
function deletion(name: string, isProtected: boolean, kept: readonly StackResourceSummary[]): string {
  const released = kept.flatMap(({ ResourceType = "", PhysicalResourceId = "" }) => {
    const release = releases[ResourceType];
    return release ? [release(PhysicalResourceId)] : [];
  });
  return [
    ...released,
    ...(isProtected
      ? [`aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${name}`]
      : []),
    `aws cloudformation delete-stack --stack-name ${name}`,
  ].join(" && ");
}

/** A stack that can only be deleted. */
async function deletable(account: Account, { StackStatus, EnableTerminationProtection }: Stack): Promise<Finding> {
  const name = stackName(account.stage.name);
  const isProtected = EnableTerminationProtection === true;
  if (StackStatus === "ROLLBACK_COMPLETE") {
    const fix = deletion(name, isProtected, []);
    return isProtected
      ? problem(`the first deploy of ${name} failed (ROLLBACK_COMPLETE), and the stack is protected.`, fix)
      : // The CDK deletes such a stack itself.
        warning(`the first deploy of ${name} failed (ROLLBACK_COMPLETE); the next one deletes the stack first.`, fix);
  }
  const resources = (await stackResources(account)) ?? [];
  const kept = resources.filter(({ ResourceStatus }) => ResourceStatus === "DELETE_FAILED");
  const names = kept.map(({ LogicalResourceId }) => LogicalResourceId).join(", ");
  return problem(
    `${name} is in ${StackStatus}: AWS could not delete ${names || "all of it"}.`,
    deletion(name, isProtected, kept),
  );
}

async function stateOf(account: Account, stack: Stack): Promise<Finding> {
  const name = stackName(account.stage.name);
  const status = stack.StackStatus as StackStatus;
  switch (ways[status]) {
    case "deploy":
      return ok(`${name} is in ${status}.`);
    case "execute":
      return warning(
        `${name} is in ${status}: a change set was made and not executed. A deploy goes on from there.`,
        `aws cloudformation delete-stack --stack-name ${name}`,
      );
    case "wait":
      return problem(`${name} is in ${status}: another deploy or deletion is under way.`, "wait, then ask again.");
    case "roll back":
      return problem(`${name} is in ${status}: the last deploy failed half-way.`, `npx cdk rollback ${name}`);
    case "delete":
      return await deletable(account, stack);
    default:
      return problem(`${name} is in ${status}, a state that this command does not know.`, "look into the AWS console.");
  }
}

/** Tables that production retains when its stack is deleted. A new stack starts with a new table. */
async function keptTables({ clients, stage }: Account): Promise<Finding[]> {
  const pages = paginateListTables({ client: clients.tables }, {});
  const names = (await asking("dynamodb:ListTables", all(pages))).flatMap(({ TableNames = [] }) => TableNames);
  return names
    .filter((name) => name.startsWith(`${stackName(stage.name)}-`))
    .map((name) =>
      warning(
        `the table ${name} is left of an earlier stack. The new stack makes an empty one.`,
        `aws dynamodb describe-table --table-name ${name} shows how much is in it.`,
      ),
    );
}

export const stack: Check = {
  name: "stack",
  isForDeploy: true,
  look: async (account) => {
    const found = await describedStack(account);
    if (found) return [await stateOf(account, found)];
    return [ok(`there is no ${stackName(account.stage.name)} yet.`), ...(await keptTables(account))];
  },
};
