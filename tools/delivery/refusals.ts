/**
 * Changes of resources that stay: those that CloudFormation or a service refuses, so that the deploy would fail, and those
 * that break running functions or take a protection away. What a deploy loses: `losses.ts`.
 */
import { isDeepStrictEqual } from "node:util";
import { type Resource, ResourceImpact, type TemplateDiff } from "@aws-cdk/cloudformation-diff";
import type { DeliveredTemplate } from "./losses.ts";

export interface Refusal {
  /** `<logical id>.<property>`, for `--accept`. Finer than that of a loss: whoever accepts a setting accepts no loss. */
  readonly name: string;
  readonly type: string;
  /** What would happen, and the way to do it instead. */
  readonly text: string;
  /** Whether a person may accept it. A deploy that AWS refuses would fail all the same. */
  readonly acceptable: boolean;
}

/** The change of one property; undefined where it is absent. The shapes are those of CloudFormation. */
interface Change<Value> {
  readonly before: Value | undefined;
  readonly after: Value | undefined;
  /** The logical ids of the policies, deployed or new, that allow queries of an index. */
  readonly policiesFor: (index: string) => readonly string[];
}

interface Rule {
  /** Absent for all types. */
  readonly type?: string;
  readonly property: string;
  readonly acceptable: boolean;
  /** One text for each thing that is wrong with the change. */
  // biome-ignore lint/suspicious/noExplicitAny: each rule names the shape of its property
  readonly finds: (change: Change<any>) => readonly string[];
}

interface Index {
  readonly IndexName: string;
  readonly KeySchema: unknown;
  readonly Projection: unknown;
}

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
function removedIndexes({ before = [], after = [], policiesFor }: Change<readonly Index[]>): string[] {
  const removed = without(before, after);
  // Several are refused above.
  if (removed.length + without(after, before).length !== 1) return [];
  return removed.flatMap(({ IndexName }) => {
    const policies = policiesFor(IndexName);
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
function addedIndexes({ before = [], after = [], policiesFor }: Change<readonly Index[]>): string[] {
  const added = without(after, before);
  if (added.length + without(before, after).length !== 1) return [];
  return added.flatMap(({ IndexName }) => {
    const policies = policiesFor(IndexName);
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

const deletion =
  "its deletion protection would be turned off. To delete the stage, deploy by hand with -c firstDeploy=true (docs/deploy.md).";

interface Attribute {
  readonly Name: string;
  readonly Required?: boolean;
}

/** https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pool-updating.html */
function attributes({ before = [], after = [] }: Change<readonly Attribute[]>): string[] {
  const same = (attribute: Attribute) => after.find(({ Name }) => Name === attribute.Name);
  const wrong = [
    ...before.filter((attribute) => !isDeepStrictEqual(attribute, same(attribute))),
    ...after.filter(({ Name, Required }) => Required && !before.some((attribute) => attribute.Name === Name)),
  ];
  const names = [...new Set(wrong.map(({ Name }) => Name))];
  return names.length === 0
    ? []
    : [
        `Cognito cannot change, remove or newly require an attribute of a pool (${names.join(", ")}): the deploy would fail. Optional attributes can be added; for the rest, make a new pool (docs/web-app.md).`,
      ];
}

/** What Cognito fixes when it creates the pool; the same page. */
const fixed = (property: string): Rule => ({
  type: "AWS::Cognito::UserPool",
  property,
  acceptable: false,
  finds: ({ before, after }) =>
    isDeepStrictEqual(before, after)
      ? []
      : ["Cognito cannot change it after a pool's creation. Undo it, or make a new pool (docs/web-app.md)."],
});

const table = "AWS::DynamoDB::Table";
const keeps = (policy: unknown): boolean => typeof policy === "string" && policy !== "Delete";

const rules: readonly Rule[] = [
  { type: table, property: "GlobalSecondaryIndexes", acceptable: false, finds: changedIndexes },
  { type: table, property: "GlobalSecondaryIndexes", acceptable: false, finds: severalIndexes },
  { type: table, property: "GlobalSecondaryIndexes", acceptable: true, finds: removedIndexes },
  { type: table, property: "GlobalSecondaryIndexes", acceptable: true, finds: addedIndexes },
  { type: table, property: "AttributeDefinitions", acceptable: true, finds: keyTypes },
  { type: table, property: "TimeToLiveSpecification", acceptable: false, finds: timeToLive },
  {
    type: table,
    property: "PointInTimeRecoverySpecification",
    acceptable: true,
    // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/pointintimerecovery_restores.html
    finds: ({ before, after }) =>
      before?.PointInTimeRecoveryEnabled && !after?.PointInTimeRecoveryEnabled
        ? ["point-in-time recovery would be turned off. Turned on again, it goes back to no earlier time than that."]
        : [],
  },
  {
    type: table,
    property: "DeletionProtectionEnabled",
    acceptable: true,
    finds: ({ before, after }) => (before && !after ? [deletion] : []),
  },
  {
    type: table,
    property: "StreamSpecification",
    acceptable: true,
    // https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-dynamodb-table-streamspecification.html
    finds: ({ before, after }) =>
      before === undefined || isDeepStrictEqual(before, after)
        ? []
        : ["DynamoDB would end the stream; what the relay has not read of it would not be sent."],
  },
  {
    type: "AWS::Cognito::UserPool",
    property: "DeletionProtection",
    acceptable: true,
    finds: ({ before, after }) => (before === "ACTIVE" && after !== "ACTIVE" ? [deletion] : []),
  },
  { type: "AWS::Cognito::UserPool", property: "Schema", acceptable: false, finds: attributes },
  ...["AliasAttributes", "UsernameAttributes", "UsernameConfiguration"].map(fixed),
  {
    property: "DeletionPolicy",
    acceptable: true,
    finds: ({ before, after }) =>
      keeps(before) && !keeps(after) ? ["a later deploy, or the deletion of the stack, could delete it."] : [],
  },
];

/** `DeletionPolicy` stands beside the properties. */
const settingOf = ({ Properties = {}, DeletionPolicy }: Resource, property: string): unknown =>
  ({ ...Properties, DeletionPolicy })[property];

/** Policies end the ARN of an index with its name (`lib/table.ts`); `*` would be all. */
const mayQuery = (policy: Resource, index: string): boolean => {
  const text = JSON.stringify(policy.Properties ?? {});
  return text.includes(`/index/${index}"`) || text.includes('/index/*"');
};

/** The refusals among the differences, sorted by name. Pure. The templates say which functions query an index. */
export function refusals(deployed: DeliveredTemplate, wanted: DeliveredTemplate, diff: TemplateDiff): Refusal[] {
  const policies = [deployed, wanted].flatMap(({ Resources = {} }) =>
    Object.entries(Resources).filter(([, { Type }]) => Type.startsWith("AWS::IAM::")),
  );
  const policiesFor = (index: string) => [
    ...new Set(policies.flatMap(([id, policy]) => (mayQuery(policy, index) ? [id] : []))),
  ];
  const found: Refusal[] = [];
  diff.resources.forEachDifference((logicalId, { oldValue, newValue, changeImpact }) => {
    // A replaced resource is a new one, with all settings.
    if (!oldValue || !newValue || changeImpact === ResourceImpact.WILL_REPLACE) return;
    for (const { type = oldValue.Type, property, acceptable, finds } of rules) {
      if (oldValue.Type !== type) continue;
      const texts = finds({ before: settingOf(oldValue, property), after: settingOf(newValue, property), policiesFor });
      found.push(...texts.map((text) => ({ name: `${logicalId}.${property}`, type, text, acceptable })));
    }
  });
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}
