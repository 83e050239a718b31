/** The host name of the sign-in page: available, or used by this stage. */
import { DescribeUserPoolDomainCommand, type DomainDescriptionType } from "@aws-sdk/client-cognito-identity-provider";
import { signInDomain, stackName } from "../../../lib/stage-names.ts";
import { isNamed } from "../../kit/failures.ts";
import { ok, problem } from "../../kit/finding.ts";
import type { Account, Check } from "../check-kit/account.ts";
import { asking } from "../check-kit/asking.ts";
import { describedStack } from "../check-kit/stack.ts";

/**
 * Cognito returns an empty description when no pool of the account has the domain. Its client also declares
 * `ResourceNotFoundException`.
 * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_DescribeUserPoolDomain.html
 */
async function described({ clients }: Account, domain: string): Promise<DomainDescriptionType> {
  try {
    const request = clients.signIn.send(new DescribeUserPoolDomainCommand({ Domain: domain }));
    const { DomainDescription = {} } = await asking("cognito-idp:DescribeUserPoolDomain", request);
    return DomainDescription;
  } catch (error) {
    if (isNamed(error, "ResourceNotFoundException")) return {};
    throw error;
  }
}

export const signInPage: Check = {
  name: "sign-in page",
  isForDeploy: true,
  look: async (account) => {
    const { identity } = account.stage;
    if (identity.existing) return [ok("the stage uses an existing user pool, which has its own page.")];
    const domain = signInDomain(identity, account.id);
    const { UserPoolId: pool } = await described(account, domain);
    if (pool === undefined) return [ok(`no user pool of the account has the domain ${domain}.`)];
    const outputs = (await describedStack(account))?.Outputs ?? [];
    const own = outputs.find(({ OutputKey }) => OutputKey === "UserPoolId")?.OutputValue;
    if (pool === own) return [ok(`the domain ${domain} belongs to ${stackName(account.stage.name)}.`)];
    return [
      problem(
        `the domain ${domain} belongs to the user pool ${pool}, which is not of this stack.`,
        `aws cognito-idp delete-user-pool-domain --domain ${domain} --user-pool-id ${pool}, or another identity.domainPrefix in lib/stages.ts.`,
      ),
    ];
  },
};
