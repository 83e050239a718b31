/**
 * What a stage deploys, as lines that a reviewer reads: every value of its CloudFormation template, except those that
 * `leftOut` names. A resource that belongs to another one (a function's role, policies and log group, a queue's policy)
 * is shown with it.
 */
import { belongsBy, ownersOf, shortNames } from "./resource-owners.ts";
import type { StageTemplate, TemplateResource } from "./stage-templates.ts";
import { type Block, type Layout, linesOf, type SummaryLine } from "./summary-text.ts";
import { inLine, permissionsOf, type Setting, settingsOf } from "./template-text.ts";

/** What the summary does not show: parts of the template, and properties of a type of resource. */
export const leftOut: readonly { readonly where: string; readonly because: string }[] = [
  { where: "Parameters", because: "the CDK's own: the version of the bootstrap stack" },
  { where: "Rules", because: "the CDK's own: the version of the bootstrap stack" },
  { where: "AWS::Lambda::Function.Code", because: "a hash that every change of a handler changes" },
  { where: "AWS::Lambda::Function.DependsOn", because: "order of creation: role and policies before the function" },
  { where: "AWS::IAM::Policy.PolicyName", because: "the logical id once more" },
  { where: "AWS::SQS::QueuePolicy.PolicyDocument.Statement.Sid", because: "a label without effect" },
  { where: "AWS::SNS::TopicPolicy.PolicyDocument.Statement.Sid", because: "a label without effect" },
  { where: "AWS::CloudWatch::Dashboard.DashboardBody", because: "graphs: nothing depends on them" },
  { where: "AWS::S3::BucketPolicy.PolicyDocument.Statement.Sid", because: "a label without effect" },
];

interface Section extends Layout {
  readonly type: string;
  /** With another logical id the resource would be a new, empty one, or have another address: the full id is shown. */
  readonly keepsId?: true;
}

const sections: readonly Section[] = [
  { title: "Functions", type: "AWS::Lambda::Function", always: ["Description", "MemorySize", "Timeout"] },
  { title: "API", type: "AWS::ApiGatewayV2::Api", keepsId: true },
  { title: "API stage", type: "AWS::ApiGatewayV2::Stage" },
  { title: "Authorizers", type: "AWS::ApiGatewayV2::Authorizer" },
  { title: "Integrations", type: "AWS::ApiGatewayV2::Integration", short: true },
  { title: "Routes", type: "AWS::ApiGatewayV2::Route", always: ["access", "function"], short: true },
  { title: "User pool", type: "AWS::Cognito::UserPool", keepsId: true },
  { title: "User pool clients", type: "AWS::Cognito::UserPoolClient", keepsId: true },
  { title: "Sign-in pages", type: "AWS::Cognito::UserPoolDomain", keepsId: true },
  { title: "Identity providers", type: "AWS::Cognito::UserPoolIdentityProvider" },
  { title: "Tables", type: "AWS::DynamoDB::Table", keepsId: true },
  { title: "Buckets", type: "AWS::S3::Bucket", keepsId: true },
  { title: "Secrets", type: "AWS::SecretsManager::Secret", keepsId: true },
  { title: "Buses", type: "AWS::Events::EventBus" },
  { title: "Archives", type: "AWS::Events::Archive" },
  { title: "Mail", type: "AWS::SES::ConfigurationSet" },
  { title: "Events about mails", type: "AWS::SES::ConfigurationSetEventDestination" },
  { title: "Event rules", type: "AWS::Events::Rule" },
  { title: "Queues", type: "AWS::SQS::Queue" },
  { title: "Alarms", type: "AWS::CloudWatch::Alarm" },
  { title: "Topics", type: "AWS::SNS::Topic" },
  { title: "Subscriptions", type: "AWS::SNS::Subscription" },
  { title: "Keys", type: "AWS::KMS::Key" },
  { title: "Metric filters", type: "AWS::Logs::MetricFilter" },
  { title: "Saved queries", type: "AWS::Logs::QueryDefinition" },
  { title: "Dashboards", type: "AWS::CloudWatch::Dashboard" },
  { title: "Budgets", type: "AWS::Budgets::Budget" },
  // Those that belong to no function, queue or bucket.
  { title: "Log groups", type: "AWS::Logs::LogGroup" },
  { title: "Roles", type: "AWS::IAM::Role" },
  { title: "Policies", type: "AWS::IAM::Policy" },
  { title: "Permissions to invoke", type: "AWS::Lambda::Permission" },
  { title: "Asynchronous calls", type: "AWS::Lambda::EventInvokeConfig" },
  { title: "Event sources", type: "AWS::Lambda::EventSourceMapping" },
  { title: "Queue policies", type: "AWS::SQS::QueuePolicy" },
  { title: "Topic policies", type: "AWS::SNS::TopicPolicy" },
  { title: "Bucket policies", type: "AWS::S3::BucketPolicy" },
];

const omitted = new Set(leftOut.map(({ where }) => where));
const shown = new Set(sections.map(({ type }) => type));

type Entry = readonly [id: string, resource: TemplateResource];

