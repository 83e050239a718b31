/** What each check finds. Its lines for an account in which all is ready are in preflight.test.ts. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import type { StageConfig } from "../../../lib/stages.ts";
import type { Check } from "../check-kit/account.ts";
import { accountPlan } from "../checks/account-plan.ts";
import { alarms } from "../checks/alarms.ts";
import { apiAddress } from "../checks/api-address.ts";
import { earlierTable } from "../checks/earlier-table.ts";
import { functions } from "../checks/functions.ts";
import { mail, mailSender } from "../checks/mail.ts";
import { publicImages } from "../checks/public-images.ts";
import { chatSecret, paymentsSecret } from "../checks/secrets.ts";
import {
  awsError,
  clubProduction,
  clubStaging,
  given,
  givenAccount,
  givenNoStack,
  givenPlan,
  linesOf,
  type Request,
  readyIdentity,
} from "./account.ts";

beforeEach(givenAccount);

/** What the check says that is not `ok`. */
const found = async (check: Check, stage?: StageConfig): Promise<string[]> =>
  (await linesOf(check, stage)).filter((line) => !line.startsWith("ok "));

const one = (line: RegExp) => [expect.stringMatching(line)];

test("a table of an earlier stack is named before the first deploy; tables of other stacks are not", async () => {
  const tables = (...TableNames: string[]) => given("ListTables", { TableNames });
  tables("Other", "ClubEvents-staging-Table1-A", "ClubEvents-production-Table1-B");
  expect(await found(earlierTable)).toEqual([]);
  givenNoStack();
  expect(await found(earlierTable)).toEqual(one(/^warning .*the table ClubEvents-staging-Table1-A is left.*Fix: aws/));
  tables("Other");
  expect(await found(earlierTable)).toEqual([]);
});

