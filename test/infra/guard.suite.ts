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
import { broken, givenTemplates, ofType, type StageTemplate } from "./stage-templates.ts";
import { all, arnOf, type Edit, found, idOf, type Properties, set, without } from "./template-edits.ts";

const judged = (deployed: StageTemplate, wanted: StageTemplate): Judged => judge(deployed as never, wanted as never);

/** What would happen | type | which | property | its value, as JSON, without one it is removed | what is refused, else `<id>.<property>` */
const changedProperties = `
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
routes of the door without a limit | ApiGatewayV2::Stage | . | RouteSettings | {}`;

test.each(
  changedProperties
    .trim()
    .split("\n")
    .map((row) => row.split(" | ")),
)("refused: %s", (...row) => {
  const [, type = "", fits = "", path = "", value, name] = row as string[];
  const edit = set(type, new RegExp(fits), path, value === undefined ? undefined : JSON.parse(value));
  const expected = new RegExp(name ?? `^${idOf(deployed, type, new RegExp(fits))}\\.${path}`);
  expect(refusedOf(edit)).toEqual(expect.arrayContaining([expect.stringMatching(expected)]));
});

test.each([
  ...["Budgets::Budget", "Cognito::UserPool", "Events::Archive", "SecretsManager::Secret", "SNS::Subscription"],
  ...["CloudWatch::Alarm", "CloudWatch::Dashboard", "Lambda::EventSourceMapping", "Logs::MetricFilter", "SQS::Queue"],
])("refused: a %s less", (type) => {
  expect(refusedOf(without(type, /./))).toContain(idOf(deployed, type));
});

test.each(["DynamoDB::Table", "S3::Bucket", "ApiGatewayV2::Api"])("refused: %s by another id", (type) => {
  const id = idOf(deployed, type);
  const moved: Edit = (template) =>
    Object.assign(template, JSON.parse(JSON.stringify(template).replaceAll(`"${id}"`, `"Other${id}"`)));
  expect(refusedOf(moved)).toEqual(expect.arrayContaining([id, `Other${id}`]));
});

/** One more resource. */
const add =
  (type: string, given: (template: StageTemplate) => Properties = () => ({})): Edit =>
  (template) => {
    template.Resources.Added1 = { Type: type.includes("Custom") ? type : `AWS::${type}`, Properties: given(template) };
  };
/** One more statement in the policy of the prizes' function. */
const granted = (Action: string, type: string, fits = /./) =>
  set("IAM::Policy", /^Prizes/, "PolicyDocument.Statement.[]", (template: StageTemplate) => {
    const id = idOf(template, type, fits);
    return { Effect: "Allow", Action, Resource: type.endsWith("Secret") ? { Ref: id } : arnOf(id) };
  });
/** Changes the query of the alarm about given-up mails. */
const queues =
  (change: (parts: Properties[]) => unknown): Edit =>
  (template) =>
    void change(found(template, "CloudWatch::Alarm", /given up/)[1].Properties.Metrics[0].Expression["Fn::Join"][1]);
const onIndexes =
  (change: (indexes: Properties[]) => unknown): Edit =>
  (template) =>
    void change(found(template, "DynamoDB::Table")[1].Properties.GlobalSecondaryIndexes);
/** Functions that query another index in place of one. */
const query =
  (from: string, to: string): Edit =>
  (template) => {
    for (const [, { Properties }] of ofType(template, "AWS::IAM::Policy")) {
      const text = JSON.stringify(Properties.PolicyDocument).replaceAll(`/index/${from}"`, `/index/${to}"`);
      Properties.PolicyDocument = JSON.parse(text);
    }
  };
const newIndex = onIndexes((indexes) => indexes.push({ IndexName: "ONE", KeySchema: [], Projection: {} }));
const properties = (type: string, fits?: RegExp) => (template: StageTemplate) =>
  found(template, type, fits)[1].Properties;

