/** Each check before a deploy: the good answer, and each problem with its line. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import type { StageConfig } from "../../../lib/stages.ts";
import { accountPlan } from "../checks/account-plan.ts";
import { alarms } from "../checks/alarms.ts";
import { apiAddress } from "../checks/api-address.ts";
import { functions } from "../checks/functions.ts";
import { mail, mailSender } from "../checks/mail.ts";
import { publicImages } from "../checks/public-images.ts";
import { chatSecret, paymentsSecret } from "../checks/secrets.ts";
import { signInPage } from "../checks/sign-in-page.ts";
import { stack } from "../checks/stack.ts";
import { again, giveLink } from "../mends/alarm-subscription.ts";
import {
  awsError,
  clubProduction,
  clubStaging,
  given,
  givenAccount,
  givenNoStack,
  givenPlan,
  linesOf,
  noStack,
  readyIdentity,
} from "./account.ts";

beforeEach(givenAccount);

describe("stack", () => {
  const state = (StackStatus: string, EnableTerminationProtection = true) =>
    given("DescribeStacks", { Stacks: [{ StackStatus, EnableTerminationProtection }] });
  const unprotect =
    "aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ClubEvents-staging";
  const remove = "aws cloudformation delete-stack --stack-name ClubEvents-staging";

  test("tables of an earlier stack are named; tables of other stacks are not", async () => {
    given("DescribeStacks", noStack);
    given("ListTables", ({ ExclusiveStartTableName: from }) =>
      from
        ? { TableNames: ["Other", "ClubEvents-staging-Table1-A"] }
        : { TableNames: ["ClubEvents-production-Table1-B"], LastEvaluatedTableName: "ClubEvents-production-Table1-B" },
    );
    expect(await linesOf(stack)).toEqual([
      "ok       stack: there is no ClubEvents-staging yet.",
      "warning  stack: the table ClubEvents-staging-Table1-A is left of an earlier stack. The new stack makes an empty one. Fix: aws dynamodb describe-table --table-name ClubEvents-staging-Table1-A shows how much is in it.",
    ]);
  });

  test.each(["CREATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE"])("%s: a deploy can go on", async (status) => {
    state(status);
    expect(await linesOf(stack)).toEqual([`ok       stack: ClubEvents-staging is in ${status}.`]);
  });

  test.each([
    [
      "ROLLBACK_COMPLETE",
      `problem  stack: the first deploy of ClubEvents-staging failed (ROLLBACK_COMPLETE), and the stack is protected. Fix: ${unprotect} && ${remove}`,
    ],
    [
      "REVIEW_IN_PROGRESS",
      `warning  stack: ClubEvents-staging is in REVIEW_IN_PROGRESS: a change set was made and not executed. A deploy goes on from there. Fix: ${remove}`,
    ],
    [
      "UPDATE_IN_PROGRESS",
      "problem  stack: ClubEvents-staging is in UPDATE_IN_PROGRESS: another deploy or deletion is under way. Fix: wait, then ask again.",
    ],
    [
      "UPDATE_ROLLBACK_FAILED",
      "problem  stack: ClubEvents-staging is in UPDATE_ROLLBACK_FAILED: the last deploy failed half-way. Fix: npx cdk rollback ClubEvents-staging",
    ],
    [
      "NEW_STATE",
      "problem  stack: ClubEvents-staging is in NEW_STATE, a state that this command does not know. Fix: look into the AWS console.",
    ],
  ])("%s", async (status, line) => {
    state(status);
    expect(await linesOf(stack)).toEqual([line]);
  });

  test.each(["DELETE_FAILED"])("%s: the resources that AWS kept, and what releases them", async (status) => {
    state(status);
    const failed = (LogicalResourceId: string, ResourceType: string, PhysicalResourceId: string) => ({
      LogicalResourceId,
      ResourceType,
      PhysicalResourceId,
      ResourceStatus: "DELETE_FAILED",
    });
    given("ListStackResources", {
      StackResourceSummaries: [
        failed("Table1", "AWS::DynamoDB::Table", "T"),
        failed("Pool1", "AWS::Cognito::UserPool", "P"),
        failed("Bucket1", "AWS::S3::Bucket", "b"),
        failed("Bus1", "AWS::Events::EventBus", "E"),
        { ...failed("Role1", "AWS::IAM::Role", "R"), ResourceStatus: "DELETE_COMPLETE" },
      ],
    });
    const release =
      "aws dynamodb update-table --no-deletion-protection-enabled --table-name T && aws cognito-idp update-user-pool --deletion-protection INACTIVE --user-pool-id P && aws s3 rm --recursive s3://b";
    expect(await linesOf(stack)).toEqual([
      `problem  stack: ClubEvents-staging is in ${status}: AWS could not delete Table1, Pool1, Bucket1, Bus1. Fix: ${release} && ${unprotect} && ${remove}`,
    ]);
  });
});

describe("mail sender", () => {
  test.each([
    [
      {
        VerifiedForSendingStatus: false,
        VerificationStatus: "PENDING",
        DkimAttributes: { Tokens: ["a1", "b2"] },
        MailFromAttributes: { MailFromDomain: "bounce.staging.bizclub.ca", MailFromDomainStatus: "PENDING" },
      },
      'problem  mail sender: SES has not verified staging.bizclub.ca (PENDING). Fix: enter in the DNS a1._domainkey.staging.bizclub.ca CNAME a1.dkim.amazonses.com, b2._domainkey.staging.bizclub.ca CNAME b2.dkim.amazonses.com, bounce.staging.bizclub.ca MX 10 feedback-smtp.ca-central-1.amazonses.com, bounce.staging.bizclub.ca TXT "v=spf1 include:amazonses.com ~all".',
    ],
    [
      awsError("NotFoundException"),
      "problem  mail sender: SES has no identity staging.bizclub.ca; the deploy would fail. Fix: npm run once -- delivery deploy ClubMail-staging; then this command prints the DNS records.",
    ],
  ])("%j", async (answer, line) => {
    given("GetEmailIdentity", ({ EmailIdentity }) =>
      EmailIdentity === "staging.bizclub.ca" ? answer : { EmailIdentity },
    );
    expect(await linesOf(mailSender)).toEqual([line]);
  });

  const ready = {
    ...readyIdentity("staging.bizclub.ca"),
    DkimAttributes: { SigningEnabled: true, Status: "SUCCESS", Tokens: ["a1", "b2", "c3"] },
  };
  const mailFrom = ready.MailFromAttributes;
  const isVerified = "ok       mail sender: SES may send from staging.bizclub.ca.";
  const isSigned = "ok       mail sender: SES signs the mails of staging.bizclub.ca (DKIM).";
  const hasMailFrom = "ok       mail sender: the MAIL FROM domain is bounce.staging.bizclub.ca.";
  const tokens = ["a1", "b2", "c3"];
  const dkim = tokens.map((token) => `${token}._domainkey.staging.bizclub.ca CNAME ${token}.dkim.amazonses.com`);
  const records = `Fix: enter in the DNS ${dkim.join(", ")}.`;
  const fix = 'Fix: docs/deploy.md, "Mail identity", has the command.';
  const bounce = "bounce.staging.bizclub.ca";
  const spf = `Fix: enter in the DNS ${bounce} MX 10 feedback-smtp.ca-central-1.amazonses.com, ${bounce} TXT "v=spf1 include:amazonses.com ~all".`;
  const unsigned = (state: string) =>
    `problem  mail sender: the mails of staging.bizclub.ca are not signed (DKIM: ${state}), so mail providers call them spam. ${records}`;
  const notFound = "SES does not find the records of the MAIL FROM domain bounce.staging.bizclub.ca";
  const noMailFrom = `warning  mail sender: staging.bizclub.ca has no MAIL FROM domain, so SPF is not the club's. ${fix}`;

  test.each<[string, object, string[]]>([
    ["all is there", {}, [isSigned, hasMailFrom]],
    [
      "the DKIM records are gone",
      { DkimAttributes: { SigningEnabled: true, Status: "FAILED", Tokens: tokens } },
      [unsigned("FAILED"), hasMailFrom],
    ],
    ["there is no MAIL FROM domain", { MailFromAttributes: undefined }, [isSigned, noMailFrom]],
    [
      "its records are missing",
      { MailFromAttributes: { ...mailFrom, MailFromDomainStatus: "PENDING" } },
      [isSigned, `warning  mail sender: ${notFound} (PENDING), so SPF is not the club's. ${spf}`],
    ],
    [
      "its records are missing, and SES must not send without them",
      {
        MailFromAttributes: { ...mailFrom, MailFromDomainStatus: "FAILED", BehaviorOnMxFailure: "REJECT_MESSAGE" },
      },
      [isSigned, `problem  mail sender: ${notFound} (FAILED), and sends no mail without them. ${spf}`],
    ],
  ])("a verified domain: %s", async (_, change, lines) => {
    given("GetEmailIdentity", { ...ready, ...change });
    expect(await linesOf(mailSender)).toEqual([isVerified, ...lines]);
  });
});

describe("mail", () => {
  const account = (change: object, quota: object = {}) =>
    given("GetAccount", {
      ProductionAccessEnabled: true,
      SendingEnabled: true,
      EnforcementStatus: "HEALTHY",
      ...change,
      SendQuota: { MaxSendRate: 14, Max24HourSend: 50_000, SentLast24Hours: 0, ...quota },
    });
  const rateMend =
    "Fix: lower campaigns.mailsPerSecond in lib/stages.ts, or ask Service Quotas (SES, sending rate) for more.";
  const all = "ok       mail: SES sends to all people.";
  const rate = "ok       mail: the sending rate is 14 a second; campaigns use 10.";
  const day = "ok       mail: 50000 of 50000 mails are left for 24 hours.";
  const reason = "Fix: the SES console names the reason; answer there, or ask AWS Support.";

  test.each<[string, object, object, string[]]>([
    ["ready", {}, {}, [all, rate, day]],
    [
      "stopped",
      { SendingEnabled: false, EnforcementStatus: "SHUTDOWN" },
      {},
      [`problem  mail: SES has stopped all mails of this account (SHUTDOWN). ${reason}`, rate, day],
    ],
    [
      "reviewed",
      { EnforcementStatus: "PROBATION" },
      {},
      [`warning  mail: SES reviews this account (PROBATION) and may stop its mails. ${reason}`, all, rate, day],
    ],
    [
      "used up",
      {},
      { SentLast24Hours: 50_000 },
      [
        all,
        rate,
        "problem  mail: the 50000 mails of 24 hours are used up. Fix: ask Service Quotas (SES, sending quota) for more.",
      ],
    ],
    [
      "slower than campaigns",
      {},
      { MaxSendRate: 5 },
      [all, `problem  mail: the sending rate is 5 a second; campaigns alone send 10. ${rateMend}`, day],
    ],
    [
      "as fast as campaigns",
      {},
      { MaxSendRate: 10 },
      [
        all,
        `warning  mail: the sending rate is 10 a second and campaigns use all of it: tickets and sign-up codes wait. ${rateMend}`,
        day,
      ],
    ],
  ])("%s", async (_name, change, quota, lines) => {
    account(change, quota);
    expect(await linesOf(mail, clubProduction)).toEqual(lines);
  });

  test("the sandbox is a warning for staging and a problem for production", async () => {
    account({ ProductionAccessEnabled: false }, { MaxSendRate: 1, Max24HourSend: 200 });
    const text =
      'mail: the account is in the sandbox of SES: mails reach only verified addresses. Fix: ask for production access in the SES console, "Account dashboard".';
    expect(await linesOf(mail)).toEqual([
      `warning  ${text}`,
      "ok       mail: the sending rate is 1 a second; campaigns use 1.",
    ]);
    expect(await linesOf(mail, clubProduction)).toEqual([
      `problem  ${text}`,
      `problem  mail: the sending rate is 1 a second; campaigns alone send 10. ${rateMend}`,
    ]);
  });
});

describe("account plan", () => {
  const free = {
    accountPlanType: "FREE",
    accountPlanStatus: "ACTIVE",
    accountPlanExpirationDate: "2027-05-01T00:00:00Z",
    accountPlanRemainingCredits: { amount: 80, unit: "USD" },
  } as const;

  test("the Free plan ends the account: a warning for staging and a problem for production", async () => {
    givenPlan(async () => free);
    const text =
      "account plan: the account has the Free plan: on 2027-05-01, or with its last 80 USD of credits, AWS closes it, with all data and backups. Fix: aws freetier upgrade-account-plan --account-plan-type PAID --region us-east-1";
    expect(await linesOf(accountPlan)).toEqual([`warning  ${text}`]);
    expect(await linesOf(accountPlan, clubProduction)).toEqual([`problem  ${text}`]);
  });

  test.each<[string, () => Promise<object>, RegExp]>([
    ["paid", async () => ({ accountPlanType: "PAID" }), /^ok {7}account plan: the account has a paid plan\.$/],
    ["unknown", async () => ({}), /^warning .*does not tell/],
    ["older", () => Promise.reject(awsError("ResourceNotFoundException")), /^ok .*older than/],
    ["no command line", () => Promise.reject(new Error("spawn aws ENOENT")), /^warning .*missing or too old/],
    ["denied", () => Promise.reject(awsError("AccessDeniedException")), /^problem .*freetier:GetAccountPlanState/],
  ])("%s", async (_name, answer, line) => {
    givenPlan(answer);
    expect(await linesOf(accountPlan)).toEqual([expect.stringMatching(line)]);
  });
});

describe("functions", () => {
  const fix = (value: number) =>
    `Fix: aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${value}`;

  test.each<[number, number, StageConfig, string]>([
    [1_000, 1_000, clubProduction, "ok       functions: 1000 functions may run at once."],
    [10, 10, clubStaging, `warning  functions: 10 functions may run at once; a rush needs 1000. ${fix(1_000)}`],
    [10, 10, clubProduction, `problem  functions: 10 functions may run at once; a rush needs 1000. ${fix(1_000)}`],
    // Another application has reserved 300.
    [1_000, 700, clubProduction, `warning  functions: 700 functions may run at once; a rush needs 1000. ${fix(1_300)}`],
  ])("%d in all, %d free", async (ConcurrentExecutions, UnreservedConcurrentExecutions, stage, line) => {
    given("GetAccountSettings", { AccountLimit: { ConcurrentExecutions, UnreservedConcurrentExecutions } });
    expect(await linesOf(functions, stage)).toEqual([line]);
  });
});

describe("API address", () => {
  const own = (region: string): StageConfig => ({
    ...clubStaging,
    domainName: "api.bizclub.ca",
    certificateArn: `arn:aws:acm:${region}:123456789012:certificate/1-2`,
  });

  test("needs a certificate in the region of the stack", async () => {
    expect(await linesOf(apiAddress, own("ca-central-1"))).toEqual([
      "ok       API address: api.bizclub.ca, with a certificate of ca-central-1.",
    ]);
    expect(await linesOf(apiAddress, own("us-east-1"))).toEqual([
      "problem  API address: the certificate of api.bizclub.ca is in us-east-1, and the stack in ca-central-1. Fix: aws acm request-certificate --region ca-central-1 --domain-name api.bizclub.ca --validation-method DNS",
    ]);
  });
});

describe("public images", () => {
  const block = (change: object) => ({
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: true,
      IgnorePublicAcls: true,
      BlockPublicPolicy: false,
      RestrictPublicBuckets: false,
      ...change,
    },
  });
  const allowed = "ok       public images: the account allows public buckets.";
  const fix =
    "Fix: aws s3control put-public-access-block --account-id 123456789012 --public-access-block-configuration BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=false,RestrictPublicBuckets=false";

  test.each([
    ["only ACLs are blocked", block({}), allowed],
    [
      "policies are blocked",
      block({ BlockPublicPolicy: true, RestrictPublicBuckets: true }),
      `problem  public images: the account blocks public buckets (BlockPublicPolicy, RestrictPublicBuckets): the deploy would fail. ${fix}`,
    ],
    [
      "buckets are restricted",
      block({ RestrictPublicBuckets: true }),
      `problem  public images: the account blocks public buckets (RestrictPublicBuckets): people would see no banners. ${fix}`,
    ],
  ])("%s", async (_name, answer, line) => {
    given("GetPublicAccessBlock", answer);
    expect(await linesOf(publicImages)).toEqual([line]);
  });
});

describe("sign-in page", () => {
  const domain = "club-events-staging-123456789012";

  test.each([
    ["an empty description", { DomainDescription: {} }],
    ["an error", awsError("ResourceNotFoundException")],
  ])("is free: %s", async (_name, answer) => {
    given("DescribeUserPoolDomain", ({ Domain }) => (Domain === domain ? answer : { Domain }));
    expect(await linesOf(signInPage)).toEqual([
      `ok       sign-in page: no user pool of the account has the domain ${domain}.`,
    ]);
  });

  test.each([
    ["a foreign pool", () => given("DescribeUserPoolDomain", { DomainDescription: { UserPoolId: "P" } }), "P"],
    ["a pool of a deleted stack", () => given("DescribeStacks", noStack), "ca-central-1_own"],
  ])("belongs to %s", async (_name, prepare, pool) => {
    prepare();
    expect(await linesOf(signInPage)).toEqual([
      `problem  sign-in page: the domain ${domain} belongs to the user pool ${pool}, which is not of this stack. Fix: aws cognito-idp delete-user-pool-domain --domain ${domain} --user-pool-id ${pool}, or another identity.domainPrefix in lib/stages.ts.`,
    ]);
  });
});

describe("secrets", () => {
  const stores = (text: string) => given("GetSecretValue", { SecretString: text });
  const key = (apiKey: string) => JSON.stringify({ apiKey, webhookSecrets: ["whsec_Confidential"] });
  const name = "club-events/staging/payments";
  const put = `Fix: aws secretsmanager put-secret-value --secret-id ${name} --secret-string '{"apiKey":"sk_test_…","webhookSecrets":["whsec_…"]}'`;
  const absent = awsError("ResourceNotFoundException");
  const atStripe = [
    "ok       payments: the stored key may read sessions, refunds and the balance at Stripe.",
    "ok       payments: Stripe pays out by itself: daily.",
    "ok       payments: Stripe sends https://api.test/payments/webhook all 14 events of the service.",
  ];

  test("of production are stored, two of the webhook during a change", async () => {
    expect(await linesOf(paymentsSecret, clubProduction)).toEqual([
      "ok       payments: the payments secret club-events/production/payments has a key of the live mode and webhook secrets: 2.",
      ...atStripe,
    ]);
  });

  test.each([
    [
      "sk_live_Confidential",
      clubStaging,
      /^problem {2}payments: the secret \S+ cannot be used: The payments secret of staging has a live key: /,
    ],
    [
      "sk_test_Confidential",
      clubProduction,
      /^problem {2}payments: the secret \S+ cannot be used: The payments secret of production has a key of the test mode: /,
    ],
  ])("%s", async (apiKey, stage, line) => {
    stores(key(apiKey));
    const lines = await linesOf(paymentsSecret, stage);
    expect(lines.filter((one) => !atStripe.includes(one))).toEqual([expect.stringMatching(line)]);
    expect(lines.join()).not.toContain("Confidential");
  });

  test.each([
    [key("pk_test_Confidential"), "The payments secret has no apiKey that starts with sk_ or rk_."],
    [
      '{"apiKey":"sk_test_Confidential"}',
      "The payments secret has no webhookSecrets: one or two that start with whsec_.",
    ],
  ])("%s is malformed", async (text, problem) => {
    stores(text);
    expect(await linesOf(paymentsSecret)).toEqual([
      `problem  payments: the secret ${name} cannot be used: ${problem} ${put}`,
    ]);
  });

  test("without a payments secret no person can pay: a problem only after the first deploy", async () => {
    given("GetSecretValue", absent);
    expect(await linesOf(paymentsSecret)).toEqual([
      `problem  payments: there is no payments secret ${name}: no person can pay. Fix: aws secretsmanager create-secret --name ${name} --secret-string '{"apiKey":"sk_test_…","webhookSecrets":["whsec_…"]}'`,
    ]);
    const before = `warning  payments: there is no payments secret ${name}: no person can pay. Fix: store it after the deploy: docs/deploy.md, "After the first deploy".`;
    givenNoStack();
    expect(await linesOf(paymentsSecret)).toEqual([before]);
    given("DescribeStacks", { Stacks: [{ StackStatus: "ROLLBACK_COMPLETE" }] });
    expect(await linesOf(paymentsSecret)).toEqual([before]);
  });

  test("the chat's secret must be there before the deploy", async () => {
    given("GetSecretValue", absent);
    expect(await linesOf(chatSecret)).toEqual([
      "problem  chat: there is no chat secret club-events/staging/chat-webhook: every message to the chat would fail. Fix: aws secretsmanager create-secret --name club-events/staging/chat-webhook --secret-string 'https://hooks.…', or remove chatWebhookSecret of the stage in lib/stages.ts.",
    ]);
    const { chatWebhookSecret, ...noChat } = clubStaging;
    expect(await linesOf(chatSecret, noChat)).toEqual(["ok       chat: the stage has no chat."]);
  });

  test.each(["http://hooks.chat.test/Confidential"])("%s is no address of a chat", async (text) => {
    stores(text);
    expect(await linesOf(chatSecret)).toEqual([
      "problem  chat: the secret club-events/staging/chat-webhook cannot be used: The chat secret is no https address. Fix: aws secretsmanager put-secret-value --secret-id club-events/staging/chat-webhook --secret-string 'https://hooks.…'",
    ]);
  });
});

describe("alarms", () => {
  const topic = "arn:aws:sns:ca-central-1:123456789012:Alarms";
  const subscriptions = (...all: [arn: string, address: string][]) =>
    given("ListSubscriptionsByTopic", {
      Subscriptions: all.map(([SubscriptionArn, Endpoint]) => ({ SubscriptionArn, Endpoint })),
    });

  test("reach no person before the subscription is confirmed", async () => {
    subscriptions(["PendingConfirmation", "execs@bizclub.ca"], [`${topic}:1`, "dev@bizclub.ca"]);
    const text = `alarms: execs@bizclub.ca has not confirmed the subscription of ${topic}. Fix: ${giveLink}`;
    expect(await linesOf(alarms)).toEqual([`warning  ${text}`]);
    expect(await linesOf(alarms, clubProduction)).toEqual([`problem  ${text}`]);
  });

  test("may be ended by anybody who gets a mail, unless the account has confirmed the subscription", async () => {
    subscriptions([`${topic}:1`, "execs@bizclub.ca"], [`${topic}:2`, "dev@bizclub.ca"]);
    given("GetSubscriptionAttributes", ({ SubscriptionArn }) => ({
      Attributes: { ConfirmationWasAuthenticated: String(SubscriptionArn === `${topic}:2`) },
    }));
    expect(await linesOf(alarms, clubProduction)).toEqual([
      `warning  alarms: the link in any alarm's mail ends the subscription of execs@bizclub.ca. Fix: ${again(topic)} Then ${giveLink}`,
    ]);
  });

  test.each([
    ["no subscription", []],
    ["an ended one", [["Deleted", "execs@bizclub.ca"]]],
  ] as [string, [string, string][]][])("reach no person: %s", async (_name, all) => {
    subscriptions(...all);
    expect(await linesOf(alarms)).toEqual([
      `warning  alarms: the topic ${topic} has no subscription; SNS removes one that was not confirmed within 48 hours. Fix: aws sns subscribe --topic-arn ${topic} --protocol email --notification-endpoint <address>`,
    ]);
  });
});
