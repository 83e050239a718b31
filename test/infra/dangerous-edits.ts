/**
 * Small edits of production's template that CloudFormation would carry out, and that void, expose, silence or lose
 * something; some look like ordinary ones. Each row is for one condition of `tools/delivery/rules`.
 */
import type { StageTemplate } from "./stage-templates.ts";
import { add, all, arnOf, type Edit, found, idOf, type Properties, set, without } from "./template-edits.ts";

const [anyone, page] = [{ AWS: "*" }, "http://localhost.evil.example"];
const elsewhere = "arn:aws:sqs:ca-central-1:999999999999:x";
const lambda = { Service: "lambda.amazonaws.com" };
const otherPool = { Issuer: "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_other" };
const api = (template: StageTemplate) => ({ Ref: idOf(template, "ApiGatewayV2::Api") });
const anAlarm = /People get errors/;
const more = "PolicyDocument.Statement.[]";

/** One more statement in a policy. */
const grant =
  (Action: string, resource: (template: StageTemplate) => unknown) =>
  (template: StageTemplate): object => ({ Effect: "Allow", Action, Resource: resource(template) });

const eventBridge = { Service: "events.amazonaws.com" };
const own = { "aws:SourceAccount": { Ref: "AWS::AccountId" } };
/** One more who may send to a queue. */
const sends = (Principal: object, Condition?: object) => ({
  ...{ Effect: "Allow", Action: "sqs:SendMessage", Principal },
  ...(Condition && { Condition }),
});

/** Only the denials stay. */
const denials =
  (type: string) =>
  (template: StageTemplate): unknown =>
    found(template, type)[1].Properties.PolicyDocument.Statement.slice(0, 1);

