/** What the roles of the delivery may do (docs/deploy.md, "Roles"). The same policies suit people who run the commands. */
import { Effect, type PolicyStatementProps } from "aws-cdk-lib/aws-iam";
import { stackName } from "../stage-names.ts";
import type { StageConfig, StageName } from "../stages.ts";

/** Where the stacks are. */
export interface Place {
  readonly account: string;
  readonly region: string;
}

const everything = ["*"];

/** The stack of a stage, in ARNs of CloudFormation. */
const stackArn = (stage: StageName, { account, region }: Place): string =>
  `arn:aws:cloudformation:${region}:${account}:stack/${stackName(stage)}/*`;

/** The secrets of a stage. `stageProblems` refuses names that do not begin so. */
const secretsArn = (stage: StageName, { account, region }: Place): string =>
  `arn:aws:secretsmanager:${region}:${account}:secret:club-events/${stage}/*`;

/** The actions of `npm run preflight` that have no secret in their answer. */
export const preflightReads = [
  "cloudformation:DescribeStacks",
  "cloudformation:ListStackResources",
  "cognito-idp:DescribeUserPool",
  "cognito-idp:DescribeUserPoolClient",
  "dynamodb:ListTables",
  "freetier:GetAccountPlanState",
  "lambda:GetAccountSettings",
  "s3:GetAccountPublicAccessBlock",
  "ses:GetAccount",
  "ses:GetEmailIdentity",
  "sns:GetSubscriptionAttributes",
  "sns:ListSubscriptionsByTopic",
  "sts:GetCallerIdentity",
] as const;

const preflight = (stage: StageName, place: Place): PolicyStatementProps[] => [
  { actions: [...preflightReads], resources: everything },
  { actions: ["secretsmanager:GetSecretValue"], resources: [secretsArn(stage, place)] },
];

const smokeAccounts = [
  "cognito-idp:AdminCreateUser",
  "cognito-idp:AdminDeleteUser",
  "cognito-idp:AdminSetUserPassword",
] as const;

/** The actions of `npm run smoke`. */
export const smokeActions = [
  ...smokeAccounts,
  "cloudformation:ListStackResources",
  "logs:FilterLogEvents",
  "s3:DeleteObject",
  "secretsmanager:GetSecretValue",
] as const;

/**
 * The pool has its id only after the first deploy, and the stage's tag from its stack.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/tagging.html
 */
function smokePool({ name, identity }: StageConfig, { account, region }: Place): PolicyStatementProps {
  const pools = `arn:aws:cognito-idp:${region}:${account}:userpool/`;
  const actions = [...smokeAccounts];
  return identity.existing
    ? { actions, resources: [`${pools}${identity.existing.userPoolId}`] }
    : { actions, resources: [`${pools}*`], conditions: { StringEquals: { "aws:ResourceTag/stage": name } } };
}

/**
 * What preflight does not allow yet. CloudFormation begins the names of bucket and log groups with that of their stack,
 * the bucket's in lower case.
 */
const smoke = (stage: StageConfig, place: Place): PolicyStatementProps[] => [
  smokePool(stage, place),
  {
    actions: ["s3:DeleteObject"],
    resources: [`arn:aws:s3:::${stackName(stage.name).toLowerCase()}-*/event-thumbnails/smoke-*`],
  },
  {
    actions: ["logs:FilterLogEvents"],
    resources: [`arn:aws:logs:${place.region}:${place.account}:log-group:${stackName(stage.name)}-*`],
  },
];

/** The deploy itself: the roles of the CDK's bootstrap, without the lookup role, which may read all tables. */
const deploy = ({ account, region }: Place): PolicyStatementProps[] => [
  {
    actions: ["sts:AssumeRole"],
    resources: ["deploy", "file-publishing"].map(
      (role) => `arn:aws:iam::${account}:role/cdk-hnb659fds-${role}-role-${account}-${region}`,
    ),
  },
];

const onStack = (stage: StageName, place: Place, ...actions: readonly string[]): PolicyStatementProps => ({
  actions: actions.map((action) => `cloudformation:${action}`),
  resources: [stackArn(stage, place)],
});

