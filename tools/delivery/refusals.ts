/**
 * Changes of resources that stay, which lose data, stop the service, take a way back, or open what was closed. What a deploy deletes or replaces:
 * `losses.ts`.
 */
import { isDeepStrictEqual } from "node:util";
import type { Resource, TemplateDiff } from "@aws-cdk/cloudformation-diff";
import { keeps } from "./losses.ts";
import { asReturned, type DeliveredTemplate } from "./template.ts";

export interface Refusal {
  /** `<logical id>.<property>`, for `--accept`. Finer than that of a loss: an operator who accepts a setting accepts no loss. */
  readonly name: string;
  readonly type: string;
  /** What would happen, and the way to do it instead. */
  readonly text: string;
}

/** The change of one property; undefined where it is absent. The shapes are those of CloudFormation. */
interface Change<Value> {
  readonly before: Value | undefined;
  readonly after: Value | undefined;
  readonly deployed: DeliveredTemplate;
  readonly wanted: DeliveredTemplate;
}

/** One text for each thing that is wrong with the change. */
// biome-ignore lint/suspicious/noExplicitAny: each judge names the shape of its property
type Judge = (change: Change<any>) => readonly string[];

interface Index {
  readonly IndexName: string;
}

/** The indexes that one list has and the other lacks, by name. */
const without = (indexes: readonly Index[], others: readonly Index[]): Index[] =>
  indexes.filter(({ IndexName }) => !others.some((other) => other.IndexName === IndexName));

/** Policies end the ARN of an index with its name (`lib/table.ts`); `*` would be all. */
const mayQuery = (policy: Resource, index: string): boolean => {
  const text = JSON.stringify(policy.Properties ?? {});
  return text.includes(`/index/${index}"`) || text.includes('/index/*"');
};

/** The logical ids of the policies, deployed or new, that allow queries of an index. */
function policiesFor(index: string, ...templates: readonly DeliveredTemplate[]): string {
  const all = templates.flatMap(({ Resources = {} }) => Object.entries(Resources));
  const some = all.filter(([, one]) => one.Type.startsWith("AWS::IAM::") && mayQuery(one, index));
  return [...new Set(some.map(([id]) => id))].join(", ");
}

/**
 * The table is updated before the functions, which refer to it, and "CloudFormation doesn't wait for the index to complete
 * creation." Another key or projection of an index, and two indexes at once, CloudFormation refuses itself.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-table.html#cfn-dynamodb-table-globalsecondaryindexes
 */
function indexes({ before = [], after = [], deployed, wanted }: Change<readonly Index[]>): string[] {
  const queried = (some: readonly Index[], text: (index: string, policies: string) => string) =>
    some.flatMap(({ IndexName }) => {
      const policies = policiesFor(IndexName, deployed, wanted);
      return policies === "" ? [] : [text(IndexName, policies)];
    });
  return [
    ...queried(
      without(before, after),
      (index, policies) =>
        `the index ${index} would be removed while functions may query it (${policies}), and their queries would fail. Instead, in two deploys: take "Query ${index}" away from the functions; remove the index.`,
    ),
    ...queried(
      without(after, before),
      (index, policies) =>
        `functions could query the new index ${index} (${policies}) before it is filled: CloudFormation does not wait for that. Instead, in two deploys: add the index; when it is ACTIVE, let the functions query it.`,
    ),
  ];
}

interface Definition {
  readonly AttributeName: string;
  readonly AttributeType: string;
}

/**
 * "Replacement if you edit an existing AttributeDefinition", which the differences do not know.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-table.html#cfn-dynamodb-table-attributedefinitions
 */
