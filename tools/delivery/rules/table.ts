/** Changes of the table that CloudFormation or DynamoDB refuses, that break running functions, or that take a protection away. */
import { isDeepStrictEqual } from "node:util";
import type { Resource } from "@aws-cdk/cloudformation-diff";
import { type Change, type DeliveredTemplate, harmless, type Judge, noLess, type TypeRules } from "./rule.ts";

interface Index {
  readonly IndexName: string;
  readonly KeySchema: unknown;
  readonly Projection: unknown;
}

/** Policies end the ARN of an index with its name (`lib/table.ts`); `*` would be all. */
const mayQuery = (policy: Resource, index: string): boolean => {
  const text = JSON.stringify(policy.Properties ?? {});
  return text.includes(`/index/${index}"`) || text.includes('/index/*"');
};

/** The logical ids of the policies, deployed or new, that allow queries of an index. */
const policiesFor = (index: string, ...templates: readonly DeliveredTemplate[]): readonly string[] => {
  const all = templates.flatMap(({ Resources = {} }) => Object.entries(Resources));
  return [
    ...new Set(all.filter(([, one]) => one.Type.startsWith("AWS::IAM::") && mayQuery(one, index)).map(([id]) => id)),
  ];
};

const namesOf = (indexes: readonly Index[]) => indexes.map(({ IndexName }) => IndexName).join(", ");

/** The indexes that one list has and the other lacks, by name. */
const without = (indexes: readonly Index[], others: readonly Index[]): Index[] =>
  indexes.filter(({ IndexName }) => !others.some((other) => other.IndexName === IndexName));

const oneByOne =
  "Instead, in three deploys: add the new index beside the old one; let the functions query the new one; remove the old one.";

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-table.html#cfn-dynamodb-table-globalsecondaryindexes */
function changedIndexes({ before = [], after = [] }: Change<readonly Index[]>): string[] {
  return before.flatMap((index) => {
    const other = after.find(({ IndexName }) => IndexName === index.IndexName);
    if (other === undefined) return [];
    const parts = (["KeySchema", "Projection"] as const).filter((part) => !isDeepStrictEqual(index[part], other[part]));
    return parts.length === 0
      ? []
      : [
          `CloudFormation cannot change the ${parts.join(" and ")} of the index ${index.IndexName}: the deploy would fail. ${oneByOne}`,
        ];
  });
}

/**
 * Writes that an index does not take are refused by the table.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html
 */
function indexSettings({ before = [], after = [] }: Change<readonly Index[]>): string[] {
  const settingsOf = (index: Index) => ({ ...index, KeySchema: undefined, Projection: undefined });
  const changed = before.filter((index) => {
    const other = after.find(({ IndexName }) => IndexName === index.IndexName);
    return other && !isDeepStrictEqual(settingsOf(index), settingsOf(other));
  });
  return changed.length === 0
    ? []
    : [`what ${namesOf(changed)} can take would change. The table refuses writes that an index does not take.`];
}

/**
 * "You can create or delete only one global secondary index per UpdateTable operation."
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html
 */
function severalIndexes({ before = [], after = [] }: Change<readonly Index[]>): string[] {
  const [added, removed] = [without(after, before), without(before, after)];
  if (added.length + removed.length < 2) return [];
  const [[from], [to]] = [removed, added];
  if (added.length === 1 && removed.length === 1 && from && to) {
    return [
      `CloudFormation adds or removes one index in a deploy, so it cannot rename ${from.IndexName} to ${to.IndexName}: the deploy would fail. ${oneByOne}`,
    ];
  }
  const changes = [
    ...(added.length === 0 ? [] : [`add ${namesOf(added)}`]),
    ...(removed.length === 0 ? [] : [`remove ${namesOf(removed)}`]),
  ];
  return [
    `CloudFormation adds or removes one index in a deploy. This one would ${changes.join(" and ")}, and fail. Instead, deploy them one by one.`,
  ];
}