describe("mail sender", () => {
  const ready = readyIdentity("staging.bizclub.ca");
  const mailFrom = ready.MailFromAttributes;
  const keys = { Tokens: ["a1", "b2"] };
  const dkim =
    "a1._domainkey.staging.bizclub.ca CNAME a1.dkim.amazonses.com, b2._domainkey.staging.bizclub.ca CNAME b2.dkim.amazonses.com";
  const spf =
    'bounce.staging.bizclub.ca MX 10 feedback-smtp.ca-central-1.amazonses.com, bounce.staging.bizclub.ca TXT "v=spf1 include:amazonses.com ~all"';
  const enter = "Fix: enter in the DNS";

  test.each<[string, object, string, string]>([
    [
      "no identity",
      awsError("NotFoundException"),
      "problem  mail sender: SES has no identity",
      "delivery deploy ClubMail-staging;",
    ],
    [
      "not verified",
      {
        VerifiedForSendingStatus: false,
        VerificationStatus: "PENDING",
        DkimAttributes: keys,
        MailFromAttributes: { ...mailFrom, MailFromDomainStatus: "PENDING" },
      },
      "problem  mail sender: SES has not verified staging.bizclub.ca (PENDING).",
      `${enter} ${dkim}, ${spf}.`,
    ],
    [
      "the DKIM records are gone",
      { ...ready, DkimAttributes: { SigningEnabled: true, Status: "FAILED", ...keys } },
      "problem  mail sender: the mails of staging.bizclub.ca are not signed (DKIM: FAILED)",
      `${enter} ${dkim}.`,
    ],
    [
      "no MAIL FROM domain",
      { ...ready, MailFromAttributes: undefined },
      "warning ",
      '"Mail identity", has the command.',
    ],
    [
      "its records are missing",
      { ...ready, MailFromAttributes: { ...mailFrom, MailFromDomainStatus: "PENDING" } },
      "warning  mail sender: SES does not find the records of the MAIL FROM domain bounce.staging.bizclub.ca (PENDING)",
      `${enter} ${spf}.`,
    ],
    [
      "its records are missing, and SES must not send without them",
      {
        ...ready,
        MailFromAttributes: {
          ...mailFrom,
          MailFromDomainStatus: "FAILED",
          BehaviorOnMxFailure: "REJECT_MESSAGE",
        },
      },
      "problem ",
      `${enter} ${spf}.`,
    ],
  ])("%s", async (_, answer, begins, ends) => {
    given("GetEmailIdentity", ({ EmailIdentity }) => (EmailIdentity === "staging.bizclub.ca" ? answer : ready));
    const [line = "", ...more] = await found(mailSender);
    expect({ begins: line.slice(0, begins.length), ends: line.includes(ends), more }).toEqual({
      begins,
      ends: true,
      more: [],
    });
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

  test.each<[string, object, object, RegExp]>([
    ["stopped", { SendingEnabled: false, EnforcementStatus: "SHUTDOWN" }, {}, /^problem .*has stopped all mails/],
    ["reviewed", { EnforcementStatus: "PROBATION" }, {}, /^warning .*PROBATION/],
    ["used up", {}, { SentLast24Hours: 50_000 }, /^problem .*the 50000 mails of 24 hours are used up/],
    ["nearly used up", {}, { SentLast24Hours: 49_000 }, /^warning .*1000 of 50000 mails are left/],
    ["slower than campaigns", {}, { MaxSendRate: 5 }, /^problem .*5 a second; campaigns alone send 10/],
    ["as fast as campaigns", {}, { MaxSendRate: 10 }, /^warning .*campaigns use all of it/],
  ])("%s", async (_name, change, quota, line) => {
    account(change, quota);
    expect(await found(mail, clubProduction)).toEqual(one(line));
  });

  test.each<[string, object, RegExp]>([
    ["not asked", {}, /sandbox of SES.*Fix: ask for production access/],
    ["asked", { Details: { ReviewDetails: { Status: "PENDING", CaseId: "7" } } }, /Fix: wait.*case 7/],
    ["refused", { Details: { ReviewDetails: { Status: "DENIED", CaseId: "7" } } }, /Fix: .*answer case 7/],
  ])("the sandbox is a warning for staging and a problem for production: %s", async (_name, change, line) => {
    account({ ProductionAccessEnabled: false, ...change }, { Max24HourSend: 200 });
    expect(await found(mail)).toEqual(one(new RegExp(`^warning .*${line.source}`)));
    expect(await found(mail, clubProduction)).toEqual(one(new RegExp(`^problem .*${line.source}`)));
  });
});

describe("account plan", () => {
  test("the Free plan ends the account: a warning for staging and a problem for production", async () => {
    givenPlan(async () => ({
      accountPlanType: "FREE",
      accountPlanExpirationDate: "2027-05-01T00:00:00Z",
      accountPlanRemainingCredits: { amount: 80, unit: "USD" },
    }));
    const text = "on 2027-05-01, or with its last 80 USD of credits, AWS closes it, with all data and backups";
    expect(await found(accountPlan)).toEqual(one(new RegExp(`^warning .*${text}`)));
    expect(await found(accountPlan, clubProduction)).toEqual(one(new RegExp(`^problem .*${text}`)));
  });

  test.each<[string, () => Promise<object>, RegExp]>([
    ["unknown", async () => ({}), /^warning .*does not tell/],
    ["older", () => Promise.reject(awsError("ResourceNotFoundException")), /^ok .*older than/],
    ["no command line", () => Promise.reject(new Error("spawn aws ENOENT")), /^warning .*missing or too old/],
  ])("%s", async (_name, answer, line) => {
    givenPlan(answer);
    expect(await linesOf(accountPlan)).toEqual(one(line));
  });
});

test.each<[number, number, StageConfig, RegExp]>([
  [10, 10, clubStaging, /^warning .* 10 functions may run at once; a rush needs 1000\..*--desired-value 1000$/],
  [10, 10, clubProduction, /^problem .*--desired-value 1000$/],
  // Another application has reserved 300.
  [1_000, 700, clubProduction, /^warning .*--desired-value 1300$/],
])("%d functions in all, %d free", async (ConcurrentExecutions, UnreservedConcurrentExecutions, stage, line) => {
  given("GetAccountSettings", { AccountLimit: { ConcurrentExecutions, UnreservedConcurrentExecutions } });
  expect(await found(functions, stage)).toEqual(one(line));
});

test("the API's address needs a certificate in the region of the stack", async () => {
  const certified = (region: string): StageConfig => ({
    ...clubStaging,
    domainName: "api.bizclub.ca",
    certificateArn: `arn:aws:acm:${region}:123456789012:certificate/1-2`,
  });
  expect(await found(apiAddress, certified("ca-central-1"))).toEqual([]);
  expect(await found(apiAddress, certified("us-east-1"))).toEqual(
    one(/^problem .*in us-east-1.*aws acm request-certificate --region ca-central-1 --domain-name api\.bizclub\.ca /),
  );
});

test.each<[string, object, RegExp[]]>([
  ["only ACLs are blocked", {}, []],
  ["policies are blocked", { BlockPublicPolicy: true, RestrictPublicBuckets: true }, [/the deploy would fail/]],
  ["buckets are restricted", { RestrictPublicBuckets: true }, [/people would see no banners/]],
])("public images: %s", async (_name, change, problems) => {
  const acls = { BlockPublicAcls: true, IgnorePublicAcls: true };
  given("GetPublicAccessBlock", { PublicAccessBlockConfiguration: { ...acls, ...change } });
  const lines = await found(publicImages);
  expect(lines).toEqual(problems.map((problem) => expect.stringMatching(problem)));
  for (const line of lines) {
    const settings = "BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=false,RestrictPublicBuckets=false";
    expect(line).toMatch(new RegExp(`--account-id 123456789012 --public-access-block-configuration ${settings}$`));
  }
});

describe("secrets", () => {
  const absent = awsError("ResourceNotFoundException");
  const key = (apiKey: string) => JSON.stringify({ apiKey, webhookSecrets: ["whsec_Confidential"] });

  test.each<[Check, StageConfig, string, RegExp]>([
    [paymentsSecret, clubStaging, key("sk_live_Confidential"), /secret of staging has a live key/],
    [paymentsSecret, clubProduction, key("sk_test_Confidential"), /secret of production has a key of the test mode/],
    [
      paymentsSecret,
      clubStaging,
      key("pk_test_Confidential"),
      /no apiKey that starts with sk_ or rk_.*'{"apiKey":"sk_test_…/,
    ],
    [chatSecret, clubStaging, "http://hooks.chat.test/Confidential", /no https address/],
  ])("cannot be used: %#", async (check, stage, text, line) => {
    given("GetSecretValue", { SecretString: text });
    const lines = await linesOf(check, stage);
    expect(lines).toEqual(one(new RegExp(`^problem .*cannot be used: .*${line.source}.*`)));
    expect(lines.join()).not.toContain("Confidential");
  });

  test("without a payments secret no person can pay: after the first deploy the line creates it", async () => {
    given("GetSecretValue", absent);
    expect(await linesOf(paymentsSecret)).toEqual(
      one(
        /^problem .*no person can pay\. Fix: curl .* -d 'url=https:\/\/api\.test\/payments\/webhook' -d 'api_version=\S+' -d 'enabled_events\[\]=\S+' .*create-secret --name club-events\/staging\/payments /,
      ),
    );
    givenNoStack();
    expect(await linesOf(paymentsSecret)).toEqual(one(/^warning .*no person can pay\. Fix: store it after the deploy/));
  });

  test("the chat's secret must be there before the deploy", async () => {
    given("GetSecretValue", absent);
    expect(await linesOf(chatSecret)).toEqual(
      one(/^problem .*create-secret --name club-events\/staging\/chat-webhook /),
    );
    const { chatWebhookSecret, ...noChat } = clubStaging;
    expect(await linesOf(chatSecret, noChat)).toEqual(["ok       chat: the stage has no chat."]);
  });
});

describe("alarms", () => {
  const topic = "arn:aws:sns:ca-central-1:123456789012:Alarms";
  const subscriptions = (...all: [arn: string, address: string][]) =>
    given("ListSubscriptionsByTopic", {
      Subscriptions: all.map(([SubscriptionArn, Endpoint]) => ({ SubscriptionArn, Endpoint })),
    });
  const confirm = `aws sns confirm-subscription --topic-arn ${topic} --authenticate-on-unsubscribe true --token <its Token>`;

  test("reach no person before the subscription is confirmed", async () => {
    subscriptions(["PendingConfirmation", "execs@bizclub.ca"], [`${topic}:1`, "dev@bizclub.ca"]);
    const text = `alarms: execs@bizclub\\.ca has not confirmed .*${confirm}$`;
    expect(await linesOf(alarms)).toEqual(one(new RegExp(`^warning  ${text}`)));
    expect(await linesOf(alarms, clubProduction)).toEqual(one(new RegExp(`^problem  ${text}`)));
  });

  test("may be ended by any reader of a mail, unless the account has confirmed the subscription", async () => {
    subscriptions([`${topic}:1`, "execs@bizclub.ca"], [`${topic}:2`, "dev@bizclub.ca"]);
    given("GetSubscriptionAttributes", ({ SubscriptionArn }) => ({
      Attributes: { ConfirmationWasAuthenticated: String(SubscriptionArn === `${topic}:2`) },
    }));
    expect(await linesOf(alarms, clubProduction)).toEqual(
      one(
        new RegExp(`^warning .*ends the subscription of execs@bizclub\\.ca\\. Fix: aws sns unsubscribe .*${confirm}$`),
      ),
    );
  });

  test.each<[string, Request, object, RegExp]>([
    [
      "an ended subscription",
      "ListSubscriptionsByTopic",
      { Subscriptions: [{ SubscriptionArn: "Deleted" }] },
      /no subscription/,
    ],
    ["no topic", "ListStackResources", { StackResourceSummaries: [] }, /has no topic/],
  ])("reach no person: %s", async (_name, request, answer, line) => {
    given(request, answer);
    expect(await linesOf(alarms)).toEqual(one(new RegExp(`^warning .*${line.source}`)));
  });
});