function keyTypes({ before = [], after = [] }: Change<readonly Definition[]>): string[] {
  const changed = before.filter(({ AttributeName, AttributeType }) =>
    after.some((other) => other.AttributeName === AttributeName && other.AttributeType !== AttributeType),
  );
  return changed.map(
    ({ AttributeName }) =>
      `the table would be replaced by a new, empty one, because the type of the key ${AttributeName} changes. Instead, use a new attribute.`,
  );
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/pointintimerecovery_restores.html */
function recovery({ before, after }: Change<Readonly<Record<string, unknown>>>): string[] {
  if (!before?.PointInTimeRecoveryEnabled) return [];
  if (!after?.PointInTimeRecoveryEnabled) {
    return ["point-in-time recovery would be turned off. Turned on again, it goes back to no earlier time than that."];
  }
  const [from, to] = [before, after].map(({ RecoveryPeriodInDays = 35 }) => Number(RecoveryPeriodInDays));
  return Number(to) < Number(from) ? [`recovery would go back ${to} days instead of ${from}.`] : [];
}

interface Lifecycle {
  readonly Rules?: readonly unknown[];
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/intro-lifecycle-rules.html */
const lifecycle = ({ before, after }: Change<Lifecycle>): string[] =>
  (after?.Rules ?? []).every((rule) => before?.Rules?.some((other) => isDeepStrictEqual(rule, other)))
    ? []
    : ["a new rule would expire or move objects, also those that are there already."];

/** Refuses a shorter time. @param absent the value that AWS takes for an absent one, or for 0 */
const keptFor =
  (what: string, unit: string, absent: number): Judge =>
  ({ before, after }) => {
    const [from, to] = [before, after].map((time) => Number(time || absent));
    return Number(to) < Number(from)
      ? [`${what} would be kept for ${to} ${unit} instead of ${from}; older ones are deleted.`]
      : [];
  };

/** The protection of a table or pool against its deletion. */
const isProtected = (value: unknown): boolean => value === true || value === "ACTIVE";
const deletion: Judge = ({ before, after }) =>
  isProtected(before) && !isProtected(after)
    ? [
        "its deletion protection would be turned off. To delete the stage, deploy by hand with -c firstDeploy=true (docs/deploy.md).",
      ]
    : [];

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-access-control.html */
const authorization: Judge = ({ before, after }) =>
  before === "JWT" && after !== "JWT" ? ["the route could be called without a token."] : [];

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html */
function publicAccess({ before = {}, after = {} }: Change<Readonly<Record<string, boolean>>>): string[] {
  const opened = Object.keys(before).filter((block) => before[block] && !after[block]);
  return opened.length > 0 ? [`it could be made public: ${opened.join(", ")} would be off.`] : [];
}

/** By type and property. Other changes are harmless, or a test of the template or AWS itself refuses them. */
const judges: Readonly<Record<string, Readonly<Record<string, Judge>>>> = {
  "AWS::ApiGatewayV2::Route": { AuthorizationType: authorization },
  "AWS::Cognito::UserPool": { DeletionProtection: deletion },
  "AWS::DynamoDB::Table": {
    AttributeDefinitions: keyTypes,
    DeletionProtectionEnabled: deletion,
    GlobalSecondaryIndexes: indexes,
    PointInTimeRecoverySpecification: recovery,
    // https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-dynamodb-table-streamspecification.html
    StreamSpecification: ({ before }) =>
      before === undefined
        ? []
        : ["DynamoDB would end the stream; what the relay has not read of it would not be sent."],
  },
  // 0 is without an end. https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_UpdateArchive.html
  "AWS::Events::Archive": { RetentionDays: keptFor("messages", "days", Number.POSITIVE_INFINITY) },
  // https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy.html
  "AWS::Logs::LogGroup": { RetentionInDays: keptFor("logs", "days", Number.POSITIVE_INFINITY) },
  "AWS::S3::Bucket": { LifecycleConfiguration: lifecycle, PublicAccessBlockConfiguration: publicAccess },
  // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html
  "AWS::SQS::Queue": { MessageRetentionPeriod: keptFor("messages", "s", 345_600) },
  "AWS::SecretsManager::Secret": {
    // https://github.com/aws/aws-cdk/issues/19985
    GenerateSecretString: () => [
      "CloudFormation would write a new value. If it is the key of the tickets, every ticket that was issued is void.",
    ],
  },
};

/** Beside the properties. */
const policy: Judge = ({ before, after }) =>
  keeps(before) && !keeps(after) ? ["a later deploy, or the deletion of the stack, could delete it."] : [];
const ofEveryType: Readonly<Record<string, Judge>> = { DeletionPolicy: policy, UpdateReplacePolicy: policy };

/** The refusals among the differences, sorted by name. Pure. */
export function refusals(deployed: DeliveredTemplate, wanted: DeliveredTemplate, diff: TemplateDiff): Refusal[] {
  const templates = { deployed: asReturned(deployed), wanted: asReturned(wanted) };
  const found: Refusal[] = [];
  const judge = (id: string, type: string, by: Readonly<Record<string, Judge>>, from: object, to: object): void => {
    const [old, after] = [from, to] as Readonly<Record<string, unknown>>[];
    for (const [name, judgeOf] of Object.entries(by)) {
      if (isDeepStrictEqual(old?.[name], after?.[name])) continue;
      const texts = judgeOf({ before: old?.[name], after: after?.[name], ...templates });
      found.push(...texts.map((text) => ({ name: `${id}.${name}`, type, text })));
    }
  };
  diff.resources.forEachDifference((id, { oldValue, newValue }) => {
    if (!oldValue || !newValue) return;
    judge(id, newValue.Type, judges[newValue.Type] ?? {}, oldValue.Properties ?? {}, newValue.Properties ?? {});
    judge(id, newValue.Type, ofEveryType, oldValue, newValue);
  });
  for (const [name, { Value }] of Object.entries(templates.deployed.Outputs ?? {})) {
    if (isDeepStrictEqual(Value, templates.wanted.Outputs?.[name]?.Value)) continue;
    const text = "the web application or a command would read something else, or nothing.";
    found.push({ name: `Outputs.${name}`, type: "the template", text });
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}
