/** An AWS account in which everything is ready for a deploy. Tests take single things away. */
import { CloudFormationClient, DescribeStacksCommand, ListStackResourcesCommand } from "@aws-sdk/client-cloudformation";
import {
  CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
  DescribeUserPoolCommand,
} from "@aws-sdk/client-cognito-identity-provider";
import { DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { GetAccountSettingsCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { GetPublicAccessBlockCommand, S3ControlClient } from "@aws-sdk/client-s3-control";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { GetAccountCommand, GetEmailIdentityCommand, SESv2Client } from "@aws-sdk/client-sesv2";
import { GetSubscriptionAttributesCommand, ListSubscriptionsByTopicCommand, SNSClient } from "@aws-sdk/client-sns";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { jest } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import type { StageConfig } from "../../../lib/stages.ts";
import { production, staging } from "../../../test/stages.ts";
import { type Check, clientsIn } from "../check-kit/account.ts";
import { AccountPlans } from "../check-kit/account-plans.ts";
import { lineOf } from "../check-kit/report.ts";
import { results } from "../checks.ts";

export const region = "ca-central-1";
const accountId = "123456789012";

/** A stage whose placeholders the club has replaced. */
const replaced = (stage: StageConfig): StageConfig =>
  JSON.parse(JSON.stringify(stage).replaceAll(/(?:club|student)\.example/g, "bizclub.ca"));

export const clubStaging = replaced(staging);
export const clubProduction = replaced(production);

const services = {
  callers: mockClient(STSClient),
  mail: mockClient(SESv2Client),
  functions: mockClient(LambdaClient),
  storage: mockClient(S3ControlClient),
  secrets: mockClient(SecretsManagerClient),
  signIn: mockClient(CognitoIdentityProviderClient),
  stacks: mockClient(CloudFormationClient),
  tables: mockClient(DynamoDBClient),
  topics: mockClient(SNSClient),
};

/** How AWS answers each request. A function sees the request; an Error is thrown. */
const requests = {
  GetCallerIdentity: (answer: Answer) => on(services.callers, GetCallerIdentityCommand, answer),
  GetAccount: (answer: Answer) => on(services.mail, GetAccountCommand, answer),
  GetEmailIdentity: (answer: Answer) => on(services.mail, GetEmailIdentityCommand, answer),
  GetAccountSettings: (answer: Answer) => on(services.functions, GetAccountSettingsCommand, answer),
  GetPublicAccessBlock: (answer: Answer) => on(services.storage, GetPublicAccessBlockCommand, answer),
  GetSecretValue: (answer: Answer) => on(services.secrets, GetSecretValueCommand, answer),
  DescribeUserPool: (answer: Answer) => on(services.signIn, DescribeUserPoolCommand, answer),
  DescribeUserPoolClient: (answer: Answer) => on(services.signIn, DescribeUserPoolClientCommand, answer),
  DescribeStacks: (answer: Answer) => on(services.stacks, DescribeStacksCommand, answer),
  ListStackResources: (answer: Answer) => on(services.stacks, ListStackResourcesCommand, answer),
  ListTables: (answer: Answer) => on(services.tables, ListTablesCommand, answer),
  ListSubscriptionsByTopic: (answer: Answer) => on(services.topics, ListSubscriptionsByTopicCommand, answer),
  GetSubscriptionAttributes: (answer: Answer) => on(services.topics, GetSubscriptionAttributesCommand, answer),
};

/** A domain that is verified, signed, and has a MAIL FROM domain. */
export const readyIdentity = (domain = "") => ({
  VerifiedForSendingStatus: true,
  DkimAttributes: { SigningEnabled: true, Status: "SUCCESS" },
  MailFromAttributes: {
    MailFromDomain: `bounce.${domain}`,
    MailFromDomainStatus: "SUCCESS",
    BehaviorOnMxFailure: "USE_DEFAULT_VALUE",
  },
});

export type Request = keyof typeof requests;
type Answer = object | Error | ((request: Record<string, string>) => object | Error);

function on(service: unknown, command: unknown, answer: Answer): void {
  const mock = service as {
    on(command: unknown): { callsFake(fake: (request: Record<string, string>) => object): void };
  };
  mock.on(command).callsFake((request) => {
    const given = typeof answer === "function" ? answer(request) : answer;
    if (given instanceof Error) throw given;
    return given;
  });
}

/** AWS answers this request so. */
export const given = (request: Request, answer: Answer): void => requests[request](answer);

/** An error as a client throws it. */
export const awsError = (name: string, message = name): Error => Object.assign(new Error(message), { name });

/** CloudFormation has no such stack. */
export const noStack = awsError("ValidationError", "Stack with id ClubEvents-staging does not exist");

const secretsOf: Record<string, string> = {
  "club-events/staging/payments": JSON.stringify({
    apiKey: "sk_test_Confidential",
    webhookSecrets: ["whsec_Confidential"],
  }),
  "club-events/production/payments": JSON.stringify({
    apiKey: "rk_live_Confidential",
    webhookSecrets: ["whsec_Confidential", "whsec_Confidential2"],
  }),
  "club-events/staging/chat-webhook": "https://hooks.chat.test/Confidential",
  "club-events/production/chat-webhook": "https://hooks.chat.test/Confidential",
};

/** Stripe answers so to reads of its paths. */
export const givenStripe = (answerTo: (path: string) => { readonly status: number; readonly body: object }) =>
  jest.spyOn(globalThis, "fetch").mockImplementation(async (address, init) => {
    if (init?.method !== "GET") throw new Error(`Preflight only reads, and sent ${init?.method}.`);
    const { status, body } = answerTo(new URL(String(address)).pathname);
    return new Response(JSON.stringify(body), { status, headers: { "stripe-should-retry": "false" } });
  });

export const webhookUrl = "https://api.test/payments/webhook";

/** A page of the provider's lists. */
const stripeList = (path: string, data: readonly object[]) => ({
  status: 200,
  body: { object: "list", has_more: false, url: path, data },
});

/** Stripe's account, which pays out by itself. */
export const stripeAccount = (interval = "daily", default_currency = "cad") => ({
  status: 200,
  body: { object: "account", default_currency, settings: { payouts: { schedule: { interval } } } },
});

/** Stripe's usual answer: its lists are empty, but for the endpoints. */
export const stripeAnswer = (path: string, endpoints: readonly object[]) =>
  path === "/v1/account" ? stripeAccount() : stripeList(path, path === "/v1/webhook_endpoints" ? endpoints : []);

const topic = "arn:aws:sns:ca-central-1:123456789012:Alarms";

/** Everything is ready, and the stage is deployed. Also at Stripe. */
export function givenAccount(): void {
  for (const service of Object.values(services)) service.reset();
  const endpoint = { id: "we_1", url: webhookUrl, status: "enabled", enabled_events: ["*"] };
  givenStripe((path) => stripeAnswer(path, [endpoint]));
  given("GetCallerIdentity", { Account: accountId, Arn: `arn:aws:iam::${accountId}:user/ada` });
  given("GetAccount", {
    ProductionAccessEnabled: true,
    SendingEnabled: true,
    EnforcementStatus: "HEALTHY",
    SendQuota: { MaxSendRate: 14, Max24HourSend: 50_000, SentLast24Hours: 100 },
  });
  given("GetEmailIdentity", ({ EmailIdentity }) => readyIdentity(EmailIdentity));
  given("GetAccountSettings", { AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000 } });
  given("GetPublicAccessBlock", awsError("NoSuchPublicAccessBlockConfiguration"));
  given("GetSecretValue", ({ SecretId = "" }) =>
    SecretId in secretsOf ? { SecretString: secretsOf[SecretId] } : awsError("ResourceNotFoundException"),
  );
  given("DescribeStacks", {
    Stacks: [
      {
        StackStatus: "UPDATE_COMPLETE",
        Outputs: [{ OutputKey: "ApiUrl", OutputValue: "https://api.test" }],
      },
    ],
  });
  given("ListStackResources", {
    StackResourceSummaries: [
      { ResourceType: "AWS::SNS::Topic", PhysicalResourceId: topic, ResourceStatus: "CREATE_COMPLETE" },
    ],
  });
  given("ListTables", { TableNames: [] });
  given("ListSubscriptionsByTopic", {
    Subscriptions: [{ SubscriptionArn: `${topic}:1`, Endpoint: "execs@bizclub.ca" }],
  });
  given("GetSubscriptionAttributes", { Attributes: { ConfirmationWasAuthenticated: "true" } });
  givenPlan(async () => ({ accountPlanType: "PAID", accountPlanStatus: "ACTIVE" }));
}

/** AWS says so of the account's plan. */
export const givenPlan = (answer: AccountPlans["state"]) =>
  jest.spyOn(AccountPlans.prototype, "state").mockImplementation(answer);

/** The account before the first deploy. */
export function givenNoStack(): void {
  given("DescribeStacks", noStack);
  given("ListStackResources", noStack);
}

/** The lines of one check. */
export const linesOf = async (check: Check, stage: StageConfig = clubStaging): Promise<string[]> =>
  (await results(check, { id: accountId, region, stage, clients: clientsIn(region) })).map(lineOf);