/** The table is updated before the functions, which refer to it. */
function removedIndexes({ before = [], after = [], deployed, wanted }: Change<readonly Index[]>): string[] {
  const removed = without(before, after);
  // Several are refused above.
  if (removed.length + without(after, before).length !== 1) return [];
  return removed.flatMap(({ IndexName }) => {
    const policies = policiesFor(IndexName, deployed, wanted);
    return policies.length === 0
      ? []
      : [
          `the index ${IndexName} would be removed while functions may query it (${policies.join(", ")}), and their queries would fail. Instead, in two deploys: take "Query ${IndexName}" away from the functions; remove the index.`,
        ];
  });
}

/**
 * "CloudFormation doesn't wait for the index to complete creation."
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-table.html#cfn-dynamodb-table-globalsecondaryindexes
 */
function addedIndexes({ before = [], after = [], deployed, wanted }: Change<readonly Index[]>): string[] {
  const added = without(after, before);
  if (added.length + without(before, after).length !== 1) return [];
  return added.flatMap(({ IndexName }) => {
    const policies = policiesFor(IndexName, deployed, wanted);
    return policies.length === 0
      ? []
      : [
          `functions could query the new index ${IndexName} (${policies.join(", ")}) before it is filled: CloudFormation does not wait for that. Instead, in two deploys: add the index; when it is ACTIVE, let the functions query it.`,
        ];
  });
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

interface TimeToLive {
  readonly AttributeName?: string;
  readonly Enabled: boolean;
}

/**
 * "To update this property, you must first disable TTL", which needs the attribute's name. A change takes up to an hour.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-dynamodb-table-timetolivespecification.html
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTimeToLive.html
 */
function timeToLive({ before, after }: Change<TimeToLive>): string[] {
  if (!before?.Enabled || before.AttributeName === after?.AttributeName) return [];
  const name = before.AttributeName;
  return [
    `DynamoDB does not change the attribute ${name} while time to live is enabled: the deploy would fail. Instead, in two deploys: { AttributeName: ${name}, Enabled: false }; an hour later, the new attribute, or none.`,
  ];
}

const endlessRecords: Judge = ({ before, after }: Change<TimeToLive>) =>
  before?.Enabled && before.AttributeName === after?.AttributeName && !after?.Enabled
    ? ["records that end, with what they say of people, would be kept until it is enabled again."]
    : [];

/** The protection of a table or pool against its deletion. */
export const deletion =
  "its deletion protection would be turned off. To delete the stage, deploy by hand with -c firstDeploy=true (docs/deploy.md).";

export const tables: Readonly<Record<string, TypeRules>> = {
  "AWS::DynamoDB::Table": {
    holds: "all records",
    properties: {
      // The key of a new index; those of the others have a rule.
      AttributeDefinitions: keyTypes,
      DeletionProtectionEnabled: ({ before, after }) => (before && !after ? [deletion] : []),
      GlobalSecondaryIndexes: [
        { awsRefuses: changedIndexes },
        { awsRefuses: severalIndexes },
        indexSettings,
        removedIndexes,
        addedIndexes,
      ],
      // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/pointintimerecovery_restores.html
      PointInTimeRecoverySpecification: [
        ({ before, after }) =>
          before?.PointInTimeRecoveryEnabled && !after?.PointInTimeRecoveryEnabled
            ? [
                "point-in-time recovery would be turned off. Turned on again, it goes back to no earlier time than that.",
              ]
            : [],
        ({ before, after, ...rest }) =>
          noLess(
            (from, to) => `recovery would go back ${to} days instead of ${from}.`,
            35,
          )({
            before: before?.RecoveryPeriodInDays,
            after: after?.RecoveryPeriodInDays,
            ...rest,
          }),
      ],
      // https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-dynamodb-table-streamspecification.html
      StreamSpecification: ({ before }) =>
        before === undefined
          ? []
          : ["DynamoDB would end the stream; what the relay has not read of it would not be sent."],
      Tags: harmless,
      TimeToLiveSpecification: [{ awsRefuses: timeToLive }, endlessRecords],
    },
  },
};