/** Preflight, comparison, deploy and smoke run of one stage. */
export const deployStatements = (stage: StageConfig, place: Place): PolicyStatementProps[] => [
  ...preflight(stage.name, place),
  onStack(stage.name, place, "GetTemplate", "SetStackPolicy"),
  ...deploy(place),
  ...smoke(stage, place),
];

/**
 * What CloudFormation may do at most, as the boundary of the bootstrap's execution role: all but delete what holds
 * production's data. Its stack tags what it makes.
 * https://docs.aws.amazon.com/cdk/v2/guide/customize-permissions-boundaries.html
 */
export const boundaryStatements = ({ account, region }: Place): PolicyStatementProps[] => {
  const name = stackName("production");
  const tagged = { StringEquals: { "aws:ResourceTag/stage": "production" } };
  return [
    { actions: everything, resources: everything },
    {
      effect: Effect.DENY,
      actions: ["dynamodb:DeleteTable", "s3:DeleteBucket"],
      resources: [`arn:aws:dynamodb:${region}:${account}:table/${name}-*`, `arn:aws:s3:::${name.toLowerCase()}-*`],
    },
    {
      effect: Effect.DENY,
      actions: ["cognito-idp:DeleteUserPool", "secretsmanager:DeleteSecret"],
      resources: everything,
      conditions: tagged,
    },
  ];
};

/** The comparison in pull requests. It runs code that is not reviewed yet, so it reads no data. */
export const changesStatements = (stages: readonly StageName[], place: Place): PolicyStatementProps[] =>
  stages.map((stage) => onStack(stage, place, "DescribeStacks", "GetTemplate"));

/**
 * What CloudFormation reads, with the caller's permissions, to compare a resource: the `read` handlers of
 * https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-schema.html. Empty: the type has no drift.
 * Left out is what would read data, for which a missing permission makes one resource unknown: the values of secrets.
 */
