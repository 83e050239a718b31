/** Dangerous edits of production's template that look like ordinary ones: more of something, or the same in another shape. */
import { add, change, type Edit, found, idOf, type Properties, without } from "./template-edits.ts";

const [elsewhere, page] = ["arn:aws:sqs:ca-central-1:999999999999:x", "http://localhost.evil.example"];
const arnOf = (id: string) => ({ "Fn::GetAtt": [id, "Arn"] });

/** One more statement in a function's policy. */
const grant =
  (fits: RegExp, Action: string | readonly string[], resource: (template: Parameters<Edit>[0]) => unknown): Edit =>
  (template) =>
    found(template, "IAM::Policy", fits)[1].Properties.PolicyDocument.Statement.push({
      Effect: "Allow",
      Action,
      Resource: resource(template),
    });

/** Only the denials stay. */
const onlyDenials = ({ PolicyDocument }: Properties): void => {
  PolicyDocument.Statement = PolicyDocument.Statement.filter(({ Effect }: { Effect: string }) => Effect === "Deny");
};

const mailSource = (Condition: object): Edit =>
  change("SQS::QueuePolicy", /^MailQueue/, ({ PolicyDocument }) => {
    PolicyDocument.Statement.find(({ Effect }: { Effect: string }) => Effect === "Allow").Condition = Condition;
  });

const variable = (fits: RegExp, name: string, value: string): Edit =>
  change("Lambda::Function", fits, ({ Environment }) => {
    Environment.Variables[name] = value;
  });

const set = (type: string, fits: RegExp, more: object): Edit =>
  change(type, fits, (properties) => Object.assign(properties, more));

const all =
  (...edits: readonly Edit[]): Edit =>
  (template) => {
    for (const edit of edits) edit(template);
  };

const api = (template: Parameters<Edit>[0]) => ({ Ref: idOf(template, "ApiGatewayV2::Api") });

