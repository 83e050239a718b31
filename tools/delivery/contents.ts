/** What is lost with a resource of each type that the stack has. */

/** To complete "it holds …". */
const contents: Readonly<Record<string, string>> = {
  "AWS::Cognito::UserPool": "the accounts and passwords of all people",
  "AWS::Cognito::UserPoolClient": "the id with which the web application signs people in",
  "AWS::Cognito::UserPoolDomain": "the address of the sign-in page",
  "AWS::DynamoDB::Table": "all records",
  "AWS::Events::Archive": "the messages of the last days, for a replay",
  "AWS::KMS::Key": "the key without which encrypted data cannot be read",
  "AWS::CloudFront::Distribution": "the address of the pages, which mails name",
  "AWS::S3::Bucket": "the uploaded images, or the files of pages that are open",
  "AWS::SNS::Subscription": "the confirmation of its receiver",
  "AWS::SNS::Topic": "the confirmed subscriptions",
  "AWS::SQS::Queue": "messages that wait",
  "AWS::SecretsManager::Secret": "a secret, such as the key of all tickets",
};

/** A new one is equivalent, unless a policy or an output says otherwise. */
const empty: ReadonlySet<string> = new Set([
  ...["Api", "ApiMapping", "Authorizer", "DomainName", "Integration", "Route", "Stage"].map(
    (name) => `AWS::ApiGatewayV2::${name}`,
  ),
  "AWS::Budgets::Budget",
  ...["Function", "OriginAccessControl", "ResponseHeadersPolicy"].map((name) => `AWS::CloudFront::${name}`),
  "AWS::CloudWatch::Alarm",
  "AWS::CloudWatch::Dashboard",
  "AWS::Cognito::UserPoolIdentityProvider",
  "AWS::Events::EventBus",
  "AWS::Events::Rule",
  "AWS::IAM::Policy",
  "AWS::IAM::Role",
  "AWS::Lambda::EventInvokeConfig",
  "AWS::Lambda::Function",
  "AWS::Lambda::Permission",
  "AWS::Logs::LogGroup",
  "AWS::Logs::MetricFilter",
  "AWS::Logs::QueryDefinition",
  "AWS::S3::BucketPolicy",
  "AWS::SES::ConfigurationSet",
  "AWS::SES::ConfigurationSetEventDestination",
  "AWS::SNS::TopicPolicy",
  "AWS::Lambda::LayerVersion",
  "AWS::SQS::QueuePolicy",
  "Custom::CDKBucketDeployment",
]);

/** What is lost with a resource; undefined for nothing. A type that is not listed here counts as having content. */
export function contentOf(type: string, properties: Readonly<Record<string, unknown>> = {}): string | undefined {
  // A stream mapping knows how far the stream was read. A new one begins at StartingPosition.
  if (type === "AWS::Lambda::EventSourceMapping") {
    return properties.StartingPosition === undefined ? undefined : "its place in the stream";
  }
  if (empty.has(type)) return undefined;
  return contents[type] ?? `what tools/delivery/contents.ts does not say, because it does not know the type ${type}`;
}