export const driftReads: Readonly<Record<string, readonly string[]>> = {
  "AWS::ApiGatewayV2::Api": ["apigateway:GET"],
  "AWS::ApiGatewayV2::ApiMapping": ["apigateway:GET"],
  "AWS::ApiGatewayV2::Authorizer": ["apigateway:GET"],
  "AWS::ApiGatewayV2::DomainName": ["apigateway:GET"],
  "AWS::ApiGatewayV2::Integration": ["apigateway:GET"],
  "AWS::ApiGatewayV2::Route": ["apigateway:GET"],
  "AWS::ApiGatewayV2::Stage": ["apigateway:GET"],
  "AWS::Budgets::Budget": ["budgets:ViewBudget", "budgets:ListTagsForResource"],
  "AWS::CloudFront::Distribution": ["cloudfront:GetDistribution", "cloudfront:ListTagsForResource"],
  "AWS::CloudFront::Function": ["cloudfront:DescribeFunction", "cloudfront:GetFunction"],
  "AWS::CloudFront::OriginAccessControl": ["cloudfront:GetOriginAccessControl"],
  "AWS::CloudFront::ResponseHeadersPolicy": ["cloudfront:GetResponseHeadersPolicy"],
  "AWS::CloudWatch::Alarm": ["cloudwatch:DescribeAlarms", "cloudwatch:ListTagsForResource"],
  "AWS::CloudWatch::Dashboard": ["cloudwatch:GetDashboard", "cloudwatch:ListTagsForResource"],
  "AWS::Cognito::UserPool": ["cognito-idp:DescribeUserPool", "cognito-idp:GetUserPoolMfaConfig"],
  "AWS::Cognito::UserPoolClient": ["cognito-idp:DescribeUserPoolClient"],
  "AWS::Cognito::UserPoolDomain": ["cognito-idp:DescribeUserPoolDomain"],
  "AWS::Cognito::UserPoolIdentityProvider": ["cognito-idp:DescribeIdentityProvider"],
  "AWS::DynamoDB::Table": ["dynamodb:Describe*", "dynamodb:GetResourcePolicy", "dynamodb:ListTagsOfResource"],
  "AWS::Events::Archive": ["events:DescribeArchive"],
  "AWS::Events::EventBus": ["events:DescribeEventBus", "events:ListTagsForResource"],
  "AWS::Events::Rule": ["events:DescribeRule", "events:ListTargetsByRule", "events:ListTagsForResource"],
  "AWS::IAM::Policy": ["iam:GetRolePolicy"],
  "AWS::IAM::Role": ["iam:GetRole", "iam:GetRolePolicy", "iam:ListAttachedRolePolicies", "iam:ListRolePolicies"],
  "AWS::KMS::Key": ["kms:DescribeKey", "kms:GetKeyPolicy", "kms:GetKeyRotationStatus", "kms:ListResourceTags"],
  "AWS::Lambda::EventInvokeConfig": ["lambda:GetFunctionEventInvokeConfig"],
  "AWS::Lambda::EventSourceMapping": ["lambda:GetEventSourceMapping", "lambda:ListTags"],
  "AWS::Lambda::Function": [
    "lambda:GetFunction",
    "lambda:GetFunctionCodeSigningConfig",
    "lambda:GetFunctionRecursionConfig",
    "lambda:GetFunctionScalingConfig",
    "lambda:GetRuntimeManagementConfig",
  ],
  "AWS::Lambda::LayerVersion": ["lambda:GetLayerVersion"],
  "AWS::Lambda::Permission": ["lambda:GetPolicy"],
  "AWS::Logs::LogGroup": ["logs:Describe*", "logs:GetDataProtectionPolicy", "logs:ListTagsForResource"],
  "AWS::Logs::MetricFilter": ["logs:DescribeMetricFilters"],
  "AWS::Logs::QueryDefinition": ["logs:DescribeQueryDefinitions"],
  "AWS::S3::Bucket": [
    "s3:GetAccelerateConfiguration",
    "s3:GetAnalyticsConfiguration",
    "s3:GetBucket*",
    "s3:GetEncryptionConfiguration",
    "s3:GetIntelligentTieringConfiguration",
    "s3:GetInventoryConfiguration",
    "s3:GetLifecycleConfiguration",
    "s3:GetMetricsConfiguration",
    "s3:GetReplicationConfiguration",
    "s3:ListTagsForResource",
  ],
  "AWS::S3::BucketPolicy": ["s3:GetBucketPolicy"],
  "AWS::SES::ConfigurationSet": ["ses:DescribeConfigurationSet", "ses:GetConfigurationSet"],
  "AWS::SES::ConfigurationSetEventDestination": [
    "ses:DescribeConfigurationSet",
    "ses:GetConfigurationSetEventDestinations",
  ],
  "AWS::SNS::Subscription": ["sns:GetSubscriptionAttributes"],
  "AWS::SNS::Topic": [
    "sns:GetDataProtectionPolicy",
    "sns:GetTopicAttributes",
    "sns:ListSubscriptionsByTopic",
    "sns:ListTagsForResource",
  ],
  "AWS::SNS::TopicPolicy": ["sns:GetTopicAttributes"],
  "AWS::SQS::Queue": ["sqs:GetQueueAttributes", "sqs:ListQueueTags"],
  "AWS::SQS::QueuePolicy": ["sqs:GetQueueAttributes"],
  "AWS::SecretsManager::Secret": ["secretsmanager:DescribeSecret"],
  "Custom::CDKBucketDeployment": [],
};

/** The weekly comparison of what runs with what was deployed: reads of settings, and of no data. */
export const driftStatements = (): PolicyStatementProps[] => [
  {
    actions: [
      "cloudformation:DescribeStackDriftDetectionStatus",
      "cloudformation:DescribeStackResourceDrifts",
      "cloudformation:DescribeStacks",
      "cloudformation:DetectStackDrift",
      "cloudformation:DetectStackResourceDrift",
      ...new Set(Object.values(driftReads).flat()),
    ],
    resources: everything,
  },
];
