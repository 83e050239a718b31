/**
 * What CloudWatch would make of an alarm of a template and of given values. It knows the expressions that this stack
 * uses, and refuses all others.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/AlarmThatSendsEmail.html
 */
import { textOf } from "./stage-templates.ts";

/** One metric of an alarm. */
export interface AlarmMetric {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  /** Values as text: `${Table7ABB320E}`. */
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: string;
  /** Seconds. */
  readonly period: number;
}

export interface AlarmDefinition {
  readonly metrics: readonly AlarmMetric[];
  /** Absent: the alarm watches its only metric. */
  readonly expression?: string;
  readonly threshold: number;
  readonly comparison: string;
  readonly breaching: number;
  readonly of: number;
  readonly missing: string;
}

interface MetricStat {
  readonly Metric: {
    readonly Namespace: string;
    readonly MetricName: string;
    readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
  };
  readonly Period: number;
  readonly Stat: string;
}

interface Query {
  readonly Id: string;
  readonly ReturnData: boolean;
  readonly MetricStat?: MetricStat;
  readonly Expression?: unknown;
}

const metricOf = ({ Id, MetricStat }: Query): AlarmMetric[] => {
  if (!MetricStat) return [];
  const { Metric, Period, Stat } = MetricStat;
  const dimensions = (Metric.Dimensions ?? []).map(({ Name, Value }) => [Name, textOf(Value)] as const);
  return [
    {
      id: Id,
      namespace: Metric.Namespace,
      name: Metric.MetricName,
      dimensions: Object.fromEntries(dimensions),
      statistic: Stat,
      period: Period,
    },
  ];
};

/** Reads an alarm of a template. All alarms of this stack have a list of metrics. */
// biome-ignore lint/suspicious/noExplicitAny: CloudFormation properties have a shape per type
export function alarmOf(properties: any): AlarmDefinition {
  const queries = properties.Metrics as readonly Query[];
  const watched = queries.filter(({ ReturnData }) => ReturnData);
  if (watched.length !== 1) throw new Error("An alarm watches one value.");
  const expression = watched[0]?.Expression;
  return {
    metrics: queries.flatMap(metricOf),
    ...(expression !== undefined && { expression: textOf(expression) }),
    threshold: properties.Threshold,
    comparison: properties.ComparisonOperator,
    breaching: properties.DatapointsToAlarm,
    of: properties.EvaluationPeriods,
    missing: properties.TreatMissingData,
  };
}

/** A metric in words: its name, then the values of its dimensions without hashes: `Errors Mail`. */
const nameOf = ({ name, dimensions }: AlarmMetric): string =>
  [name, ...Object.values(dimensions).map((value) => value.replace(/^\$\{(\w+?)[0-9A-F]{8}(\.\w+)?\}$/, "$1"))].join(
    " ",
  );

/** The metrics of an alarm, in words. */
export const namesOf = ({ metrics }: AlarmDefinition): string[] => metrics.map(nameOf);

/** The values of a period, by names of metrics; a plain number for an alarm with one metric or a query. */
export type Values = number | undefined | Readonly<Record<string, number>>;

/** The value that the alarm compares. */
function comparedValue({ metrics, expression }: AlarmDefinition, values: Values, quota: number): number | undefined {
  if (typeof values !== "object") {
    if (expression === undefined || expression.startsWith("SELECT ")) return values;
    if (expression !== "100 * used / SERVICE_QUOTA(used)") throw new Error("These metrics have names.");
    return values === undefined ? undefined : (100 * values) / quota;
  }
  const names = new Map(metrics.map((metric) => [nameOf(metric), metric.id]));
  for (const name of Object.keys(values)) if (!names.has(name)) throw new Error(`no metric "${name}"`);
  const byId = new Map(Object.entries(values).map(([name, value]) => [names.get(name) as string, value]));
  const [, factor = "1", operation, list = ""] = /^(?:(\d+) \* )?(SUM|MAX)\(\[(.+)\]\)$/.exec(expression ?? "") ?? [];
  const terms = [...list.matchAll(/FILL\((\w+), 0\)(?: \/ (\d+))?(?:, |$)/g)];
  if (!operation || terms.map(([text]) => text).join("") !== list || terms.length !== metrics.length) {
    throw new Error(`This expression is not known here: ${expression}`);
  }
  const filled = terms.map(([, id = "", most = "1"]) => (byId.get(id) ?? 0) / Number(most));
  return Number(factor) * (operation === "SUM" ? filled.reduce((all, one) => all + one, 0) : Math.max(...filled));
}

const comparisons: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
};

/**
 * Whether the alarm rings after these periods, the oldest first.
 * @param before whether it rang before; it goes on so when every period is to be ignored
 * @param quota the limit of the account
 */
export function rings(
  alarm: AlarmDefinition,
  periods: readonly Values[],
  { before = false, quota = 10 } = {},
): boolean {
  const compare = comparisons[alarm.comparison];
  if (!compare) throw new Error(`This comparison is not known here: ${alarm.comparison}`);
  const evaluated = periods.slice(-alarm.of).map((values) => {
    const value = comparedValue(alarm, values, quota);
    if (value !== undefined) return compare(value, alarm.threshold);
    return alarm.missing === "ignore" ? undefined : alarm.missing === "breaching";
  });
  if (evaluated.every((one) => one === undefined)) return before;
  return evaluated.filter((one) => one === true).length >= alarm.breaching;
}
