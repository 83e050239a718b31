/** `--mend`: the plan, what `--apply` does, and that nothing else changes anything. Quotas and public access. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import { deployStatements, driftStatements } from "../../../lib/delivery/permissions.ts";
import { changes } from "../asking.ts";
import { alarms } from "../checks/alarms.ts";
import { functions } from "../checks/functions.ts";
import { mail } from "../checks/mail.ts";
import { publicImages } from "../checks/public-images.ts";
import { chatSecret } from "../checks/secrets.ts";
import { preflight } from "../command.ts";
import { giveLink } from "../mends/alarm-subscription.ts";
import {
  allRequests,
  applied,
  awsError,
  clubProduction,
  clubStaging,
  given,
  givenAccount,
  planOf,
  region,
  requestsOf,
} from "./account.ts";

const id = "123456789012";

beforeEach(givenAccount);

const denied = awsError("AccessDeniedException", "User: ada is not authorized");
const allow = (action: string) =>
  `these credentials have no permission for ${action}. Fix: allow it; an administrator has what it needs.`;

describe("the quota of concurrent functions", () => {
  beforeEach(() =>
    given("GetAccountSettings", { AccountLimit: { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 } }),
  );

  test("is asked for, beyond what others have reserved", async () => {
    given("GetAccountSettings", { AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 700 } });
    given("RequestServiceQuotaIncrease", { RequestedQuota: { Status: "PENDING" } });
    expect(await applied(functions)).toEqual([
      "done     functions: asked Service Quotas for 1300 concurrent executions (L-B99A9384). AWS decides.",
    ]);
    expect(requestsOf("RequestServiceQuotaIncrease")).toEqual([
      { ServiceCode: "lambda", QuotaCode: "L-B99A9384", DesiredValue: 1_300 },
    ]);
  });

  test.each([
    [denied, allow("servicequotas:RequestServiceQuotaIncrease")],
    [
      awsError("IllegalArgumentException", "The value is too low."),
      "IllegalArgumentException: The value is too low. Fix: try again; if it stays, look into the AWS console.",
    ],
  ])("is refused: %s", async (error, text) => {
    given("RequestServiceQuotaIncrease", error);
    expect(await applied(functions)).toEqual([`failed   functions: ${text}`]);
  });
});

describe("the quotas of mails", () => {
  const account = (quota: object, ProductionAccessEnabled = true) =>
    given("GetAccount", {
      ProductionAccessEnabled,
      SendQuota: { MaxSendRate: 14, Max24HourSend: 50_000, SentLast24Hours: 0, ...quota },
    });

  test("are asked for one by one, and a refusal stops no other", async () => {
    account({ MaxSendRate: 5, SentLast24Hours: 50_000 });
    given("RequestServiceQuotaIncrease", ({ QuotaCode }) => (QuotaCode === "L-CDEF9B6B" ? denied : {}));
    expect(await applied(mail, clubProduction)).toEqual([
      `failed   mail: ${allow("servicequotas:RequestServiceQuotaIncrease")}`,
      "done     mail: asked Service Quotas for 53000 mails in 24 hours (L-804C8AE8). AWS decides.",
    ]);
    expect(requestsOf("RequestServiceQuotaIncrease")).toEqual([
      { ServiceCode: "ses", QuotaCode: "L-CDEF9B6B", DesiredValue: 20 },
      { ServiceCode: "ses", QuotaCode: "L-804C8AE8", DesiredValue: 53_000 },
    ]);
  });

  test("in the sandbox, only production access is asked for, once, in words that the plan shows", async () => {
    account({ MaxSendRate: 1, Max24HourSend: 200 }, false);
    expect(await planOf(mail, clubProduction)).toEqual([
      expect.stringMatching(
        /^plan {5}mail: ask SES for production access, for https:\/\/app\.bizclub\.ca, .*"Tickets, .*"$/,
      ),
    ]);
    given("PutAccountDetails", {});
    expect(await applied(mail, clubProduction)).toEqual([expect.stringMatching(/^done {5}mail: asked SES/)]);
    expect(requestsOf("PutAccountDetails")).toEqual([
      {
        MailType: "TRANSACTIONAL",
        WebsiteURL: "https://app.bizclub.ca",
        UseCaseDescription: expect.stringContaining("unsubscribe"),
        ContactLanguage: "EN",
        ProductionAccessEnabled: true,
        AdditionalContactEmailAddresses: ["alarms@bizclub.ca"],
      },
    ]);
    given("PutAccountDetails", awsError("ConflictException"));
    expect(await applied(mail, clubProduction)).toEqual([
      "done     mail: already requested: production access. AWS decides.",
    ]);
  });
});

describe("the alarms' subscription", () => {
  const topic = "arn:aws:sns:ca-central-1:123456789012:Alarms";
  const link = (of: string) =>
    `https://sns.${region}.amazonaws.com/confirmation.html?TopicArn=${of}&Token=t0k3n&Endpoint=a`;
  const asked = `confirm the subscription of ${topic} by the link in ALARM_LINK, so that only the account can end it`;
  beforeEach(() => {
    given("ListSubscriptionsByTopic", {
      Subscriptions: [{ SubscriptionArn: "PendingConfirmation", Endpoint: "a@b.ca" }],
    });
    given("ConfirmSubscription", { SubscriptionArn: `${topic}:1` });
  });

  test("is confirmed with the account's signature", async () => {
    const given = { alarmLink: link(topic) };
    expect(await planOf(alarms, clubStaging, given)).toEqual([`plan     alarms: ${asked}.`]);
    expect(await applied(alarms, clubStaging, given)).toEqual([
      `done     alarms: the subscription of ${topic} is confirmed, and only the account can end it.`,
    ]);
    expect(requestsOf("ConfirmSubscription")).toEqual([
      { TopicArn: topic, Token: "t0k3n", AuthenticateOnUnsubscribe: "true" },
    ]);
  });

  test.each([undefined, "no link", link(`${topic}2`)])("by %s is refused, and nothing is sent", async (alarmLink) => {
    const obstacle = `there is no link of ${topic} in ALARM_LINK. Fix: ${giveLink}`;
    expect(await planOf(alarms, clubStaging, { alarmLink })).toEqual([
      `plan     alarms: ${asked}. Before that: ${obstacle}`,
    ]);
    expect(await applied(alarms, clubStaging, { alarmLink })).toEqual([`failed   alarms: ${obstacle}`]);
    expect(requestsOf("ConfirmSubscription")).toEqual([]);
  });
});

describe("the chat secret", () => {
  beforeEach(() => given("GetSecretValue", awsError("ResourceNotFoundException")));
  const name = "club-events/staging/chat-webhook";

  test("is stored, and never printed", async () => {
    const ofPerson = { chatWebhook: "https://hooks.chat.test/Confidential" };
    given("CreateSecret", {});
    const lines = [
      ...(await planOf(chatSecret, clubStaging, ofPerson)),
      ...(await applied(chatSecret, clubStaging, ofPerson)),
    ];
    expect(lines).toEqual([
      `plan     chat: store the address in CHAT_WEBHOOK as ${name}.`,
      `done     chat: ${name} has the address of the chat's webhook.`,
    ]);
    expect(requestsOf("CreateSecret")).toEqual([
      expect.objectContaining({ Name: name, SecretString: ofPerson.chatWebhook }),
    ]);
  });

  test.each([undefined, "hooks.chat.test/Confidential"])("%s is no address", async (chatWebhook) => {
    expect(await applied(chatSecret, clubStaging, { chatWebhook })).toEqual([
      "failed   chat: CHAT_WEBHOOK has no https address. Fix: read -rs CHAT_WEBHOOK; export CHAT_WEBHOOK",
    ]);
    expect(requestsOf("CreateSecret")).toEqual([]);
  });
});

describe("the account's public access block", () => {
  const acls = { BlockPublicAcls: true, IgnorePublicAcls: false };
  beforeEach(() =>
    given("GetPublicAccessBlock", {
      PublicAccessBlockConfiguration: { ...acls, BlockPublicPolicy: true, RestrictPublicBuckets: true },
    }),
  );

  test("loses two settings and keeps the two others", async () => {
    given("PutPublicAccessBlock", {});
    expect(await applied(publicImages)).toEqual([
      `done     public images: BlockPublicPolicy and RestrictPublicBuckets of account ${id} are off.`,
    ]);
    expect(requestsOf("PutPublicAccessBlock")).toEqual([
      {
        AccountId: id,
        PublicAccessBlockConfiguration: { ...acls, BlockPublicPolicy: false, RestrictPublicBuckets: false },
      },
    ]);
  });
});

describe("the command", () => {
  async function run(...flags: string[]) {
    const lines: string[] = [];
    const stages = [clubStaging, clubProduction];
    const code = await preflight(["staging", ...flags], (line) => lines.push(line), { AWS_REGION: region }, stages);
    return { code, lines: lines.filter((line) => !line.startsWith("ok")) };
  }
  const words = (lines: readonly string[]) => lines.map((line) => line.split(":")[0]);

  /** A warning and two problems, one of which nothing here can change. */
  const givenFindings = () => {
    given("GetAccountSettings", { AccountLimit: { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 } });
    given("GetPublicAccessBlock", { PublicAccessBlockConfiguration: { BlockPublicPolicy: true } });
  };
  const writes = () => allRequests().filter((name) => !/^(?:Get|Describe|List)/.test(name));

  test("plans and changes nothing", async () => {
    givenFindings();
    const { code, lines } = await run("--mend");
    expect(words(lines)).toEqual([
      "warning  functions",
      "problem  public images",
      "plan     functions",
      "plan     public images",
      "1 problem, 1 warning. 2 changes planned; --apply makes them.",
    ]);
    expect(code).toBe(1);
    expect(writes()).toEqual([]);
  });

  test("control: with --apply the same account gets both requests", async () => {
    givenFindings();
    given("RequestServiceQuotaIncrease", {});
    given("PutPublicAccessBlock", {});
    const { code, lines } = await run("--mend", "--apply");
    expect(words(lines)).toEqual([
      "warning  functions",
      "problem  public images",
      "done     functions",
      "done     public images",
      "1 problem, 1 warning. Of 2 changes, 2 done.",
    ]);
    expect(code).toBe(0);
    expect(writes()).toEqual(["PutPublicAccessBlockCommand", "RequestServiceQuotaIncreaseCommand"]);
  });

  test("a failed change is exit code 1, and the next one is made", async () => {
    given("GetAccountSettings", { AccountLimit: { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 } });
    given("GetPublicAccessBlock", { PublicAccessBlockConfiguration: { BlockPublicPolicy: true } });
    given("RequestServiceQuotaIncrease", denied);
    given("PutPublicAccessBlock", {});
    const { code, lines } = await run("--mend", "--apply");
    expect(words(lines).slice(-3)).toEqual([
      "failed   functions",
      "done     public images",
      "1 problem, 1 warning. Of 2 changes, 1 done.",
    ]);
    expect(code).toBe(1);
  });

  test("no role of the delivery may change anything", () => {
    const place = { account: id, region };
    const roles = [clubStaging, clubProduction].flatMap((stage) => deployStatements(stage, place));
    const allowed = new Set(roles.flatMap(({ actions = [] }) => actions));
    expect(allowed.size).toBeGreaterThan(10);
    expect(changes.filter((action) => allowed.has(action))).toEqual([]);
    const drift = driftStatements().flatMap(({ actions = [] }) => actions);
    expect(changes.filter((action) => drift.includes(action))).toEqual(["cognito-idp:GetUserPoolMfaConfig"]);
  });
});