test.each<[string, Edit, RegExp]>([
  [
    "an index that functions query until then",
    all(
      onIndexes((all) => all.pop()),
      query("LEADERBOARD", "GSI1"),
    ),
    /Indexes$/,
  ],
  ["an index and its first queries", all(newIndex, query("LEADERBOARD", "ONE")), /Indexes$/],
  ["an alarm of fewer queues", queues((parts) => parts.splice(2, 2)), /Expression$/],
  [
    "an alarm that reads a queue twice, and another not",
    queues((parts) => parts.splice(3, 1, parts[1])),
    /Expression$/,
  ],
  [
    "a new route without a token",
    add("ApiGatewayV2::Route", properties("ApiGatewayV2::Route", /"NONE"/)),
    /^Added1\.Auth/,
  ],
  ["one more mailbox of the alarms", add("SNS::Subscription", properties("SNS::Subscription")), /^Added1$/],
  [
    "a new function with another's role",
    add("Lambda::Function", properties("Lambda::Function", /^Payments/)),
    /^Added1\.Role$/,
  ],
  [
    "a new rule by which messages leave",
    add("Events::Rule", () => ({ Targets: ["arn:aws:sqs:::x"] })),
    /^Added1\.Targets$/,
  ],
  ["a function with an address", add("Lambda::Url"), /^Added1$/],
  ["a person with a key", add("IAM::User"), /^Added1$/],
  ["a custom resource", add("Custom::Any"), /^Added1$/],
  ["a right to delete the table", granted("dynamodb:DeleteTable", "DynamoDB::Table"), /^PrizesRole/],
  [
    "one more reader of the ticket key",
    granted("secretsmanager:GetSecretValue", "SecretsManager::Secret"),
    /^PrizesRole/,
  ],
  ["one more reader of the mails", granted("sqs:ReceiveMessage", "SQS::Queue", /^MailQueue/), /^PrizesRole/],
  ["a function for all", set("Lambda::Permission", /apigateway/, "Principal", "*"), /^\w+$/],
  [
    "an output with a secret",
    (all) => void Object.assign(all.Outputs, { Key: { Value: { Ref: idOf(all, "SecretsManager::Secret") } } }),
    /^Outputs\.Key$/,
  ],
  [
    "another API for the web application",
    (all) => void Object.assign(all.Outputs, { ApiUrl: { Value: "https://x.example" } }),
    /^Outputs\.ApiUrl$/,
  ],
  ["a condition", (all) => void Object.assign(all, { Conditions: { Never: {} } }), /^Template\.Conditions$/],
  [
    "a table that a later deploy may delete",
    (all) => void Object.assign(found(all, "DynamoDB::Table")[1], { DeletionPolicy: "Delete" }),
    /\.DeletionPolicy$/,
  ],
])("refused: %s", (_what, edit, name) => {
  expect(refusedOf(edit)).toEqual(expect.arrayContaining([expect.stringMatching(name)]));
});

describe("the stacks of the delivery:", () => {
  const app = deliveryApp(
    { context: { placeholders: "ok" } },
    { delivery: { gitHub: "a/b" }, stages: [production] },
  ).synth();
  const trust = "AssumeRolePolicyDocument.Statement.0.Condition";
  test.each<[string, string, Edit]>([
    ["every branch may deploy", "ClubDelivery", set("IAM::Role", /^deploy/, trust, {})],
    [
      "pull requests read secrets",
      "ClubDelivery",
      set("IAM::Role", /^changes/, "Policies.0.PolicyDocument.Statement.0.Action", "secretsmanager:*"),
    ],
    ["a new role", "ClubDelivery", add("IAM::Role", properties("IAM::Role", /^deploy/))],
    ["no identity of the mails", "ClubMail-production", without("SES::EmailIdentity", /./)],
  ])("refused: %s", (_what, stack, edit) => {
    const { template } = app.getStackByName(stack);
    expect(judged(template, template).refused).toEqual([]);
    expect(judged(template, broken(template, edit)).refused).not.toEqual([]);
  });
});

let deployed: StageTemplate;
beforeAll(async () => {
  ({ production: deployed } = await givenTemplates());
});
const refusedOf = (edit: Edit) => judged(deployed, broken(deployed, edit)).refused.map(({ name }) => name);

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
/** Another value of each kind. */
const changed: StageConfig = {
  ...production,
  senderName: "Business Club",
  reminders: [48, 24],
  guests: "nobody",
  membershipPrice: 16_00,
  membershipPrices: { education: { UBC: 13_00 } },
  refunds: "automatic",
  holds: { ...production.holds, acceptance: 48 * 3_600_000 },
  signUps: { ...production.signUps, perHour: 600 },
  throttle: { rate: 2_000, burst: 4_000 },
  tableThroughput: { reads: 24_000, writes: 8_000 },
  allowedOrigins: [...production.allowedOrigins, "https://a.example"],
  adminEmailDomain: "club.example.org",
  mailSender: "tickets@club.example",
  monthlyBudget: 60,
  alarmEmail: "watch@club.example",
  campaigns: { ...production.campaigns, unsubscribeAddress: "stop@club.example" },
  seeDietAndPhone: ["chef@club.example"],
  answersKeptDays: 90,
  partnerSeats: 10,
  timeZone: "America/Toronto",
  pages: { contact: "hello@club.example", domainName: "events.club.example", certificateArn: certificate("us-east-1") },
  domainName: "api.club.example",
  certificateArn: certificate("ca-central-1"),
};

