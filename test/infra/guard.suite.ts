/**
 * The guard of deploys (`tools/delivery`). Dangerous: edits of the deployed template, as a pull request could bring them.
 * Ordinary: a club changes its values in `lib/stages.ts`.
 */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { App, Tags } from "aws-cdk-lib";
import { deliveryApp } from "../../lib/delivery/delivery-app.ts";
import { featureFlags } from "../../lib/feature-flags.ts";
import { ClubStack } from "../../lib/stack/club-stack.ts";
import type { StageConfig } from "../../lib/stages.ts";
import { type Judged, judge, stackPolicy } from "../../tools/delivery/judge.ts";
import { production } from "../stages.ts";
import { broken, givenTemplates, type StageTemplate } from "./stage-templates.ts";
import { type EditRow, edited, idOf, rowsOf } from "./template-edits.ts";

const judged = (deployed: StageTemplate, wanted: StageTemplate): Judged => judge(deployed as never, wanted as never);

/** `rowsOf`, and last the names of what is refused, else of the first row's `<id>.<path>`. */
const dangerous = rowsOf(`
another key of the table | DynamoDB::Table | . | KeySchema | [{"AttributeName":"id","KeyType":"HASH"}] | ^Table\\w+$
another type of a key | DynamoDB::Table | . | AttributeDefinitions.1.AttributeType | "N"
a client with a secret | Cognito::UserPoolClient | . | GenerateSecret | true | ^IdentityPoolWeb\\w+$
a table that may be deleted | DynamoDB::Table | . | DeletionProtectionEnabled | false
recovery of a day | DynamoDB::Table | . | PointInTimeRecoverySpecification.RecoveryPeriodInDays | 1
no recovery | DynamoDB::Table | . | PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled | false
another ticket key | SecretsManager::Secret | . | GenerateSecretString.PasswordLength | 32
banners that expire | S3::Bucket | ^Images | LifecycleConfiguration.Rules | [{"ExpirationInDays":30}]
an archive of a day | Events::Archive | . | RetentionDays | 1
logs of a day | Logs::LogGroup | ^RelayLogs | RetentionInDays | 1
failed mails of four days, AWS's default | SQS::Queue | ^MailFailures | MessageRetentionPeriod
another stream | DynamoDB::Table | . | StreamSpecification.StreamViewType | "NEW_IMAGE"
an index with a write a second | DynamoDB::Table | . | GlobalSecondaryIndexes.0.OnDemandThroughput.MaxWriteRequestUnits | 1
a route without a token | ApiGatewayV2::Route | "GET /members | AuthorizationType | "NONE"
another pool's tokens | ApiGatewayV2::Authorizer | . | JwtConfiguration.Issuer | "https://other.example"
origins with a wildcard | ApiGatewayV2::Api | . | CorsConfiguration.AllowOrigins | ["https://*.example"]
codes for a page without TLS | Cognito::UserPoolClient | . | CallbackURLs | ["http://app.club.example"]
short passwords | Cognito::UserPool | . | Policies.PasswordPolicy.MinimumLength | 6
sign-ups that are not looked at | Cognito::UserPool | . | LambdaConfig | {}
a bucket that may be public | S3::Bucket | ^HostingBucket | PublicAccessBlockConfiguration.BlockPublicPolicy | false
a bucket without TLS | S3::BucketPolicy | . | PolicyDocument.Statement.0.Effect | "Allow" | ^Images
every right on the table | IAM::Policy | ^Prizes | PolicyDocument.Statement.1.Action | "dynamodb:*" | ^PrizesRole
a role of an administrator | IAM::Role | ^Prizes | ManagedPolicyArns | ["arn:aws:iam::aws:policy/A"] | ^PrizesRole
mails from any address | IAM::Policy | FromAddress | PolicyDocument.Statement.4.Condition | {"StringLike":{"ses:FromAddress":"*"}} | ^MailRole
code from another bucket | Lambda::Function | ^Payments | Code | {"S3Bucket":"other","S3Key":"a.zip"}
a key in a variable | Lambda::Function | ^Payments | Environment.Variables.STRIPE_API_KEY | "sk_live_0000"
a key in a setting | Lambda::Function | ^Payments | Environment.Variables.MAIL_SENDER_NAME | "sk_live_0000"
another payment provider | Lambda::Function | ^Payments | Environment.Variables.PAYMENTS_ENDPOINT_URL | "https://x.example"
a file that Node loads first | Lambda::Function | ^Payments | Environment.Variables.NODE_OPTIONS | "-r ./x.cjs"
another pool's tokens in a function | Lambda::Function | ^Events | Environment.Variables.TOKEN_ISSUER | "https://x.example"
pages from elsewhere | CloudFront::Distribution | . | DistributionConfig.Origins.0.DomainName | "x.example"
messages that leave | Events::Rule | ^MailRule2 | Targets | [{"Arn":"arn:aws:sqs:ca-central-1:999999999999:x"}]
no mail of a rule | Events::Rule | ^MailRule2 | State | "DISABLED"
a rule with one more condition | Events::Rule | ^MailRule6 | EventPattern.detail.data.b | [true]
an alarm that rings nowhere | CloudWatch::Alarm | get errors | AlarmActions | []
an alarm that is off | CloudWatch::Alarm | get errors | ActionsEnabled | false
an alarm at a million | CloudWatch::Alarm | get errors | Threshold | 1000000
alarms to a web page | SNS::Subscription | . | Protocol | "https"
an empty dashboard | CloudWatch::Dashboard | . | DashboardBody | "{}"
a function with 128 MB | Lambda::Function | ^Registrations | MemorySize | 128
a function with 10,240 MB | Lambda::Function | ^Registrations | MemorySize | 10240
a function with a second | Lambda::Function | ^Registrations | Timeout | 1
a function that never runs | Lambda::Function | ^Registrations | ReservedConcurrentExecutions | 0
an older Node | Lambda::Function | ^Payments | Runtime | "nodejs18.x"
a batch that AWS refuses | Lambda::EventSourceMapping | ^MailLater | BatchSize | 100
nothing is relayed | Lambda::EventSourceMapping | ^RelayStream | Enabled | false
a mail that is tried without end | SQS::Queue | ^MailQueue | RedrivePolicy
a mail that is sent while it is sent | SQS::Queue | ^MailQueue | VisibilityTimeout | 1
the gateway lets one request in | ApiGatewayV2::Stage | . | DefaultRouteSettings.ThrottlingRateLimit | 1
routes of the door without a limit | ApiGatewayV2::Stage | . | RouteSettings | {}
a Budgets::Budget less | Budgets::Budget | . | -
a Cognito::UserPool less | Cognito::UserPool | . | -
an Events::Archive less | Events::Archive | . | -
a SecretsManager::Secret less | SecretsManager::Secret | . | -
an SNS::Subscription less | SNS::Subscription | . | -
a CloudWatch::Alarm less | CloudWatch::Alarm | . | -
a CloudWatch::Dashboard less | CloudWatch::Dashboard | . | -
a Lambda::EventSourceMapping less | Lambda::EventSourceMapping | . | -
a Logs::MetricFilter less | Logs::MetricFilter | . | -
an SQS::Queue less | SQS::Queue | . | -
a DynamoDB::Table by another id | (text) | "(?=$DynamoDB::Table") | | "\\"Other" | ^Table\\w+$ ^OtherTable\\w+$
an S3::Bucket by another id | (text) | "(?=$S3::Bucket") | | "\\"Other" | ^Images\\w+$ ^OtherImages\\w+$
an ApiGatewayV2::Api by another id | (text) | "(?=$ApiGatewayV2::Api") | | "\\"Other" | ^Api\\w+$ ^OtherApi\\w+$
an index that functions query until then | DynamoDB::Table | . | GlobalSecondaryIndexes.-1 | | Indexes$
 | (text) | (?<=/index/)LEADERBOARD(?=") | | "GSI1"
an index and its first queries | DynamoDB::Table | . | GlobalSecondaryIndexes.[] | {"IndexName":"ONE","KeySchema":[],"Projection":{}} | Indexes$
 | (text) | (?<=/index/)LEADERBOARD(?=") | | "ONE"
an alarm of fewer queues | CloudWatch::Alarm | given up | Metrics.0.Expression.Fn::Join.1.2 | | Expression$
 | CloudWatch::Alarm | given up | Metrics.0.Expression.Fn::Join.1.2
an alarm that reads a queue twice, and another not | CloudWatch::Alarm | given up | Metrics.0.Expression.Fn::Join.1.3 | {"Fn::GetAtt":["$SQS::Queue~^ImagesAfterUploadFailures","QueueName"]} | Expression$
a new route without a token | ApiGatewayV2::Route | "NONE" | + | | ^Added1\\.Auth
one more mailbox of the alarms | SNS::Subscription | . | + | | ^Added1$
a new function with another's role | Lambda::Function | ^Payments | + | | ^Added1\\.Role$
a new rule by which messages leave | Events::Rule | . | + | {"Targets":["arn:aws:sqs:::x"]} | ^Added1\\.Targets$
a function with an address | Lambda::Url | . | + | {} | ^Added1$
a person with a key | IAM::User | . | + | {} | ^Added1$
a custom resource | Custom::Any | . | + | {} | ^Added1$
a right to delete the table | IAM::Policy | ^Prizes | PolicyDocument.Statement.[] | {"Effect":"Allow","Action":"dynamodb:DeleteTable","Resource":{"Fn::GetAtt":["$DynamoDB::Table","Arn"]}} | ^PrizesRole
one more reader of the ticket key | IAM::Policy | ^Prizes | PolicyDocument.Statement.[] | {"Effect":"Allow","Action":"secretsmanager:GetSecretValue","Resource":{"Ref":"$SecretsManager::Secret"}} | ^PrizesRole
one more reader of the mails | IAM::Policy | ^Prizes | PolicyDocument.Statement.[] | {"Effect":"Allow","Action":"sqs:ReceiveMessage","Resource":{"Fn::GetAtt":["$SQS::Queue~^MailQueue","Arn"]}} | ^PrizesRole
a function for all | Lambda::Permission | apigateway | Principal | "*" | ^\\w+$
an output with a secret | (template) | . | Outputs.Key | {"Value":{"Ref":"$SecretsManager::Secret"}} | ^Outputs\\.Key$
another API for the web application | (template) | . | Outputs.ApiUrl | {"Value":"https://x.example"} | ^Outputs\\.ApiUrl$
a condition | (template) | . | Conditions | {"Never":{}} | ^Template\\.Conditions$
a table that a later deploy may delete | (template) | . | Resources.$DynamoDB::Table.DeletionPolicy | "Delete" | \\.DeletionPolicy$`);

