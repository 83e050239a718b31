/**
 * Which values of a resource may change by themselves: those of `lib/stages.ts`, new code, and what is stricter than before.
 * Every other change of a deployed resource is refused, and every new resource of a type that is not expected.
 */
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { type Change, type DeliveredTemplate, references, shapeOf } from "./template.ts";

/** What holds data, or is an address known outside: AWS refuses to replace and to delete it (`stackPolicy`). */
export const protectedTypes: readonly string[] = [
  ...["AWS::ApiGatewayV2::Api", "AWS::CloudFront::Distribution", "AWS::DynamoDB::Table", "AWS::KMS::Key"],
  ...["AWS::Cognito::UserPool", "AWS::Cognito::UserPoolClient", "AWS::Cognito::UserPoolDomain"],
  ...["AWS::S3::Bucket", "AWS::SecretsManager::Secret"],
];

/** What may leave the stack: code, and what belongs to it. */
export const mayLeave =
  /^AWS::(?:ApiGatewayV2::(?:Integration|Route)|IAM::(?:Policy|Role)|Lambda::(?:Function|Permission)|Logs::(?:LogGroup|Query\w+))$/;

/** What may come: functions with their routes and consumers, what watches them, a domain name of the API. */
export const mayCome =
  /^AWS::(?:ApiGatewayV2::(?:ApiMapping|DomainName|Integration|Route)|CloudWatch::Alarm|Events::Rule|IAM::(?:Policy|Role)|Lambda::(?:Event\w+|Function|Permission)|Logs::\w+|SQS::Queue(?:Policy)?)$/;

export interface Asked extends Change {
  readonly isNew: boolean;
  readonly deployed: DeliveredTemplate;
  readonly wanted: DeliveredTemplate;
}

/** What may become of a value, in words, and whether it does. */
type Rule = readonly [allowed: string, is: (asked: Asked) => boolean];

const within = (least: number, most: number): Rule => [
  `${least} to ${most}`,
  ({ after }) => Number(after) >= least && Number(after) <= most,
];
/** @param absent the value that AWS takes for an absent one, or for 0 */
const notLess = (absent = 0): Rule => [
  "as much or more",
  ({ before, after, isNew }) => isNew || Number(after || absent) >= Number(before || absent),
];
const only = (...values: readonly unknown[]): Rule => [values.join(" or "), ({ after }) => values.includes(after)];
const like = (allowed: string, pattern: RegExp): Rule => [allowed, ({ after }) => pattern.test(String(after))];
const whenNew = (allowed: string, is: Rule[1]): Rule => [
  `as it is; of something new ${allowed}`,
  (asked) => asked.isNew && is(asked),
];

const isOfStack = (value: unknown, { Resources = {} }: DeliveredTemplate): boolean =>
  [value].flat().every((one) => typeof one !== "string" && references(one).some((id) => id in Resources));
const ofStack = whenNew("a resource of the stack", ({ after, wanted }) => isOfStack(after, wanted));
const newToo = whenNew("something new too", ({ after, deployed }) => !isOfStack(after, deployed));
const mailbox = like("a mailbox", /^[^\s@]+@[\w.-]+$/);

/** The items of a list that another list lacks. */
const without = (all: unknown, others: unknown): unknown[] =>
  [all ?? []].flat().filter((one) => ![others ?? []].flat().some((other) => isDeepStrictEqual(one, other)));
const moreOrFewer: Rule = [
  "more or fewer, each as it was",
  ({ before, after }) => without(before, after).length === 0 || without(after, before).length === 0,
];
const more: Rule = ["more of them", ({ before, after }) => without(before, after).length === 0];
const addresses: Rule = [
  "addresses that begin with https:// and have no wildcard, one or more",
  ({ before, after, wanted }) =>
    [after ?? []].flat().length > 0 &&
    without(after, before).every(
      (one) => isOfStack(one, wanted) || /^https:\/\/[\w.:-]+(?:\/[^*\s]*)?$/.test(`${one}`),
    ),
];

