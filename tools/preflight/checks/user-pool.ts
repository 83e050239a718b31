/** The existing user pool of a stage, if any: whether the service can rely on its accounts. */
import {
  DescribeUserPoolClientCommand,
  DescribeUserPoolCommand,
  type UserPoolClientType,
  type UserPoolType,
} from "@aws-sdk/client-cognito-identity-provider";
import type { ExistingPool } from "../../../lib/stages.ts";
import { isNamed } from "../../kit/failures.ts";
import { type Finding, ok, problem, warning } from "../../kit/finding.ts";
import type { Account, Check } from "../check-kit/account.ts";
import { asking } from "../check-kit/asking.ts";
import { stackOutput } from "../check-kit/stack.ts";

/** `aws cognito-idp update-user-pool` resets unspecified settings, so findings do not suggest it. */
const fix = 'docs/web-app.md, "Settings of the pool".';

/** @returns the response; undefined when the pool or the client does not exist */
async function known<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isNamed(error, "ResourceNotFoundException")) return undefined;
    throw error;
  }
}

/** The pool's pre-sign-up trigger. @param rule the stack's function; undefined before its deploy */
function triggerFinding(asked: string | undefined, rule: string | undefined): Finding {
  if (asked === undefined) {
    const text = "the pool asks no function before a sign-up: Google and a password make two accounts of one email.";
    const when =
      rule === undefined ? "after the deploy, set the function in the output SignUpRuleArn;" : `set ${rule};`;
    return rule === undefined ? warning(text, `${when} ${fix}`) : problem(text, `${when} ${fix}`);
  }
  if (asked === rule) return ok("the pool asks the stack's function before a sign-up.");
  return problem(
    `before a sign-up the pool asks ${asked}, which may confirm accounts and emails without a code.`,
    `set the function in the output SignUpRuleArn in its place; ${fix}`,
  );
}

/** Settings that the service relies on, or that people notice. */
function poolFindings(pool: UserPoolType, rule: string | undefined): Finding[] {
  const triggers = pool.LambdaConfig ?? {};
  const { MinimumLength = 0, ...demands } = pool.Policies?.PasswordPolicy ?? {};
  const kinds = ["RequireLowercase", "RequireUppercase", "RequireNumbers", "RequireSymbols"] as const;
  const isName = [...(pool.UsernameAttributes ?? []), ...(pool.AliasAttributes ?? [])].includes("email");
  const findings: (Finding | false)[] = [
    pool.AutoVerifiedAttributes?.includes("email") !== true &&
      problem("the pool verifies no email, and the service takes no caller without a verified one.", fix),
    triggerFinding(triggers.PreSignUp, rule),
    pool.UserAttributeUpdateSettings?.AttributesRequireVerificationBeforeUpdate?.includes("email") !== true &&
      warning("a changed email counts before it is verified: people can take addresses that are not theirs.", fix),
    (triggers.PreTokenGeneration ?? triggers.PreTokenGenerationConfig?.LambdaArn) !== undefined &&
      warning(
        "a function changes the tokens of the pool.",
        "look into it: email and email_verified must stay as they are.",
      ),
    !isName &&
      warning(
        "people sign in with a name, so two accounts may have one email; the service takes them for one person.",
        "this cannot be changed in a pool. Look for such accounts before the deploy.",
      ),
    pool.UsernameConfiguration?.CaseSensitive !== false &&
      warning(
        "the pool tells upper from lower case in emails, and the service does not.",
        "this cannot be changed in a pool. Look for such accounts before the deploy.",
      ),
    pool.AdminCreateUserConfig?.AllowAdminCreateUserOnly === true &&
      warning("people cannot sign up by themselves (AllowAdminCreateUserOnly).", fix),
    (MinimumLength < 8 || kinds.some((kind) => demands[kind] !== true)) &&
      warning("the password policy is weaker than that of a pool that the stack makes.", fix),
    pool.DeletionProtection !== "ACTIVE" && warning("the pool is not protected against deletion.", fix),
  ];
  return findings.filter((finding) => finding !== false);
}

/** The response contains the client's secret, which no line may contain. */
function clientFindings({ ClientSecret, ExplicitAuthFlows = [], ...client }: UserPoolClientType): Finding[] {
  const others = (client.SupportedIdentityProviders ?? []).filter((name) => name !== "COGNITO");
  // Flows without ALLOW_ are legacy names, with which SRP is allowed.
  const named = ExplicitAuthFlows.filter((flow) => flow.startsWith("ALLOW_"));
  const findings: (Finding | false)[] = [
    ClientSecret === undefined
      ? ok(`the client ${client.ClientId} has no secret.`)
      : problem(
          `the client ${client.ClientId} has a secret, which a browser cannot keep: no person could sign in.`,
          `aws cognito-idp create-user-pool-client --no-generate-secret --client-name web --user-pool-id ${client.UserPoolId}, and its id as identity.existing.clientId in lib/stages.ts.`,
        ),
    named.length > 0 &&
      !named.includes("ALLOW_USER_SRP_AUTH") &&
      problem("the client does not allow ALLOW_USER_SRP_AUTH, with which Amplify signs in.", fix),
    others.length > 0 &&
      warning(
        `people also sign in with ${others.join(", ")}.`,
        "map email_verified of each provider from a claim that says so; aws cognito-idp describe-identity-provider shows the mapping.",
      ),
  ];
  return findings.filter((finding) => finding !== false);
}

async function findings(account: Account, existing: ExistingPool["existing"]): Promise<Finding[]> {
  const { userPoolId: UserPoolId, clientId: ClientId, region } = existing;
  if (region !== account.region) {
    return [
      problem(
        `the pool is in ${region} and the deploy goes to ${account.region}: the pool could not ask the stack's function.`,
        `export AWS_REGION=${region}`,
      ),
    ];
  }
  const { signIn } = account.clients;
  const pool = await known(
    asking("cognito-idp:DescribeUserPool", signIn.send(new DescribeUserPoolCommand({ UserPoolId }))),
  );
  if (!pool?.UserPool) {
    return [
      problem(
        `there is no user pool ${UserPoolId} in this account and region.`,
        "correct identity.existing in lib/stages.ts; aws cognito-idp list-user-pools --max-results 60 shows the pools.",
      ),
    ];
  }
  const rule = await stackOutput(account, "SignUpRuleArn");
  const client = await known(
    asking(
      "cognito-idp:DescribeUserPoolClient",
      signIn.send(new DescribeUserPoolClientCommand({ UserPoolId, ClientId })),
    ),
  );
  return [
    ...poolFindings(pool.UserPool, rule),
    ...(client?.UserPoolClient
      ? clientFindings(client.UserPoolClient)
      : [
          problem(
            `the user pool ${UserPoolId} has no client ${ClientId}.`,
            `correct identity.existing.clientId in lib/stages.ts; aws cognito-idp list-user-pool-clients --user-pool-id ${UserPoolId} shows the clients.`,
          ),
        ]),
  ];
}

export const userPool: Check = {
  name: "user pool",
  isForDeploy: true,
  look: async (account) => {
    const { existing } = account.stage.identity;
    return existing ? findings(account, existing) : [ok("the stack makes it.")];
  },
};
