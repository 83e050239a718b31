/** Which resource types have content that a new resource would lack. */

type Properties = Readonly<Record<string, unknown>>;

/** What is lost with a resource, to complete "it holds …". */
const held: Readonly<Record<string, string>> = {
  "AWS::Cognito::UserPool": "the accounts and passwords of all people",
  "AWS::Cognito::UserPoolClient": "the id with which the web application signs people in",
  "AWS::Cognito::UserPoolDomain": "the address of the sign-in page",
  "AWS::DynamoDB::Table": "all records",
  "AWS::Events::Archive": "the messages of the last days, for a replay",
  "AWS::KMS::Key": "the key without which encrypted data cannot be read",
  "AWS::S3::Bucket": "the uploaded images",
  "AWS::SNS::Subscription": "the confirmation of its receiver",
  "AWS::SNS::Topic": "the confirmed subscriptions",
  "AWS::SQS::Queue": "messages that wait",
  "AWS::SecretsManager::Secret": "a secret, such as the key of all tickets",
};

/** Types without content. */
const stateless: ReadonlySet<string> = new Set([
  "AWS::ApiGatewayV2::Api",
  "AWS::ApiGatewayV2::ApiMapping",
  "AWS::ApiGatewayV2::Authorizer",
  "AWS::ApiGatewayV2::DomainName",
  "AWS::ApiGatewayV2::Integration",
  "AWS::ApiGatewayV2::Route",
  "AWS::ApiGatewayV2::Stage",
  "AWS::Budgets::Budget",
  "AWS::CloudWatch::Alarm",
  "AWS::CloudWatch::Dashboard",
  "AWS::Events::EventBus",
  "AWS::Events::Rule",
  "AWS::IAM::Policy",
  "AWS::IAM::Role",
  "AWS::Lambda::EventInvokeConfig",
  "AWS::Lambda::EventSourceMapping",
  "AWS::Lambda::Function",
  "AWS::Lambda::Permission",
  // Groups to keep have a retention policy, which is a separate reason.
  "AWS::Logs::LogGroup",
  "AWS::Logs::MetricFilter",
  "AWS::Logs::QueryDefinition",
  "AWS::S3::BucketPolicy",
  // SES's suppression list belongs to the account, not to a set.
  "AWS::SES::ConfigurationSet",
  "AWS::SES::ConfigurationSetEventDestination",
  "AWS::SNS::TopicPolicy",
  "AWS::SQS::QueuePolicy",
]);

/** Whether the type is in one of the two lists. A test checks this for all types in the stack. */
export const isKnownType = (type: string): boolean => type in held || stateless.has(type);

/**
 * What is lost with a resource; undefined for nothing. Unknown types count as having content. Pure.
 */
export function holds(type: string, properties: Properties = {}): string | undefined {
  // A stream mapping knows how far the stream was read. A new one begins at StartingPosition.
  if (type === "AWS::Lambda::EventSourceMapping" && properties.StartingPosition !== undefined) {
    return "its place in the stream";
  }
  if (stateless.has(type)) return undefined;
  return held[type] ?? `what tools/delivery/stateful.ts does not say, because it does not know the type ${type}`;
}
