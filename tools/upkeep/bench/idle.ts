/**
 * What a stage costs in a month in which no request comes, made of its template. Left out are stored data, the runs of the
 * sweeper, about 0.06 USD, and custom metrics, which have no values then. Pure.
 */
import { type Line, line } from "./cost.ts";
import { prices } from "./prices.ts";

/** A template of CloudFormation, as far as prices need it. */
export interface Template {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: Properties }>>;
}

// biome-ignore lint/suspicious/noExplicitAny: CloudFormation properties have a shape per type
type Properties = any;

const minutesOfMonth = 43_800;
/**
 * Lambda asks a queue that has no messages all the time, and each of these requests counts
 * (https://repost.aws/knowledge-center/sqs-high-charges). How often is observed, not documented:
 * https://github.com/getlift/lift/issues/132.
 */
const pollsPerMinute = 15;

/** Metrics of a dashboard without extra costs. */
const freeMetrics = 50;

const ofType = ({ Resources }: Template, type: string): [string, Properties][] =>
  Object.entries(Resources).flatMap(([id, { Type, Properties = {} }]) => (Type === type ? [[id, Properties]] : []));

/**
 * The metrics in alarms. AWS counts those that a query finds: of queues that functions read, which have values all the time,
 * but of dead-letter queues and refusals only while something fails.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/monitoring-using-cloudwatch.html
 */
function metricsInAlarms(template: Template): number {
  const read = queuesRead(template);
  return ofType(template, "AWS::CloudWatch::Alarm")
    .flatMap(([, { Metrics }]) => (Metrics as Properties[] | undefined) ?? [{ MetricStat: {} }])
    .map(({ MetricStat, Expression }) => {
      const asked = JSON.stringify(Expression ?? "");
      return MetricStat ? 1 : read.filter((id) => asked.includes(`"${id}"`)).length;
    })
    .reduce((all, one) => all + one, 0);
}

/** The metrics of the dashboards, each once; a query counts as one. */
export function metricsInDashboards(template: Template): number {
  const metrics = ofType(template, "AWS::CloudWatch::Dashboard").flatMap(([, { DashboardBody }]) => {
    const [, parts] = DashboardBody["Fn::Join"] as [string, unknown[]];
    const body = parts
      .map((part) => (typeof part === "string" ? part : Object.values(part as object).join(".")))
      .join("");
    const widgets = JSON.parse(body).widgets as { properties: { metrics?: unknown[][] } }[];
    return widgets.flatMap(({ properties }) => properties.metrics ?? []);
  });
  // A formula is an object; the metrics in it stand in the list themselves.
  const counted = metrics.flatMap((metric) => {
    const [first] = metric as [string | { readonly expression: string }];
    if (typeof first === "string") return [JSON.stringify(metric.filter((part) => typeof part === "string"))];
    return first.expression.startsWith("SELECT ") ? [first.expression] : [];
  });
  return new Set(counted).size;
}

/** The secrets of the stack, and those that a person has stored and functions read. */
function secretsIn(template: Template): number {
  const named = ofType(template, "AWS::Lambda::Function").flatMap(([, { Environment }]) =>
    Object.entries((Environment?.Variables ?? {}) as Record<string, unknown>).filter(
      ([name, value]) => name.endsWith("_SECRET") && typeof value === "string",
    ),
  );
  const resolved = JSON.stringify(template.Resources).match(/\{\{resolve:secretsmanager:[^:}]+/g) ?? [];
  return (
    ofType(template, "AWS::SecretsManager::Secret").length +
    new Set([...named.map(([, value]) => value), ...resolved]).size
  );
}

/** The queues that functions read. The other mappings read the stream of the table, which is free. */
function queuesRead(template: Template): string[] {
  const queues = ofType(template, "AWS::SQS::Queue").map(([id]) => id);
  const sources = ofType(template, "AWS::Lambda::EventSourceMapping").map(
    ([, { EventSourceArn }]) => EventSourceArn?.["Fn::GetAtt"]?.[0],
  );
  return queues.filter((id) => sources.includes(id));
}

/** The bill of a month in which no request comes, without lines of nothing. */
export function idleBillOf(template: Template): Line[] {
  const isLarge = metricsInDashboards(template) > freeMetrics;
  const lines = [
    line("metrics in alarms", metricsInAlarms(template), prices.metricInAlarm),
    line("dashboards", isLarge ? ofType(template, "AWS::CloudWatch::Dashboard").length : 0, prices.dashboard),
    line("keys", ofType(template, "AWS::KMS::Key").length, prices.key),
    line("secrets", secretsIn(template), prices.secret),
    line(
      "requests that find a queue empty",
      queuesRead(template).length * pollsPerMinute * minutesOfMonth,
      prices.queueRequest,
    ),
  ];
  return lines.filter(({ count }) => count > 0);
}