/** By what would happen: a changed property. The guard names its resource, and the first part of the path. */
export const changes: readonly (readonly [what: string, type: string, fits: RegExp, path: string, value?: unknown])[] =
  [
    // Lost or void
    ["every ticket is void", "SecretsManager::Secret", /./, "GenerateSecretString.PasswordLength", 32],
    ["banners expire", "S3::Bucket", /./, "LifecycleConfiguration.Rules.[]", { ExpirationInDays: 30 }],
    ["the archive keeps a day", "Events::Archive", /./, "RetentionDays", 1],
    ["the archive keeps some messages", "Events::Archive", /./, "EventPattern.detail-type", ["registration.created"]],
    ["failed mails are gone after a minute", "SQS::Queue", /^MailFailures/, "MessageRetentionPeriod", 60],
    ["failed mails are kept four days, AWS's default", "SQS::Queue", /^MailFailures/, "MessageRetentionPeriod"],
    ["a mail is sent again while it is being sent", "SQS::Queue", /^MailQueue/, "VisibilityTimeout", 1],
    ["a mail that fails is tried without end", "SQS::Queue", /^MailQueue/, "RedrivePolicy"],
    ["logs are kept a day", "Logs::LogGroup", /^RelayLogs/, "RetentionInDays", 1],
    [
      "an index takes a write a second",
      "DynamoDB::Table",
      /./,
      "GlobalSecondaryIndexes.0.OnDemandThroughput.MaxWriteRequestUnits",
      1,
    ],
    ["recovery goes back a day", "DynamoDB::Table", /./, "PointInTimeRecoverySpecification.RecoveryPeriodInDays", 1],
    // Silenced
    ["an alarm rings nowhere", "CloudWatch::Alarm", anAlarm, "AlarmActions", []],
    ["an alarm is off", "CloudWatch::Alarm", anAlarm, "ActionsEnabled", false],
    ["an alarm rings at a million", "CloudWatch::Alarm", anAlarm, "Threshold", 1_000_000],
    ["no mail of a rule is sent", "Events::Rule", /^MailRule2/, "State", "DISABLED"],
    ["some mails are not sent", "Events::Rule", /^MailRule2/, "EventPattern.detail-type", ["member.granted"]],
    ["a rule has one more condition, deep inside", "Events::Rule", /^MailRule6/, "EventPattern.detail.data.b", [true]],
    ["nothing is relayed", "Lambda::EventSourceMapping", /^RelayStream/, "Enabled", false],
    ["a function never runs", "Lambda::Function", /^Registrations/, "ReservedConcurrentExecutions", 0],
    ["a function has a second", "Lambda::Function", /^Registrations/, "Timeout", 1],
    ["an older Node", "Lambda::Function", /^Payments/, "Runtime", "nodejs18.x"],
    ["a failed call is not tried again", "Lambda::EventInvokeConfig", /^CacheHeader/, "MaximumRetryAttempts", 0],
    ["the gateway lets ten requests in", "ApiGatewayV2::Stage", /./, "DefaultRouteSettings.ThrottlingRateLimit", 10],
    ["the door's routes have no limit", "ApiGatewayV2::Stage", /./, "RouteSettings", {}],
    [
      "nobody can register",
      "ApiGatewayV2::Stage",
      /./,
      "RouteSettings.POST /registrations",
      { ThrottlingRateLimit: 0, ThrottlingBurstLimit: 0 },
    ],
    // Open
    ["a route is public", "ApiGatewayV2::Route", /"GET \/members/, "AuthorizationType", "NONE"],
    ["another pool's tokens count", "ApiGatewayV2::Authorizer", /./, "JwtConfiguration", otherPool],
    ["every origin may call", "ApiGatewayV2::Api", /./, "CorsConfiguration.AllowOrigins.[]", "https://*.example"],
    ["an origin that is not the laptop", "ApiGatewayV2::Api", /./, "CorsConfiguration.AllowOrigins.[]", page],
    ["an origin is gone", "ApiGatewayV2::Api", /./, "CorsConfiguration.AllowOrigins", []],
    [
      "another domain's people are admins",
      "Lambda::Function",
      /^Events/,
      "Environment.Variables.ADMIN_EMAIL_DOMAIN",
      "x",
    ],
    ["a first admin domain", "Lambda::Function", /^Door/, "Environment.Variables.ADMIN_EMAILS", "gmail.com"],
    ["a function loads a file first", "Lambda::Function", /^Door/, "Environment.Variables.NODE_OPTIONS", "-r ./x.cjs"],
    ["code from another bucket", "Lambda::Function", /^Payments/, "Code", { S3Bucket: "other", S3Key: "a.zip" }],
    [
      "a function has every right on the table",
      "IAM::Policy",
      /^Prizes/,
      "PolicyDocument.Statement.1.Action",
      "dynamodb:*",
    ],
    [
      "a function may delete the table",
      "IAM::Policy",
      /^Prizes/,
      "PolicyDocument.Statement.1.Action",
      "dynamodb:DeleteTable",
    ],
    ["all but what is named", "IAM::Policy", /^Prizes/, more, { Effect: "Allow", NotAction: "s3:*", Resource: "*" }],
    ["every table", "IAM::Policy", /^Prizes/, more, grant("dynamodb:GetItem", () => "arn:aws:dynamodb:*:*:table/*")],
    ["every secret", "IAM::Policy", /^Payments/, more, grant("secretsmanager:GetSecretValue", () => "*")],
    [
      "one more function reads the ticket key",
      "IAM::Policy",
      /^PaymentWebhook/,
      more,
      grant("secretsmanager:GetSecretValue", (template) => ({ Ref: idOf(template, "SecretsManager::Secret") })),
    ],
    [
      "a consumer takes another's messages",
      "IAM::Policy",
      /^Chat/,
      more,
      grant("sqs:ReceiveMessage", (template) => arnOf(idOf(template, "SQS::Queue", /^MailQueue/))),
    ],
    ["other roles have a function's rights", "IAM::Policy", /^Prizes/, "Roles.[]", { Ref: "Other" }],
    [
      "a role is anybody's",
      "IAM::Role",
      /^Registrations/,
      "AssumeRolePolicyDocument.Statement.[]",
      { Principal: anyone },
    ],
    ["a role that nobody takes", "IAM::Role", /^Registrations/, "AssumeRolePolicyDocument.Statement.0.Effect", "Deny"],
    ["a role is an administrator", "IAM::Role", /^Registrations/, "ManagedPolicyArns", ["arn:aws:iam::aws:policy/X"]],
    ["every account's gateway calls a function", "Lambda::Permission", /apigateway/, "SourceArn"],
    ["every API calls a function", "Lambda::Permission", /apigateway/, "SourceArn", "arn:aws:execute-api:*:*:*"],
    ["the API changes a function", "Lambda::Permission", /apigateway/, "Action", "lambda:*"],
    ["a person calls a function", "Lambda::Permission", /apigateway/, "Principal", "123456789012"],
    [
      "anybody stores images",
      "S3::BucketPolicy",
      /./,
      more,
      { Effect: "Allow", Action: "s3:PutObject", Principal: anyone },
    ],
    ["no banner is shown", "S3::BucketPolicy", /./, "PolicyDocument.Statement", denials("S3::BucketPolicy")],
    ["access lists make images public", "S3::Bucket", /./, "PublicAccessBlockConfiguration.BlockPublicAcls", false],
    ["anybody writes into a queue", "SQS::QueuePolicy", /^MailQueue/, more, sends(anyone, { StringEquals: own })],
    ["every account's events fill a queue", "SQS::QueuePolicy", /^MailQueue/, more, sends(eventBridge)],
    [
      "the source of messages is any",
      "SQS::QueuePolicy",
      /^MailQueue/,
      more,
      sends(eventBridge, { ArnLike: { "aws:SourceArn": "*" } }),
    ],
    ["the source is any but one", "SQS::QueuePolicy", /^MailQueue/, more, sends(eventBridge, { StringNotEquals: own })],
    ["messages travel unencrypted", "SQS::QueuePolicy", /^MailQueue/, "PolicyDocument.Statement.0.Effect", "Allow"],
    ["a queue's policy is another queue's", "SQS::QueuePolicy", /^MailQueue/, "Queues", [{ Ref: "ChatQueue" }]],
    ["short passwords are taken", "Cognito::UserPool", /./, "Policies.PasswordPolicy.MinimumLength", 6],
    ["sign-ups are not looked at", "Cognito::UserPool", /./, "LambdaConfig", {}],
    [
      "the code is a link",
      "Cognito::UserPool",
      /./,
      "VerificationMessageTemplate.DefaultEmailOption",
      "CONFIRM_WITH_LINK",
    ],
    ["codes go to another site", "Cognito::UserPoolClient", /./, "CallbackURLs.[]", "http://app.club.example"],
    ["a web application cannot sign in", "Cognito::UserPoolClient", /./, "LogoutURLs", []],
    [
      "a rule also sends to another account",
      "Events::Rule",
      /^MailRule2/,
      "Targets.[]",
      { Arn: elsewhere, Id: "More" },
    ],
    ["a rule starts nothing", "Events::Rule", /^MailRule2/, "Targets", []],
  ];

/** By what would happen: a resource that is gone. The guard names it. */
export const removals: readonly (readonly [what: string, type: string, fits: RegExp])[] = [
  ["an alarm is gone", "CloudWatch::Alarm", anAlarm],
  ["nobody is told of the costs", "Budgets::Budget", /./],
  ["the gateway's refusals are not counted", "Logs::MetricFilter", /429/],
  ["the page of figures is gone", "CloudWatch::Dashboard", /./],
  ["no mail is sent", "Events::Rule", /^MailRule2/],
  ["nothing reads a queue", "Lambda::EventSourceMapping", /^MailLater/],
  ["a queue takes nothing", "SQS::QueuePolicy", /^MailQueue/],
  ["the sweeper may not run", "Lambda::Permission", /Sweeper/],
  ["a function may do nothing", "IAM::Policy", /^Registrations/],
  ["a route is gone", "ApiGatewayV2::Route", /"POST \/registrations"/],
];

/** By what would happen: a new resource, with the property that the guard names; without one it names the resource. */
export const additions: readonly (readonly [
  what: string,
  type: string,
  property: string,
  given: (template: StageTemplate) => Properties,
])[] = [
  [
    "a new route is public",
    "ApiGatewayV2::Route",
    "AuthorizationType",
    (template) => ({ ...found(template, "ApiGatewayV2::Route", /"JWT"/)[1].Properties, AuthorizationType: "NONE" }),
  ],
  ["anybody calls a function", "Lambda::Permission", "Principal", () => ({ Principal: "*" })],
  ["a function has an address of its own", "Lambda::Url", "", () => ({ AuthType: "NONE" })],
  ["messages leave by a new rule", "Events::Rule", "Targets", () => ({ Targets: [{ Arn: elsewhere }] })],
  [
    "the events of mails leave",
    "SES::ConfigurationSetEventDestination",
    "EventDestination",
    () => ({ EventDestination: { SnsDestination: elsewhere } }),
  ],
  ["a policy is a group's", "IAM::Policy", "Groups", () => ({ Groups: ["everyone"], PolicyDocument: {} })],
  [
    "a new role is anybody's",
    "IAM::Role",
    "AssumeRolePolicyDocument",
    () => ({ AssumeRolePolicyDocument: { Statement: [{ Principal: lambda }, { Principal: anyone }] } }),
  ],
  [
    "a second reader of a queue",
    "Lambda::EventSourceMapping",
    "EventSourceArn",
    (template) => ({ EventSourceArn: arnOf(idOf(template, "SQS::Queue", /^MailQueue/)) }),
  ],
  [
    "a new function has another's role",
    "Lambda::Function",
    "Role",
    (template) => found(template, "Lambda::Function", /^Payments/)[1].Properties,
  ],
  [
    "new routes take another pool's tokens",
    "ApiGatewayV2::Authorizer",
    "JwtConfiguration",
    () => ({ JwtConfiguration: otherPool, Name: "Other" }),
  ],
  [
    "new routes send tokens to another site",
    "ApiGatewayV2::Integration",
    "IntegrationUri",
    (template) => ({ ApiId: api(template), IntegrationUri: page }),
  ],
  ["another address without limits", "ApiGatewayV2::Stage", "StageName", () => ({ StageName: "open" })],
  ["an API that is one public function", "ApiGatewayV2::Api", "Target", () => ({ Target: "function" })],
  ["one more application signs people in", "Cognito::UserPoolClient", "UserPoolId", () => ({ UserPoolId: "x" })],
  [
    "one more provider signs people in",
    "Cognito::UserPoolIdentityProvider",
    "ProviderName",
    () => ({ ProviderName: "Google" }),
  ],
  [
    "a new bucket is public",
    "S3::Bucket",
    "PublicAccessBlockConfiguration",
    () => ({ PublicAccessBlockConfiguration: { BlockPublicAcls: false } }),
  ],
  ["a new bucket's list makes it public", "S3::Bucket", "AccessControl", () => ({ AccessControl: "PublicRead" })],
  ["a type that nobody knows comes", "IAM::User", "", () => ({})],
];

/** By what would happen: the edit, and the name by which a person may accept it. */
export const others: readonly (readonly [what: string, edit: Edit, name: RegExp])[] = [
  [
    "the next deploy may delete the table's name",
    (template) => Object.assign(found(template, "DynamoDB::Table")[1], { UpdateReplacePolicy: "Delete" }),
    /^Table\w+\.UpdateReplacePolicy$/,
  ],
  [
    "an alarm watches fewer queues",
    (template) => found(template, "CloudWatch::Alarm", /queue9/)[1].Properties.Metrics.pop(),
    /\.Metrics$/,
  ],
  [
    "an alarm watches one more queue, and another figure",
    (template) => {
      const [{ Expression }] = found(template, "CloudWatch::Alarm", /ChatFailures/)[1].Properties.Metrics;
      const parts = Expression["Fn::Join"][1];
      parts[0] = parts[0].replace("MessagesVisible", "MessagesDelayed");
      parts.push(" OR QueueName = '", { Ref: "More" }, "'");
    },
    /\.Metrics$/,
  ],
  [
    "an alarm becomes a query",
    (template) => {
      const id = idOf(template, "CloudWatch::Alarm", anAlarm);
      template.Resources[id] = { Type: "AWS::Logs::QueryDefinition", Properties: { Name: "x", QueryString: "x" } };
    },
    /^Monitoring\w*apiErrors\w+$/,
  ],
  [
    "a consumer is gone, and its queue is not",
    all(without("Lambda::Function", /^Chat/), without("Lambda::EventSourceMapping", /^Chat/)),
    /^ChatMessages\w+$/,
  ],
  [
    "mails come from any address",
    (template) => {
      const { Statement } = found(template, "IAM::Policy", /ses:FromAddress/)[1].Properties.PolicyDocument;
      for (const one of Statement) if (one.Condition) one.Condition = { StringLike: { "ses:FromAddress": "*" } };
    },
    /\.PolicyDocument$/,
  ],
  [
    "the web application finds another API",
    ({ Outputs }) => Object.assign(Outputs, { ApiUrl: { Value: page } }),
    /^Outputs\.ApiUrl$/,
  ],
  [
    "production is told a test's bootstrap",
    (template) => Object.assign(template, { Conditions: { Never: { "Fn::Equals": ["a", "b"] } } }),
    /^Template\.Conditions$/,
  ],
  [
    "a resource depends on a condition",
    (template) => Object.assign(found(template, "SQS::Queue", /^MailQueue/)[1], { Condition: "Never" }),
    /^MailQueue\w+\.Condition$/,
  ],
];

/** Copies what begins with a name, with references to it, and without rights on secrets. */
function copied({ Resources }: StageTemplate, from: string, to: string): void {
  for (const [id, resource] of Object.entries(Resources).filter(([name]) => name.startsWith(from))) {
    const copy = JSON.parse(JSON.stringify(resource).replaceAll(`"${from}`, `"${to}`));
    const document = copy.Properties.PolicyDocument;
    if (copy.Type === "AWS::IAM::Policy")
      document.Statement = document.Statement.filter((one: unknown) => !JSON.stringify(one).includes("secretsmanager"));
    Resources[id.replace(from, to)] = copy;
  }
}

/** What an ordinary month brings. */
export const ordinaryEdits: readonly (readonly [what: string, edit: Edit])[] = [
  ["new code", set("Lambda::Function", /^Payments/, "Code.S3Key", "other.zip")],
  ["a function with more time", set("Lambda::Function", /^Registrations/, "Timeout", 29)],
  ["a newer Node", set("Lambda::Function", /^Registrations/, "Runtime", "nodejs26.x")],
  ["another price", set("Lambda::Function", /^Payments/, "Environment.Variables.MEMBERSHIP_PRICE", "1600")],
  [
    "a route with another id",
    (template) => {
      const [id, route] = found(template, "ApiGatewayV2::Route", /"POST \/registrations"/);
      delete template.Resources[id];
      template.Resources[`Other${id}`] = route;
    },
  ],
  [
    "a consumer that reads one more kind of message",
    set("Events::Rule", /^MailRule2/, "EventPattern.detail-type.[]", "payment.more"),
  ],
  [
    "a new consumer with its alarms",
    (template) => {
      copied(template, "Chat", "More");
      const queue = idOf(template, "SQS::Queue", /^MoreFailures/);
      const [{ Expression }] = found(template, "CloudWatch::Alarm", /ChatFailures/)[1].Properties.Metrics;
      Expression["Fn::Join"][1].push(" OR QueueName = '", { "Fn::GetAtt": [queue, "QueueName"] }, "'");
      const { Metrics } = found(template, "CloudWatch::Alarm", /ChatQueue/)[1].Properties;
      const waiting = Metrics.find((metric: unknown) => JSON.stringify(metric).includes("ChatQueue"));
      Metrics.push({ ...JSON.parse(JSON.stringify(waiting).replace("ChatQueue", "MoreQueue")), Id: "queue10" });
      Metrics[0].Expression = Metrics[0].Expression.replace("])", ", FILL(queue10, 0) / 900])");
    },
  ],
  [
    "a new function with routes",
    (template) => {
      copied(template, "Feedback", "Survey");
      copied(template, "Apifeedback", "Apisurvey");
      const { Properties } = found(template, "ApiGatewayV2::Route", /"POST \/registrations"/)[1];
      const integration = idOf(template, "ApiGatewayV2::Integration", /^Apisurvey/);
      const Target = { "Fn::Join": ["", ["integrations/", { Ref: integration }]] };
      add("Survey", "ApiGatewayV2::Route", () => ({ ...Properties, RouteKey: "POST /survey", Target }))(template);
      const limit = { ThrottlingRateLimit: 30, ThrottlingBurstLimit: 60 };
      set("ApiGatewayV2::Stage", /./, "RouteSettings.POST /survey", limit)(template);
    },
  ],
  [
    "a right that other functions have",
    set(
      "IAM::Policy",
      /^Prizes/,
      more,
      grant("dynamodb:UpdateItem", (template) => arnOf(idOf(template, "DynamoDB::Table"))),
    ),
  ],
  [
    "longer logs and a longer archive",
    all(set("Logs::LogGroup", /^RelayLogs/, "RetentionInDays", 365), set("Events::Archive", /./, "RetentionDays", 365)),
  ],
  [
    "a second web application",
    all(
      set("ApiGatewayV2::Api", /./, "CorsConfiguration.AllowOrigins.[]", "https://app.club.example.org"),
      set("Cognito::UserPoolClient", /./, "CallbackURLs.[]", "http://localhost:3000"),
    ),
  ],
  ["another text of the code's mail", set("Cognito::UserPool", /./, "EmailVerificationSubject", "Your code")],
  ["one more output", ({ Outputs }) => Object.assign(Outputs, { More: { Value: "more" } })],
  [
    "another path in the metadata",
    (template) => Object.assign(found(template, "SQS::Queue")[1], { Metadata: { "aws:cdk:path": "x" } }),
  ],
];
