/** Where MiniStack is not as AWS: the kinds of resources that a rehearsal leaves out, and what it writes differently. */
import type { Resource, Template } from "./assembly.ts";

/** A kind of resources. */
export interface Lacking {
  /** In the plural. */
  readonly kind: string;
  /** Whether a resource is of this kind. */
  readonly has: (resource: Resource) => boolean;
  /** What MiniStack says to one of them. */
  readonly why: string;
  /** The smallest resource of the kind. A test fails when MiniStack has learned to create it: then its row goes. */
  readonly example: Resource;
}

/** A kind that is a whole type of CloudFormation. */
const type = (Type: string, Properties: Resource["Properties"]): Lacking => ({
  kind: Type,
  has: (resource) => resource.Type === Type,
  why: `Unrecognized resource types: [${Type}]`,
  example: { Type, Properties },
});

export const lacking: readonly Lacking[] = [
  type("AWS::Budgets::Budget", {
    Budget: { BudgetType: "COST", TimeUnit: "MONTHLY", BudgetLimit: { Amount: 1, Unit: "USD" } },
  }),
  type("AWS::Events::Archive", {
    SourceArn: { "Fn::Sub": `arn:aws:events:\${AWS::Region}:\${AWS::AccountId}:event-bus/default` },
  }),
  type("AWS::Logs::QueryDefinition", { Name: "rehearsal", QueryString: "fields @message" }),
  {
    kind: "AWS::CloudWatch::Alarm of several metrics",
    has: ({ Type, Properties }) => Type === "AWS::CloudWatch::Alarm" && Properties?.Metrics !== undefined,
    why: "AWS::CloudWatch::Alarm Properties.Metrics (metric math) is not supported",
    example: {
      Type: "AWS::CloudWatch::Alarm",
      Properties: {
        ComparisonOperator: "GreaterThanThreshold",
        EvaluationPeriods: 1,
        Threshold: 1,
        Metrics: [
          {
            Id: "sent",
            ReturnData: false,
            MetricStat: { Metric: { Namespace: "AWS/SES", MetricName: "Send" }, Period: 60, Stat: "Sum" },
          },
          { Id: "twice", Expression: "2 * sent" },
        ],
      },
    },
  },
];

/** What MiniStack does differently with a resource that it has. */
export interface Different {
  readonly what: string;
  /** What MiniStack does, and what AWS does. A test fails when MiniStack does what AWS does: then the row goes. */
  readonly why: string;
  readonly adapted: (template: Template) => Template;
}

const idsOf = ({ Resources }: Template, type: string): string[] =>
  Object.keys(Resources).filter((id) => Resources[id]?.Type === type);

/** A statement of a policy. */
interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

const anySender = (statement: Statement): Statement =>
  String(statement.Action).startsWith("ses:") ? { ...statement, Resource: "*", Condition: undefined } : statement;

const different: readonly Different[] = [
  {
    what: "Custom::CDKBucketDeployment",
    why: "never ends: its function needs the AWS CLI of a layer; in AWS it uploads the pages",
    adapted({ Resources, ...template }) {
      const uploads = idsOf({ Resources }, "Custom::CDKBucketDeployment");
      const of = ([id, { DependsOn, ...resource }]: [string, Resource]): [string, Resource] => {
        const left = [DependsOn ?? []].flat().filter((one) => !uploads.includes(one));
        return [id, left.length > 0 ? { ...resource, DependsOn: left } : resource];
      };
      const kept = Object.entries(Resources).filter(([id]) => !uploads.includes(id));
      return { ...template, Resources: Object.fromEntries(kept.map(of)) };
    },
  },
  {
    what: "Ref of a secret",
    why: "is its name; in AWS its ARN, which policies need",
    adapted(template) {
      const byArn = (text: string, id: string) => text.replaceAll(`{"Ref":"${id}"}`, `{"Fn::GetAtt":["${id}","Id"]}`);
      return JSON.parse(idsOf(template, "AWS::SecretsManager::Secret").reduce(byArn, JSON.stringify(template)));
    },
  },
  {
    what: "ses:SendRawEmail",
    why: "is on no resource and has no ses:FromAddress; in AWS it is on the identity, and has one",
    adapted({ Resources, ...template }) {
      const of = ([id, resource]: [string, Resource]): [string, Resource] => {
        const { PolicyDocument: document } = resource.Properties ?? {};
        if (resource.Type !== "AWS::IAM::Policy") return [id, resource];
        const PolicyDocument = { ...document, Statement: document.Statement.map(anySender) };
        return [id, { ...resource, Properties: { ...resource.Properties, PolicyDocument } }];
      };
      return { ...template, Resources: Object.fromEntries(Object.entries(Resources).map(of)) };
    },
  },
];

/** A template without what MiniStack lacks, and how many resources of each kind are missing. */
export interface Reduced {
  readonly template: Template;
  readonly leftOut: ReadonlyMap<string, number>;
}

/** The template that MiniStack can deploy. @throws Error when a resource that stays refers to one that goes */
export function forMiniStack(whole: Template): Reduced {
  const template = different.reduce((adapted, row) => row.adapted(adapted), whole);
  const leftOut = new Map<string, number>();
  const gone: string[] = [];
  const kept = Object.entries(template.Resources).filter(([logicalId, resource]) => {
    const kind = lacking.find(({ has }) => has(resource))?.kind;
    if (kind === undefined) return true;
    leftOut.set(kind, (leftOut.get(kind) ?? 0) + 1);
    gone.push(logicalId);
    return false;
  });
  const reduced = { ...template, Resources: Object.fromEntries(kept) };
  const text = JSON.stringify(reduced);
  // In Ref, Fn::GetAtt and DependsOn an id is a whole text; in Fn::Sub it is in braces.
  const needed = gone.filter((id) => text.includes(`"${id}"`) || text.includes(`\${${id}`));
  if (needed.length > 0) throw new Error(`Other resources refer to ${needed.join(", ")}, which MiniStack lacks.`);
  return { template: reduced, leftOut };
}