test.each(dangerous)("refused: %s", (_what, rows) => {
  const [[type, which, path], names] = [rows[0], rows[0][4]] as [EditRow, string?];
  const expected = names?.split(" ") ?? [
    `^${idOf(deployed, type, new RegExp(which))}${path === "-" ? "$" : `\\.${path}`}`,
  ];
  const refused = judged(deployed, broken(deployed, edited(rows))).refused.map(({ name }) => name);
  for (const name of expected) expect(refused).toContainEqual(expect.stringMatching(name));
});

const ofDelivery = rowsOf(`
every branch may deploy, ClubDelivery | IAM::Role | ^deploy | AssumeRolePolicyDocument.Statement.0.Condition | {}
pull requests read secrets, ClubDelivery | IAM::Role | ^changes | Policies.0.PolicyDocument.Statement.0.Action | "secretsmanager:*"
a new role, ClubDelivery | IAM::Role | ^deploy | +
no identity of the mails, ClubMail-production | SES::EmailIdentity | . | -`);

describe("the stacks of the delivery:", () => {
  const app = deliveryApp(
    { context: { placeholders: "ok" } },
    { delivery: { gitHub: "a/b" }, stages: [production] },
  ).synth();
  test.each(ofDelivery)("refused: %s", (what, rows) => {
    const { template } = app.getStackByName(what.replace(/.*, /, ""));
    expect(judged(template, template).refused).toEqual([]);
    expect(judged(template, broken(template, edited(rows))).refused).not.toEqual([]);
  });
});