/** Everything that a resource says about itself. */
function ownSettings({ Type, Properties = {}, ...attributes }: TemplateResource, except?: string): Setting[] {
  return Object.entries<unknown>({ ...attributes, ...Properties })
    .filter(([key]) => key !== except && !omitted.has(`${Type}.${key}`))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, value]): Setting[] => {
      if (key === "PolicyDocument") return permissionsOf(value as object);
      if (key === "AssumeRolePolicyDocument" || key === "KeyPolicy") {
        return permissionsOf(value as object).map(([permission, actions]) => [`${key}: ${permission}`, actions]);
      }
      return settingsOf(key, value);
    })
    .map(([key, value]) => [key.replace(/^Environment\.Variables\./, "variable "), value]);
}

/** A route leads through an integration to a function. */
function routeSettings({ Resources }: StageTemplate, route: TemplateResource): Setting[] {
  const { RouteKey: _name, AuthorizationType, AuthorizerId, Target, ...others } = route.Properties;
  const integration = /^integrations\/\$\{(\w+)\}$/.exec(inLine(Target))?.[1] ?? "";
  const handler: unknown = Resources[integration]?.Properties.IntegrationUri;
  const isPublic = AuthorizationType === "NONE" && AuthorizerId === undefined;
  return [
    ["access", isPublic ? "public" : `${inLine(AuthorizationType)} ${inLine(AuthorizerId ?? "without authorizer")}`],
    ["function", inLine(handler ?? Target)],
    ...ownSettings({ ...route, Properties: others }),
  ];
}

/** The settings of parts, each after the type of its part: `LogGroup.RetentionInDays`. Permissions need none. */
function partSettings(parts: readonly Entry[]): Setting[] {
  const settings = parts.flatMap(([, part]) => {
    const alike = parts.filter(([, { Type }]) => Type === part.Type).map(([, other]) => other);
    const index = alike.length === 1 ? "" : `[${alike.indexOf(part)}]`;
    const label = part.Type.endsWith("Policy") ? "" : `${part.Type.split("::").at(-1)}${index}.`;
    return ownSettings(part, belongsBy[part.Type]).map(([key, value]): Setting => [`${label}${key}`, value]);
  });
  return settings.sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * The summary of a stage's template.
 *
 * @throws Error for a type of resource, or a part of the template, that is neither shown nor left out.
 */
export function stageSummary(template: StageTemplate): SummaryLine[] {
  const { Resources, Outputs, Description, ...others } = template;
  for (const what of [...Object.keys(others), ...Object.values(Resources).map(({ Type }) => Type)]) {
    if (!omitted.has(what) && !shown.has(what)) throw notShown(what);
  }
  const names = shortNames(template);
  const owners = ownersOf(template);
  const parts = new Map<string, Entry[]>();
  for (const [part, ids] of owners) {
    for (const id of ids) parts.set(id, [...(parts.get(id) ?? []), [part, Resources[part] as TemplateResource]]);
  }
  /** References by short names; `~` stands for the name of the resource that the text is about. */
  const readable = (text: string, about: ReadonlySet<string> = new Set(), name = ""): string =>
    text.replace(/\$\{(\w+)/g, (_, id: string) => {
      const called = names.get(id) ?? id;
      return `\${${about.has(id) && called.startsWith(name) ? `~${called.slice(name.length)}` : called}`;
    });

  const blockOf = ([id, resource]: Entry, { keepsId }: Section): Block => {
    const isRoute = resource.Type === "AWS::ApiGatewayV2::Route";
    const ownParts = parts.get(id) ?? [];
    const about = new Set([id, ...ownParts.map(([part]) => part)]);
    const settings = new Map<string, string>();
    for (const setting of [
      ...(isRoute ? routeSettings(template, resource) : ownSettings(resource)),
      ...partSettings(ownParts),
    ]) {
      const [key, value] = setting.map((text) => readable(text, about, names.get(id))) as [string, string];
      settings.set(key, settings.has(key) ? `${settings.get(key)}; ${value}` : value);
    }
    if (keepsId) settings.set("logical id", id);
    return { name: isRoute ? inLine(resource.Properties.RouteKey) : (names.get(id) ?? id), settings };
  };

  const entries = Object.entries(Resources).filter(([id]) => !owners.has(id));
  const outputs = Object.entries(Outputs).flatMap(([name, output]) => settingsOf(name, output));
  return [
    { place: "Stack", key: "Description", text: `Description: ${inLine(Description)}` },
    ...sections.flatMap((section) => {
      const ofSection = entries.filter(([, { Type }]) => Type === section.type);
      return linesOf(section, ofSection.map((entry) => blockOf(entry, section)).sort(inOrder));
    }),
    ...outputs.map(([key, value]) => ({ place: "Outputs", key, text: `${key}: ${readable(value)}` })),
  ];
}

const notShown = (what: string): Error =>
  new Error(
    `${what} is not in the summary of a stage: add it to "sections" or "leftOut" in test/infra/stage-summary.ts.`,
  );

/** Routes in the order of their paths, everything else in that of its name. */
const inOrder = (a: Block, b: Block): number => {
  const [first, second] = [a, b].map(({ name }) => name.split(" ").reverse().join(" ")) as [string, string];
  return first < second ? -1 : 1;
};
