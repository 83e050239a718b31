/** The command before a deploy: its lines, its exit code, and what it says when it cannot ask. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import { preflightReads } from "../../../lib/delivery/permissions.ts";
import { chosenRegion } from "../../kit/region.ts";
import { preflight } from "../command.ts";
import {
  awsError,
  clubProduction,
  clubStaging,
  given,
  givenAccount,
  givenNoStack,
  type Request,
  region,
} from "./account.ts";

beforeEach(givenAccount);

async function run(args = ["staging"], stages = [clubStaging, clubProduction]) {
  const lines: string[] = [];
  const code = await preflight(args, (line) => lines.push(line), { AWS_REGION: region }, stages);
  return { code, lines };
}

test("a stage without a problem: one line for each check, and exit code 0", async () => {
  expect(await run()).toEqual({
    code: 0,
    lines: [
      "ok       region: ca-central-1.",
      "ok       credentials: account 123456789012, as arn:aws:iam::123456789012:user/ada.",
      "ok       account plan: the account has a paid plan.",
      "ok       earlier table: ClubEvents-staging is there, with its own table.",
      "ok       mail sender: SES may send from staging.bizclub.ca.",
      "ok       mail sender: SES signs the mails of staging.bizclub.ca (DKIM).",
      "ok       mail sender: the MAIL FROM domain is bounce.staging.bizclub.ca.",
      "ok       mail: SES sends to all people.",
      "ok       mail: the sending rate is 14 a second; campaigns use 1.",
      "ok       mail: 49900 of 50000 mails are left for 24 hours.",
      "ok       functions: 1000 functions may run at once.",
      "ok       API address: the one that AWS gives the API.",
      "ok       public images: the account allows public buckets.",
      "ok       user pool: the stack makes it.",
      "ok       chat: the secret club-events/staging/chat-webhook has an https address.",
      "ok       payments: the secret club-events/staging/payments has a key of the test mode and webhook secrets: 1.",
      "ok       payments: the stored key may read sessions, refunds and the balance at Stripe.",
      "ok       payments: Stripe pays out by itself: daily.",
      "ok       payments: Stripe sends https://api.test/payments/webhook all 14 events of the service.",
      "ok       alarms: confirmed subscriptions of arn:aws:sns:ca-central-1:123456789012:Alarms: 1.",
      "0 problems, 0 warnings",
    ],
  });
});

test("warnings leave the exit code at 0: a new account before the first deploy of staging", async () => {
  givenNoStack();
  given("GetAccountSettings", { AccountLimit: { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 } });
  given("GetAccount", { ProductionAccessEnabled: false, SendQuota: { MaxSendRate: 1, Max24HourSend: 200 } });
  given("GetSecretValue", ({ SecretId = "" }) =>
    SecretId.endsWith("payments") ? awsError("ResourceNotFoundException") : { SecretString: "https://hooks.chat.test" },
  );
  const { code, lines } = await run();
  expect(lines.filter((line) => !line.startsWith("ok"))).toEqual([
    expect.stringMatching(/^warning {2}mail: .*sandbox/),
    expect.stringMatching(/^warning {2}functions: 10 /),
    expect.stringMatching(/^warning {2}payments: there is no payments secret/),
    "0 problems, 3 warnings",
  ]);
  expect(code).toBe(0);
});

test("a deploy of a running stage waits neither for SES nor for secrets of the service: problems of a deploy stay", async () => {
  given("GetAccount", { EnforcementStatus: "SHUTDOWN", ProductionAccessEnabled: true, SendQuota: { MaxSendRate: 14 } });
  given("GetEmailIdentity", awsError("NotFoundException"));
  given("GetSecretValue", awsError("AccessDeniedException"));
  given("GetAccountSettings", { AccountLimit: { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 } });
  const problems = async (args: string[]) => {
    const { code, lines } = await run(args);
    const checks = lines.filter((line) => line.startsWith("problem")).map((line) => line.split(/ +|:/)[1]);
    return { code, checks };
  };
  expect(await problems(["staging"])).toMatchObject({ code: 1, checks: ["mail", "mail", "mail", "chat", "payments"] });
  expect(await problems(["staging", "--deploy"])).toEqual({ code: 0, checks: [] });
  given("GetPublicAccessBlock", { PublicAccessBlockConfiguration: { BlockPublicPolicy: true } });
  expect(await problems(["staging", "--deploy"])).toEqual({ code: 1, checks: ["public"] });
});

describe("a missing permission is named, and the other checks go on:", () => {
  const requests: [Request, string, string][] = [
    ["DescribeStacks", "earlier table", "cloudformation:DescribeStacks"],
    ["GetEmailIdentity", "mail sender", "ses:GetEmailIdentity"],
    ["GetAccount", "mail", "ses:GetAccount"],
    ["GetAccountSettings", "functions", "lambda:GetAccountSettings"],
    ["GetPublicAccessBlock", "public images", "s3:GetAccountPublicAccessBlock"],
    ["GetSecretValue", "payments", "secretsmanager:GetSecretValue"],
    ["ListStackResources", "alarms", "cloudformation:ListStackResources"],
    ["GetSubscriptionAttributes", "alarms", "sns:GetSubscriptionAttributes"],
    ["ListSubscriptionsByTopic", "alarms", "sns:ListSubscriptionsByTopic"],
  ];

  test.each(requests)("%s (%s)", async (request, check, action) => {
    given(request, awsError("AccessDenied", "User: ada is not authorized"));
    const { code, lines } = await run();
    expect(lines).toContain(
      `problem  ${check}: cannot be checked: these credentials have no permission for ${action}. Fix: allow it; lib/delivery/permissions.ts has what it needs.`,
    );
    expect(lines.filter((other) => other.startsWith("ok")).length).toBeGreaterThanOrEqual(12);
    expect(code).toBe(1);
  });

  test("the permissions of the delivery are these actions and those of other tests", () => {
    const others = [
      "cognito-idp:DescribeUserPool",
      "cognito-idp:DescribeUserPoolClient",
      "dynamodb:ListTables",
      "freetier:GetAccountPlanState",
      "sts:GetCallerIdentity",
    ];
    const needed = new Set([...requests.map(([, , action]) => action), ...others]);
    expect([...preflightReads, "secretsmanager:GetSecretValue"].sort()).toEqual([...needed].sort());
  });
});

describe("without credentials it says so once and stops:", () => {
  test.each([
    ["ExpiredToken", "", "the credentials have expired. Fix: aws sso login, or take new credentials."],
    [
      "CredentialsProviderError",
      "The SSO session associated with this profile has expired.",
      "the credentials have expired. Fix: aws sso login, or take new credentials.",
    ],
    [
      "CredentialsProviderError",
      "Could not load credentials from any providers",
      "there are no credentials. Fix: export AWS_PROFILE=<profile>, or aws configure sso.",
    ],
    [
      "TimeoutError",
      "",
      "AWS does not answer in ca-central-1 (TimeoutError). Fix: check the network and the name of the region.",
    ],
  ])("%s %s", async (name, message, text) => {
    given("GetCallerIdentity", awsError(name, message));
    expect(await run()).toEqual({
      code: 1,
      lines: ["ok       region: ca-central-1.", `problem  credentials: ${text}`, "1 problem, 0 warnings"],
    });
  });
});

describe("region", () => {
  const none = async (): Promise<string> => {
    throw new Error("Region is missing");
  };
  const profile = async () => "eu-west-1";

  test.each([
    [{ AWS_REGION: "ca-central-1" }, profile, "ca-central-1", "ok"],
    [{ AWS_DEFAULT_REGION: "us-west-2" }, profile, "us-west-2", "ok"],
    [{}, profile, "eu-west-1", "ok"],
    [{ AWS_REGION: "ca-central-1", AWS_DEFAULT_REGION: "us-west-2" }, none, "ca-central-1", "problem"],
  ])("%j", async (environment, ofProfile, chosen, level) => {
    expect(await chosenRegion(environment, ofProfile)).toMatchObject({ region: chosen, finding: { level } });
  });

  test("none: the CDK would choose one without a word", async () => {
    expect(await chosenRegion({ AWS_REGION: "" }, none)).toEqual({
      finding: {
        level: "problem",
        text: "no region is configured; the CDK would take us-east-1.",
        fix: "export AWS_REGION=<region>",
      },
    });
  });
});

describe("wrong use", () => {
  const usage = "Usage: npm run preflight -- <staging|production> [--deploy] | --github";

  test.each([
    [[], usage],
    [["local"], `There is no stage "local" in AWS. ${usage}`],
    [["staging", "--github"], `--github asks about the repository: leave out the rest. ${usage}`],
    [["staging", "--deply"], expect.stringMatching(/--deply.*Usage/)],
  ])("%j: one line, exit code 2, and no question to AWS", async (args, line) => {
    given("GetCallerIdentity", awsError("Asked"));
    expect(await run(args)).toEqual({ code: 2, lines: [line] });
  });
});