let deployed: StageTemplate;
beforeAll(async () => {
  ({ production: deployed } = await givenTemplates());
});

test("AWS refuses to replace or delete what holds data, but for what is accepted", () => {
  const denied = (accepted: string[]) =>
    (stackPolicy(deployed as never, accepted) as { Statement: [object, { Resource: string[] }] }).Statement[1].Resource;
  const types = ["ApiGatewayV2::Api", "Cognito::UserPool", "DynamoDB::Table", "S3::Bucket", "SecretsManager::Secret"];
  const ids = types.map((type) => `LogicalResourceId/${idOf(deployed, type)}`);
  expect(denied([])).toEqual(expect.arrayContaining(ids));
  expect(denied([idOf(deployed, "DynamoDB::Table")])).toHaveLength(denied([]).length - 1);
});

const certificate = (region: string) =>
  `arn:aws:acm:${region}:123456789012:certificate/12345678-1234-1234-1234-123456789012`;
const api = { domainName: "api.club.example", certificateArn: certificate("ca-central-1") };
const pages = { contact: "h@club.example", domainName: "e.club.example", certificateArn: certificate("us-east-1") };
const more = [...production.allowedOrigins, "https://a.example"];
/** Another value of each kind, and the sentence about it. */
const changed: readonly (readonly [values: Partial<StageConfig>, sentence: string])[] = [
  [{ senderName: "Business Club" }, "mail sender name: Club Events to Business Club"],
  [{ reminders: [48, 24] }, "reminders: [24] to [48,24]"],
  [{ guests: "nobody" }, "guests: partners to nobody"],
  [{ membershipPrice: 16_00 }, "membership price: 1500 to 1600"],
  [{ membershipPrices: { education: { UBC: 1300 } } }, 'membership prices, education: nothing to {"UBC":1300}'],
  [{ refunds: "automatic" }, "refunds: by hand to automatic"],
  [{ holds: { ...production.holds, acceptance: 172_800_000 } }, "acceptance hold ms: 259200000 to 172800000"],
  [{ signUps: { ...production.signUps, perHour: 600 } }, "sign up limits, per hour: 300 to 600"],
  [
    { throttle: { rate: 2e3, burst: 4e3 } },
    "stage api stage, default route settings throttling rate limit: 1000 to 2000",
  ],
  [
    { tableThroughput: { reads: 24_000, writes: 8_000 } },
    "table table, on demand throughput max read request units: 12000 to 24000",
  ],
  [
    { allowedOrigins: more },
    `api api, cors configuration allow origins: ["https://app.club.example"] to ${JSON.stringify(more)}`,
  ],
  [{ adminEmailDomain: "club.example.org" }, "admin email domain: club.example to club.example.org"],
  [{ mailSender: "tickets@club.example" }, "mail sender: events@club.example to tickets@club.example"],
  [{ monthlyBudget: 60 }, "budget monitoring budget, budget budget limit amount: 40 to 60"],
  [
    { alarmEmail: "watch@club.example" },
    "subscription monitoring topicalarmsclubexample, endpoint: alarms@club.example to watch@club.example",
  ],
  [
    { campaigns: { ...production.campaigns, unsubscribeAddress: "stop@club.example" } },
    "unsubscribe address: unsubscribe@club.example to stop@club.example",
  ],
  [{ seeDietAndPhone: ["chef@club.example"] }, "see diet and phone:  to chef@club.example"],
  [{ answersKeptDays: 90 }, "answers kept days:  to 90"],
  [{ partnerSeats: 10 }, "partner seats:  to 10"],
  [{ timeZone: "America/Toronto" }, "time zone: America/Vancouver to America/Toronto"],
  [{ pages }, 'distribution hosting distribution, distribution config aliases: nothing to ["e.club.example"]'],
  [api, 'Outputs.ApiUrl: {"Fn::GetAtt":["Api9AF3637B","ApiEndpoint"]} to https://api.club.example'],
];