/** By what would happen: the edit, and the name by which a person may accept it. */
export const disguisedEdits: Readonly<Record<string, readonly [Edit, RegExp]>> = {
  "a rule sends messages to another account, too": [
    change("Events::Rule", /^MailRule2/, ({ Targets }) => Targets.push({ Arn: elsewhere, Id: "More" })),
    /^MailRule2\w+\.Targets$/,
  ],
  "a new rule sends messages to another account": [
    add("Leak", "Events::Rule", () => ({ EventPattern: { source: ["club.events"] }, Targets: [{ Arn: elsewhere }] })),
    /^Leak\.Targets$/,
  ],
  "the events of mails go to another account": [
    add("Leak", "SES::ConfigurationSetEventDestination", () => ({ EventDestination: { SnsDestination: elsewhere } })),
    /^Leak\.EventDestination$/,
  ],
  "a rule has one more condition, deep inside": [
    change("Events::Rule", /^MailRule6/, ({ EventPattern }) => {
      EventPattern.detail.data.isPartner = [true];
    }),
    /^MailRule6\w+\.EventPattern$/,
  ],
  "a queue's policy lacks its rule": [
    change("SQS::QueuePolicy", /^MailQueue/, onlyDenials),
    /^MailQueuePolicy\w+\.PolicyDocument$/,
  ],
  "a queue's policy is another queue's": [
    set("SQS::QueuePolicy", /^MailQueue/, { Queues: [{ Ref: "ChatQueue" }] }),
    /^MailQueuePolicy\w+\.Queues$/,
  ],
  "no alarm reaches the topic": [change("SNS::TopicPolicy", /./, onlyDenials), /\.PolicyDocument$/],
  "no banner is shown": [change("S3::BucketPolicy", /./, onlyDenials), /\.PolicyDocument$/],
  "the source of messages is any": [mailSource({ ArnLike: { "aws:SourceArn": "*" } }), /\.PolicyDocument$/],
  "the source is any but one": [mailSource({ StringNotEquals: { "aws:SourceAccount": "1" } }), /\.PolicyDocument$/],
  "every API calls a function": [
    set("Lambda::Permission", /apigateway/, { SourceArn: "arn:aws:execute-api:*:*:*" }),
    /\.SourceArn$/,
  ],
  "the API changes a function": [set("Lambda::Permission", /apigateway/, { Action: "lambda:*" }), /\.Action$/],
  "the API may call another function": [
    set("Lambda::Permission", /apigateway/, { FunctionName: "Sweeper" }),
    /\.FunctionName$/,
  ],
  "rights on every table": [
    grant(/^Prizes/, "dynamodb:GetItem", () => "arn:aws:dynamodb:*:*:table/*"),
    /\.PolicyDocument$/,
  ],
  "rights on every object": [
    grant(/s3:DeleteObject/, "s3:DeleteObject", (template) => ({
      "Fn::Join": ["", [arnOf(idOf(template, "S3::Bucket")), "/*"]],
    })),
    /\.PolicyDocument$/,
  ],
  "one more function reads the ticket key": [
    grant(/^PaymentWebhook/, "secretsmanager:GetSecretValue", (template) => ({
      Ref: idOf(template, "SecretsManager::Secret"),
    })),
    /\.PolicyDocument$/,
  ],
  "one more function changes accounts": [
    grant(/^Feedback/, "cognito-idp:AdminLinkProviderForUser", (template) =>
      arnOf(idOf(template, "Cognito::UserPool")),
    ),
    /\.PolicyDocument$/,
  ],
  "a consumer takes another's messages": [
    grant(/^Chat/, ["sqs:ReceiveMessage", "sqs:DeleteMessage"], (template) =>
      arnOf(idOf(template, "SQS::Queue", /^MailQueue/)),
    ),
    /\.PolicyDocument$/,
  ],
  "mails come from any address": [
    change("IAM::Policy", /ses:FromAddress/, ({ PolicyDocument }) => {
      for (const statement of PolicyDocument.Statement)
        if (statement.Condition) statement.Condition = { StringLike: { "ses:FromAddress": "*" } };
    }),
    /\.PolicyDocument$/,
  ],
  "a policy is a group's": [
    add("Group", "IAM::Policy", () => ({ Groups: ["everyone"], PolicyDocument: {}, PolicyName: "group" })),
    /^Group\.Groups$/,
  ],
  "a role that nobody takes": [
    change("IAM::Role", /^Registrations/, ({ AssumeRolePolicyDocument }) => {
      AssumeRolePolicyDocument.Statement[0].Effect = "Deny";
    }),
    /\.AssumeRolePolicyDocument$/,
  ],
  "a second reader of a queue": [
    add("Second", "Lambda::EventSourceMapping", (template) => ({
      EventSourceArn: arnOf(idOf(template, "SQS::Queue", /^MailQueue/)),
      FunctionName: { Ref: idOf(template, "Lambda::Function", /^Chat/) },
    })),
    /^Second\.EventSourceArn$/,
  ],
  "a consumer is gone, and its queue is not": [
    all(without("Lambda::Function", /^Chat/), without("Lambda::EventSourceMapping", /^Chat/)),
    /^ChatMessages\w+$/,
  ],
  "code from another bucket": [
    set("Lambda::Function", /^Payments/, { Code: { S3Bucket: "other", S3Key: "a.zip" } }),
    /\.Code$/,
  ],
  "another handler": [set("Lambda::Function", /^Payments/, { Handler: "index.nothing" }), /\.Handler$/],
  "an older Node": [set("Lambda::Function", /^Payments/, { Runtime: "nodejs18.x" }), /\.Runtime$/],
  "volunteers are sent to another site": [variable(/^Door/, "DOOR_PAGE", page), /\.Environment$/],
  "a function loads a file first": [variable(/^Door/, "NODE_OPTIONS", "--require ./other.cjs"), /\.Environment$/],
  "a first admin domain": [variable(/^Door/, "ADMIN_EMAILS", "gmail.com"), /\.Environment$/],
  "a new function has another's role": [
    (template) => {
      template.Resources.Spy = structuredClone(found(template, "Lambda::Function", /^Payments/)[1]);
      template.Resources.Spy.Properties.Description = "Spy";
    },
    /^Spy\.Role$/,
  ],
  "new routes take another pool's tokens": [
    add("Other", "ApiGatewayV2::Authorizer", (template) => ({
      ApiId: api(template),
      JwtConfiguration: { Issuer: "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_other" },
      Name: "Other",
    })),
    /^Other\.JwtConfiguration$/,
  ],
  "new routes send tokens to another site": [
    add("Site", "ApiGatewayV2::Integration", (template) => ({ ApiId: api(template), IntegrationUri: page })),
    /^Site\.IntegrationUri$/,
  ],
  "another address without limits": [
    add("Stage", "ApiGatewayV2::Stage", (template) => ({ ApiId: api(template), AutoDeploy: true, StageName: "open" })),
    /^Stage\.StageName$/,
  ],
  "an API that is one public function": [
    add("Quick", "ApiGatewayV2::Api", (template) => ({ Target: arnOf(idOf(template, "Lambda::Function")) })),
    /^Quick\.Target$/,
  ],
  "nobody can register": [
    change("ApiGatewayV2::Stage", /./, ({ RouteSettings }) => {
      RouteSettings["POST /registrations"] = { ThrottlingRateLimit: 0, ThrottlingBurstLimit: 0 };
    }),
    /\.RouteSettings$/,
  ],
  "an origin that is not the laptop": [
    change("ApiGatewayV2::Api", /./, ({ CorsConfiguration }) => CorsConfiguration.AllowOrigins.push(page)),
    /\.CorsConfiguration$/,
  ],
  "codes go to a site that is not the laptop": [
    change("Cognito::UserPoolClient", /./, ({ CallbackURLs }) => CallbackURLs.push(page)),
    /\.CallbackURLs$/,
  ],
  "one more application signs people in": [
    add("Client", "Cognito::UserPoolClient", (template) => ({
      UserPoolId: { Ref: idOf(template, "Cognito::UserPool") },
    })),
    /^Client\.UserPoolId$/,
  ],
  "claims come from another account": [
    change("Cognito::UserPool", /./, ({ LambdaConfig }) => {
      LambdaConfig.PreTokenGeneration = "arn:aws:lambda:us-east-1:999999999999:function:x";
    }),
    /\.LambdaConfig$/,
  ],
  "the code is a link": [
    change("Cognito::UserPool", /./, ({ VerificationMessageTemplate }) => {
      VerificationMessageTemplate.DefaultEmailOption = "CONFIRM_WITH_LINK";
    }),
    /\.VerificationMessageTemplate$/,
  ],
  "an index takes a write a second": [
    change("DynamoDB::Table", /./, ({ GlobalSecondaryIndexes: [index] }) => {
      index.OnDemandThroughput = { MaxReadRequestUnits: 1, MaxWriteRequestUnits: 1 };
    }),
    /\.GlobalSecondaryIndexes$/,
  ],
  "recovery goes back a day": [
    change("DynamoDB::Table", /./, ({ PointInTimeRecoverySpecification }) => {
      PointInTimeRecoverySpecification.RecoveryPeriodInDays = 1;
    }),
    /\.PointInTimeRecoverySpecification$/,
  ],
  "a new bucket is public": [
    add("Public", "S3::Bucket", () => ({ PublicAccessBlockConfiguration: { BlockPublicAcls: false } })),
    /^Public\.PublicAccessBlockConfiguration$/,
  ],
  "a new bucket's list makes it public": [
    add("Public", "S3::Bucket", () => ({ AccessControl: "PublicRead" })),
    /^Public\.AccessControl$/,
  ],
  "an alarm watches one more queue, and another figure": [
    change("CloudWatch::Alarm", /ChatFailures/, ({ Metrics: [{ Expression }] }) => {
      const parts = Expression["Fn::Join"][1];
      parts[0] = parts[0].replace("MessagesVisible", "MessagesDelayed");
      parts.push(" OR QueueName = '", { Ref: "More" }, "'");
    }),
    /\.Metrics$/,
  ],
  "the web application finds another API": [
    ({ Outputs }) => {
      Outputs.ApiUrl = { Value: page };
    },
    /^Outputs\.ApiUrl$/,
  ],
  "an alarm becomes a query": [
    (template) => {
      const [id] = found(template, "CloudWatch::Alarm", /People get errors/);
      template.Resources[id] = { Type: "AWS::Logs::QueryDefinition", Properties: { Name: "x", QueryString: "x" } };
    },
    /^Monitoring\w*apiErrors\w+$/,
  ],
  "the page of figures is gone": [without("CloudWatch::Dashboard", /./), /^Monitoring/],
};