/** The settings of a stage, without what functions get with a resource. */
const [listed = ""] = readFileSync(new URL("../../lambda/domain/settings.ts", import.meta.url), "utf8").split(
  "type OfResource",
);
const settings: ReadonlySet<string> = new Set(listed.match(/(?<=\| ")\w+/g));
const variable: Rule = [
  "a setting of lambda/domain/settings.ts, or a queue of the stack for given-up messages; else a name and value that are deployed",
  ({ path, after, deployed: { Resources = {} }, wanted }) => {
    const name = path.split(".").at(-1) ?? "";
    if (after === undefined || settings.has(name)) return true;
    // A consumer has a queue of its own for what it gives up.
    const { Ref = "" } = after as { readonly Ref?: string };
    if (name === "DEAD_LETTER_QUEUE" && wanted.Resources?.[Ref]?.Type === "AWS::SQS::Queue") return true;
    const known = Object.values(Resources).map(({ Properties }) => Properties?.Environment?.Variables?.[name]);
    if (known.some((value) => isDeepStrictEqual(value, after))) return true;
    const isName = name.endsWith("_SECRET") ? /^club-events\/\w+\/[\w-]+$/ : /^[\w,-]+$/;
    return /_SECRET$|SERVICE_NAME$|^PUBLIC_ROUTES$/.test(name) && known.some(Boolean) && isName.test(String(after));
  },
];

const dashboard: Rule = [
  "one that still shows all that it shows",
  ({ before, after }) => {
    const shown = (value: unknown) => [
      ...(JSON.stringify(value).match(/"(?:title|label)\\+":\\+"[^"]*/g) ?? []),
      ...references(value),
    ];
    return without(shown(before), shown(after)).length === 0;
  },
];

/** The query of an alarm reads each queue once. */
const moreQueues: Rule = [
  "the same query of more queues",
  ({ before, after, deployed, wanted }) => {
    const one = /,"' OR QueueName = '",\{"Fn::GetAtt":\["AWS::SQS::Queue","QueueName"\]\}/g;
    const isSame = shapeOf(before, deployed).replaceAll(one, "") === shapeOf(after, wanted).replaceAll(one, "");
    const queues = references(after);
    return isSame && new Set(queues).size === queues.length && without(references(before), queues).length === 0;
  },
];

/**
 * CloudFormation updates the table before the functions, and does not wait until an index is filled. Policies end the ARN of
 * an index with its name (`lib/table.ts`).
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-table.html#cfn-dynamodb-table-globalsecondaryindexes
 */
const indexes: Rule = [
  "in two deploys: an index that no function may query before and after, and its queries",
  ({ before, after, deployed, wanted }) => {
    const policies = [deployed, wanted].flatMap(({ Resources = {} }) =>
      Object.values(Resources).filter(({ Type }) => /IAM/.test(Type)),
    );
    const other = [...without(before, after), ...without(after, before)] as { IndexName: string }[];
    return !other.some(({ IndexName }) => new RegExp(`/index/(?:${IndexName}|\\*)"`).test(JSON.stringify(policies)));
  },
];

/** What a reviewer sees, and no rule judges. Grants are for `access.ts`. */
const shown = [
  "*.*Tags, *.Description, *.PolicyDocument, *.AssumeRolePolicyDocument, *.ManagedPolicyArns, IAM::Role.Policies",
  "ApiGatewayV2::DomainName.DomainNameConfigurations.*.CertificateArn",
  "ApiGatewayV2::Stage.RouteSettings.*.DetailedMetricsEnabled",
  "CloudFront::Distribution.DistributionConfig.Aliases, CloudFront::Function.FunctionCode",
  "CloudFront::Distribution.DistributionConfig.ViewerCertificate.AcmCertificateArn",
  "CloudWatch::Alarm.AlarmDescription, Custom::CDKBucketDeployment.S*, Lambda::Permission.*, Logs::QueryDefinition.*",
  "Cognito::UserPool.EmailConfiguration.*, Cognito::UserPool.EmailVerification*",
  "Cognito::UserPool.VerificationMessageTemplate, Lambda::Function.Code.S3Key, Lambda::LayerVersion.Content.S3Key",
].flatMap((paths) => paths.split(", ").map((path): readonly [string, Rule] => [path, ["anything", () => true]]));

/** By type and the begin of a path; `*` is any part of it. The first that fits decides. */
const rules: readonly (readonly [path: string, rule: Rule])[] = [
  ...shown,
  ["*.DeletionPolicy", like("a policy that keeps it", /^Retain/)],
  ["*.UpdateReplacePolicy", like("a policy that keeps it", /^Retain/)],
  ["ApiGatewayV2::Api.CorsConfiguration.AllowOrigins", addresses],
  ["ApiGatewayV2::Api.CorsConfiguration.*", more],
  ["ApiGatewayV2::Integration.IntegrationUri", ofStack],
  ["ApiGatewayV2::Route.AuthorizationType", only("JWT")],
  ["ApiGatewayV2::Route.AuthorizerId", ofStack],
  ["ApiGatewayV2::Route.Target", ["an integration of the stack", ({ after, wanted }) => isOfStack(after, wanted)]],
  ["ApiGatewayV2::Stage.*.Throttling*", within(20, 10_000)],
  ["Budgets::Budget.Budget.BudgetLimit.Amount", within(1, 1_000)],
  ["Budgets::Budget.*.Subscribers.*.Address", mailbox],
  [
    "CloudFront::Distribution.DistributionConfig.ViewerCertificate.MinimumProtocolVersion",
    like("TLS 1.2", /^TLSv1\.[23]_/),
  ],
  ["CloudFront::Distribution.DistributionConfig.ViewerCertificate.SslSupportMethod", only("sni-only")],
  ["CloudWatch::Alarm.AlarmActions", ofStack],
  ["CloudWatch::Alarm.ActionsEnabled", only(true)],
  ["CloudWatch::Alarm.Metrics.0.Expression", moreQueues],
  ["CloudWatch::Dashboard.DashboardBody", dashboard],
  ["Cognito::UserPool.DeletionProtection", only("ACTIVE")],
  ["Cognito::UserPool.Policies.PasswordPolicy.MinimumLength", notLess()],
  ["Cognito::UserPoolClient.CallbackURLs", addresses],
  ["Cognito::UserPoolClient.LogoutURLs", addresses],
  // "Replacement if you edit an existing AttributeDefinition."
  // https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-table.html
  ["DynamoDB::Table.AttributeDefinitions", moreOrFewer],
  ["DynamoDB::Table.DeletionProtectionEnabled", only(true)],
  ["DynamoDB::Table.*OnDemandThroughput.*", within(1_000, 40_000)],
  ["DynamoDB::Table.GlobalSecondaryIndexes", indexes],
  ["DynamoDB::Table.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled", only(true)],
  ["DynamoDB::Table.PointInTimeRecoverySpecification.RecoveryPeriodInDays", notLess(35)],
  // 0 is without an end. https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_UpdateArchive.html
  ["Events::Archive.RetentionDays", notLess(Number.POSITIVE_INFINITY)],
  ["Events::Rule.EventPattern.detail-type", more],
  ["Events::Rule.Targets", ofStack],
  // More than 10 need MaximumBatchingWindowInSeconds.
  // https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html
  ["Lambda::EventSourceMapping.BatchSize", within(1, 10)],
  ["Lambda::EventSourceMapping.ScalingConfig.MaximumConcurrency", within(2, 10)],
  ["Lambda::EventSourceMapping.EventSourceArn", newToo],
  [
    "Lambda::Function.Code",
    whenNew("in the CDK's bucket", ({ after }) => /cdk-hnb659fds-assets/.test(JSON.stringify(after))),
  ],
  ["Lambda::Function.Environment.Variables", variable],
  ["Lambda::Function.MemorySize", within(256, 3_008)],
  ["Lambda::Function.Timeout", within(5, 900)],
  ["Lambda::Function.Runtime", like("a supported one", /^nodejs(?:2[4-9]|[3-9]\d)\.x$|^python3\.1[3-9]$/)],
  ["Lambda::Function.Role", newToo],
  ["Logs::LogGroup.RetentionInDays", notLess(Number.POSITIVE_INFINITY)],
  ["S3::Bucket.CorsConfiguration.CorsRules.*.AllowedOrigins", addresses],
  ["S3::Bucket.PublicAccessBlockConfiguration", only(true)],
  ["SNS::Subscription.Endpoint", mailbox],
  // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html
  ["SQS::Queue.MessageRetentionPeriod", notLess(345_600)],
  ["SQS::Queue.VisibilityTimeout", within(180, 43_200)],
  ["SQS::Queue.SqsManagedSseEnabled", only(true)],
];
const patterns = rules.map(([path, rule]) => {
  const pattern = path.replaceAll(".", "\\.").replaceAll("*", ".*");
  return { pattern: new RegExp(`^${pattern}(?:\\.|$)`), rule };
});

/** A key of the payment provider or of AWS, or the content of a secret: those are read where they are used. */
const secret = /\b(?:sk|rk)_(?:live|test)_|\bwhsec_|\bAKIA[0-9A-Z]{16}|-----BEGIN|\{\{resolve:/;

/** Why a changed value is refused, as the end of a sentence; undefined: it may change. */
export function refusalOf(asked: Asked): string | undefined {
  const [before, after] = [asked.before, asked.after].map((value) => JSON.stringify(value ?? null));
  if (secret.test(after ?? "") && !secret.test(before ?? "")) return "a secret would be readable in the template";
  const known = patterns.find(({ pattern }) => pattern.test(`${asked.type}.${asked.path}`));
  if (known === undefined) return asked.isNew ? undefined : "nothing says that another value is as good";
  const [allowed, is] = known.rule;
  return is(asked) ? undefined : `allowed: ${allowed}`;
}