test("a club that changes all its values, and a tag: nothing is refused, and each is shown in words", () => {
  const app = new App({ context: featureFlags() });
  const stage = Object.assign({}, production, ...changed.map(([values]) => values));
  Tags.of(new ClubStack(app, "ClubEvents-production", { stage })).add("cost", "events");
  const found = judged(deployed, app.synth().getStackByName("ClubEvents-production").template);
  expect(found.refused).toEqual([]);
  const tagged = 'topic monitoring topic, tags: nothing to [{"Key":"cost","Value":"events"}]';
  expect(found.shown).toEqual(expect.arrayContaining([tagged, ...changed.map(([, sentence]) => sentence)]));
});

const ordinary = rowsOf(`
new code | Lambda::Function | ^Payments | Code.S3Key | "other.zip"
a newer Node | Lambda::Function | ^Registrations | Runtime | "nodejs26.x"
a function with more memory and time | Lambda::Function | ^Registrations | MemorySize | 1024
 | Lambda::Function | ^Registrations | Timeout | 29
longer logs and a longer archive | Logs::LogGroup | ^RelayLogs | RetentionInDays | 365
 | Events::Archive | . | RetentionDays | 365
a right that other functions have | IAM::Policy | ^Prizes | PolicyDocument.Statement.[] | {"Effect":"Allow","Action":"dynamodb:UpdateItem","Resource":{"Fn::GetAtt":["$DynamoDB::Table","Arn"]}}
a consumer of one more kind of message | Events::Rule | ^MailRule2 | EventPattern.detail-type.[] | "payment.more"
a new index | DynamoDB::Table | . | GlobalSecondaryIndexes.[] | {"IndexName":"ONE","KeySchema":[],"Projection":{}}
a route with another id | ApiGatewayV2::Route | "POST /registrations" | +
 | ApiGatewayV2::Route | "POST /registrations" | -
a new consumer with its alarms | (copies) | ^Chat | | "More"
 | CloudWatch::Alarm | given up | Metrics.0.Expression.Fn::Join.1.2+ | {"Fn::GetAtt":["MoreFailures0FD4DBF6","QueueName"]}
 | CloudWatch::Alarm | given up | Metrics.0.Expression.Fn::Join.1.2+ | "' OR QueueName = '"
a new function with a route | (copies) | ^Feedback | | "Survey"
 | (copies) | ^Apifeedback | | "Apisurvey"
 | ApiGatewayV2::Route | "POST /registrations" | +
 | ApiGatewayV2::Route | ^Added1 | RouteKey | "POST /survey"
 | ApiGatewayV2::Stage | . | RouteSettings.POST /survey | {"ThrottlingRateLimit":30,"ThrottlingBurstLimit":60}`);

test.each(ordinary)("let through: %s", (_what, rows) => {
  expect(judged(deployed, broken(deployed, edited(rows))).refused).toEqual([]);
});
