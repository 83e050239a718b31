/**
 * Reads lines in CloudWatch's embedded metric format, and is as strict as its specification.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
import { MetricUnit } from "@aws-lambda-powertools/metrics";

const units: readonly string[] = Object.values(MetricUnit);
/** Milliseconds: CloudWatch takes values of the last two weeks and of the next two hours. */
const [oldest, latest] = [14 * 86_400_000, 2 * 3_600_000];

/** One line: the values of each metric, and the dimensions. */
export interface EmfLine {
  readonly namespace: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, readonly number[]>>;
  readonly units: Readonly<Record<string, string>>;
}

function demand(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`No embedded metric format: ${what}`);
}

const isText = (value: unknown, longest: number): value is string =>
  typeof value === "string" && value.trim() !== "" && value.length <= longest;
const isList = (value: unknown): value is unknown[] => Array.isArray(value);

interface Directive {
  readonly Namespace: unknown;
  readonly Dimensions: unknown;
  readonly Metrics: unknown;
}

type Root = Readonly<Record<string, unknown>> & {
  readonly _aws: { readonly Timestamp: unknown; readonly CloudWatchMetrics: unknown };
};

function metricsOf(root: Root, { Metrics }: Directive) {
  demand(isList(Metrics) && Metrics.length <= 100, "at most 100 metrics");
  return Metrics.map((metric) => {
    const { Name, Unit = "None" } = metric as { Name: unknown; Unit?: unknown };
    demand(isText(Name, 1_024), "a metric has a name");
    demand(units.includes(String(Unit)), `${Unit} is a unit`);
    const values = isList(root[Name]) ? root[Name] : [root[Name]];
    demand(values.length <= 100 && values.every(Number.isFinite), `${Name} has 1 to 100 numbers`);
    return { name: Name, unit: String(Unit), values: values as number[] };
  });
}

/** @throws Error what the specification forbids; undefined when the line is of no such format */
export function readEmf(text: string, now = Date.now()): EmfLine | undefined {
  if (!text.includes("_aws")) return undefined;
  const root = JSON.parse(text) as Root;
  const { Timestamp, CloudWatchMetrics } = root._aws;
  demand(Number.isSafeInteger(Timestamp), "the time is in milliseconds");
  demand(Number(Timestamp) > now - oldest && Number(Timestamp) < now + latest, "the time is near");
  demand(isList(CloudWatchMetrics) && CloudWatchMetrics.length === 1, "this service writes one directive");
  const directive = CloudWatchMetrics[0] as Directive;
  const { Namespace, Dimensions } = directive;
  demand(isText(Namespace, 255) && /^[\w./#:-]+$/.test(Namespace), "a namespace");
  demand(isList(Dimensions) && Dimensions.length === 1, "this service writes one set of dimensions");
  const [names] = Dimensions;
  demand(isList(names) && names.length <= 30, "at most 30 dimensions");
  for (const name of names) demand(isText(root[String(name)], 1_024), `the dimension ${name} is a text`);
  const metrics = metricsOf(root, directive);
  const known = new Set(["_aws", ...names, ...metrics.map(({ name }) => name)]);
  demand(
    Object.keys(root).every((key) => known.has(key)),
    "no further member",
  );
  return {
    namespace: Namespace,
    dimensions: Object.fromEntries(names.map((name) => [name, root[String(name)]])),
    values: Object.fromEntries(metrics.map(({ name, values }) => [name, values])),
    units: Object.fromEntries(metrics.map(({ name, unit }) => [name, unit])),
  };
}
