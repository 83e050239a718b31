/** The properties that the local stage reads, by resource type, as CloudFormation describes them. */
import type { CorsRule, Statement } from "../bucket/index.ts";
import type { RuleProperties } from "../bus/index.ts";
import type { QueueMappingProperties, QueueProperties } from "../queues/index.ts";
import type { ScheduledRuleProperties } from "../schedules/index.ts";
import type { SecretProperties } from "../secrets/index.ts";
import type { StreamMappingProperties } from "../stream/index.ts";

export interface FunctionProperties {
  readonly Code: { readonly S3Key?: string };
  /** `<file>.<export>` */
  readonly Handler: string;
  readonly Environment?: { readonly Variables?: Readonly<Record<string, string>> };
  /** ARN of the role. */
  readonly Role: string;
  /** Seconds. */
  readonly Timeout?: number;
  /** Megabytes. */
  readonly MemorySize?: number;
  readonly Runtime?: string;
  readonly LoggingConfig?: { readonly LogGroup?: string };
}

/** One statement of a policy, with all references resolved. */
export interface PolicyStatement {
  readonly Effect: "Allow" | "Deny";
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

export interface PolicyDocument {
  readonly Statement: readonly PolicyStatement[];
}

export interface RoleProperties {
  readonly ManagedPolicyArns?: readonly string[];
  readonly Policies?: readonly { readonly PolicyDocument: PolicyDocument }[];
}

export interface PolicyProperties {
  readonly PolicyDocument: PolicyDocument;
  /** Names of the roles that have the policy. */
  readonly Roles: readonly string[];
}

export interface CorsConfiguration {
  readonly AllowOrigins?: readonly string[];
  readonly AllowMethods?: readonly string[];
  readonly AllowHeaders?: readonly string[];
  readonly ExposeHeaders?: readonly string[];
  readonly AllowCredentials?: boolean;
  /** Seconds. */
  readonly MaxAge?: number;
}

export interface RouteProperties {
  /** `METHOD /path` or `$default`. */
  readonly RouteKey: string;
  /** `integrations/<id>` */
  readonly Target?: string;
  readonly AuthorizationType?: "NONE" | "JWT";
  readonly AuthorizerId?: string;
  readonly AuthorizationScopes?: readonly string[];
}

export interface IntegrationProperties {
  readonly IntegrationType: string;
  readonly IntegrationUri: string;
  readonly PayloadFormatVersion?: string;
  readonly TimeoutInMillis?: number;
}

export interface AuthorizerProperties {
  readonly AuthorizerType: string;
  readonly IdentitySource: readonly string[];
  readonly JwtConfiguration: { readonly Issuer: string; readonly Audience: readonly string[] };
}

export interface RouteSettings {
  readonly DetailedMetricsEnabled?: boolean;
  readonly ThrottlingBurstLimit?: number;
  readonly ThrottlingRateLimit?: number;
}

export interface StageProperties {
  readonly StageName: string;
  readonly DefaultRouteSettings?: RouteSettings;
  /** By route key. */
  readonly RouteSettings?: Readonly<Record<string, RouteSettings>>;
}

export interface EventSourceMappingProperties extends StreamMappingProperties, QueueMappingProperties {
  /** Name or ARN. */
  readonly FunctionName: string;
}

export interface BucketProperties {
  readonly CorsConfiguration?: { readonly CorsRules: readonly CorsRule[] };
  readonly NotificationConfiguration?: {
    readonly EventBridgeConfiguration?: { readonly EventBridgeEnabled?: boolean };
  };
}

export interface BucketPolicyProperties {
  /** Name of the bucket. */
  readonly Bucket: string;
  readonly PolicyDocument: { readonly Statement: readonly Statement[] };
}

export interface ConfigurationSetEventDestinationProperties {
  /** Name of the set. */
  readonly ConfigurationSetName: string;
  readonly EventDestination: {
    readonly Enabled?: boolean;
    /** `bounce`, `complaint` and others. */
    readonly MatchingEventTypes: readonly string[];
    readonly EventBridgeDestination?: { readonly EventBusArn: string };
  };
}

/** Properties that a service reads itself. */
type Opaque = Readonly<Record<string, unknown>>;

export interface ResourceProperties {
  readonly "AWS::Lambda::EventSourceMapping": EventSourceMappingProperties;
  readonly "AWS::Lambda::Function": FunctionProperties;
  readonly "AWS::ApiGatewayV2::Api": { readonly CorsConfiguration?: CorsConfiguration };
  readonly "AWS::ApiGatewayV2::Route": RouteProperties;
  readonly "AWS::ApiGatewayV2::Integration": IntegrationProperties;
  readonly "AWS::ApiGatewayV2::Authorizer": AuthorizerProperties;
  readonly "AWS::ApiGatewayV2::Stage": StageProperties;
  readonly "AWS::Cognito::UserPool": Opaque;
  readonly "AWS::Cognito::UserPoolClient": Opaque;
  readonly "AWS::Cognito::UserPoolDomain": Opaque;
  readonly "AWS::DynamoDB::Table": Opaque;
  readonly "AWS::IAM::Policy": PolicyProperties;
  readonly "AWS::IAM::Role": RoleProperties;
  readonly "AWS::Events::EventBus": Opaque;
  readonly "AWS::Events::Rule": RuleProperties & ScheduledRuleProperties;
  readonly "AWS::Logs::LogGroup": Opaque;
  readonly "AWS::S3::Bucket": BucketProperties;
  readonly "AWS::S3::BucketPolicy": BucketPolicyProperties;
  readonly "AWS::SES::ConfigurationSet": Opaque;
  readonly "AWS::SES::ConfigurationSetEventDestination": ConfigurationSetEventDestinationProperties;
  readonly "AWS::SQS::Queue": QueueProperties;
  readonly "AWS::SecretsManager::Secret": SecretProperties;
}