describe("a club that changes its values:", () => {
  let found: Judged;
  beforeAll(() => {
    const app = new App({ context: featureFlags() });
    const stack = new ClubStack(app, "ClubEvents-production", { stage: changed });
    Tags.of(stack).add("cost", "events");
    found = judged(deployed, app.synth().getStackByName("ClubEvents-production").template);
  });

  test("nothing is refused", () => expect(found.refused).toEqual([]));

  test("and each is shown in words", () => {
    const sentences = [
      "mail sender name: Club Events to Business Club",
      "reminders: [24] to [48,24]",
      "guests: partners to nobody",
      "membership price: 1500 to 1600",
      'membership prices, education: nothing to {"UBC":1300}',
      "refunds: by hand to automatic",
      "acceptance hold ms: 259200000 to 172800000",
      "sign up limits, per hour: 300 to 600",
      "stage api stage, default route settings throttling rate limit: 1000 to 2000",
      "table table, on demand throughput max read request units: 12000 to 24000",
      'api api, cors configuration allow origins: ["https://app.club.example"] to ["https://app.club.example","https://a.example"]',
      "admin email domain: club.example to club.example.org",
      "mail sender: events@club.example to tickets@club.example",
      "budget monitoring budget, budget budget limit amount: 40 to 60",
      "subscription monitoring topicalarmsclubexample, endpoint: alarms@club.example to watch@club.example",
      "unsubscribe address: unsubscribe@club.example to stop@club.example",
      "see diet and phone:  to chef@club.example",
      "answers kept days:  to 90",
      "partner seats:  to 10",
      "time zone: America/Vancouver to America/Toronto",
      'distribution hosting distribution, distribution config aliases: nothing to ["events.club.example"]',
      'Outputs.ApiUrl: {"Fn::GetAtt":["Api9AF3637B","ApiEndpoint"]} to https://api.club.example',
      'topic monitoring topic, tags: nothing to [{"Key":"cost","Value":"events"}]',
    ];
    expect(found.shown).toEqual(expect.arrayContaining(sentences));
  });
});

/** Copies what begins with a name, with references to it, and without rights on secrets. */
function copied({ Resources }: StageTemplate, from: string, to: string): void {
  for (const [id, resource] of Object.entries(Resources).filter(([name]) => name.startsWith(from))) {
    const copy = JSON.parse(JSON.stringify(resource).replaceAll(`"${from}`, `"${to}`));
    const { PolicyDocument } = copy.Properties;
    if (PolicyDocument)
      PolicyDocument.Statement = PolicyDocument.Statement.filter(
        (one: unknown) => !/secretsmanager/.test(JSON.stringify(one)),
      );
    Resources[id.replace(from, to)] = copy;
  }
}

test.each<[string, Edit]>([
  ["new code", set("Lambda::Function", /^Payments/, "Code.S3Key", "other.zip")],
  ["a newer Node", set("Lambda::Function", /^Registrations/, "Runtime", "nodejs26.x")],
  [
    "a function with more memory and time",
    all(
      set("Lambda::Function", /^Registrations/, "MemorySize", 1_024),
      set("Lambda::Function", /^Registrations/, "Timeout", 29),
    ),
  ],
  [
    "longer logs and a longer archive",
    all(set("Logs::LogGroup", /^RelayLogs/, "RetentionInDays", 365), set("Events::Archive", /./, "RetentionDays", 365)),
  ],
  ["a right that other functions have", granted("dynamodb:UpdateItem", "DynamoDB::Table")],
  [
    "a consumer of one more kind of message",
    set("Events::Rule", /^MailRule2/, "EventPattern.detail-type.[]", "payment.more"),
  ],
  ["a new index", newIndex],
  [
    "a route with another id",
    (template) => {
      const [id, route] = found(template, "ApiGatewayV2::Route", /"POST \/registrations"/);
      delete template.Resources[id];
      template.Resources.Other1 = route;
    },
  ],
  [
    "a new consumer with its alarms",
    all(
      (template) => copied(template, "Chat", "More"),
      queues((parts) =>
        parts.splice(2, 0, "' OR QueueName = '", { "Fn::GetAtt": ["MoreFailures0FD4DBF6", "QueueName"] }),
      ),
    ),
  ],
  [
    "a new function with a route",
    all(
      (template) => copied(template, "Feedback", "Survey"),
      (template) => copied(template, "Apifeedback", "Apisurvey"),
      add("ApiGatewayV2::Route", (template) => ({
        ...found(template, "ApiGatewayV2::Route", /"POST \/registrations"/)[1].Properties,
        RouteKey: "POST /survey",
      })),
      set("ApiGatewayV2::Stage", /./, "RouteSettings.POST /survey", {
        ThrottlingRateLimit: 30,
        ThrottlingBurstLimit: 60,
      }),
    ),
  ],
])("let through: %s", (_what, edit) => {
  expect(judged(deployed, broken(deployed, edit)).refused).toEqual([]);
});
