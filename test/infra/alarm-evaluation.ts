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

/** The name of a resource without its hash. */
const nameIn = (value: string): string => value.replace(/^\$\{(\w+?)[0-9A-F]{8}(\.\w+)?\}$/, "$1");

/** A metric in words: its name, then the values of its dimensions without hashes: `Errors Mail`. */
const nameOf = ({ name, dimensions }: AlarmMetric): string =>
  [name, ...Object.values(dimensions).map(nameIn)].join(" ");

/** The metrics of an alarm, in words. */
const namesOf = ({ metrics }: AlarmDefinition): string[] => metrics.map(nameOf);

/** The values of a period, by names of metrics: `Errors Mail`. */
export type Values = Readonly<Record<string, number>>;

/** The metrics that a query asks for, in words. One of all operations of the table has the table's name only. */
function queriedBy(expression: string): { readonly aggregate: "MAX" | "SUM"; readonly names: string[] } {
  const query = /^SELECT (MAX|SUM)\((\w+)\) FROM SCHEMA\("AWS\/\w+", (?:Operation, )?(\w+)\) WHERE (.+)$/.exec(
    expression,
  );
  const [, aggregate, metric, dimension = "", where = ""] = query ?? [];
  const values = where.split(" OR ").map((part) => new RegExp(`^${dimension} = '(.+)'$`).exec(part)?.[1]);
  if (!aggregate || values.includes(undefined)) throw new Error(`This query is not known here: ${expression}`);
  return { aggregate: aggregate as "MAX" | "SUM", names: values.map((value = "") => `${metric} ${nameIn(value)}`) };
}

/** All metrics that an alarm looks at, in words. */
export const watchedBy = (alarm: AlarmDefinition): string[] =>
  alarm.expression?.startsWith("SELECT ") ? queriedBy(alarm.expression).names : namesOf(alarm);

const sumOf = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** The value that the alarm compares. Where no metric has a value, no expression has one. */
function comparedValue({ metrics, expression }: AlarmDefinition, values: Values): number | undefined {
  if (expression?.startsWith("SELECT ")) {
    const { aggregate, names } = queriedBy(expression);
    const found = names.flatMap((name) => values[name] ?? []);
    if (found.length === 0) return undefined;
    return aggregate === "SUM" ? sumOf(found) : Math.max(...found);
  }
  const byId = new Map(metrics.map((metric) => [metric.id, values[nameOf(metric)]]));
  const known = [...byId.values()].filter((value) => value !== undefined);
  if (known.length === 0 || expression === undefined) return known[0];
  if (expression === "FILL(runs, 0) - FILL(failed, 0)") return (byId.get("runs") ?? 0) - (byId.get("failed") ?? 0);
  if (expression === "IF(FILL(runs, 0) > 0, 0, FILL(registrations, 0))") {
    return (byId.get("runs") ?? 0) > 0 ? 0 : (byId.get("registrations") ?? 0);
  }
  throw new Error(`This expression is not known here: ${expression}`);
}

const comparisons: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
};

/**
 * Whether the alarm rings after these periods, the oldest first. Before the first one it has no value.
 * @param before whether it rang before; it goes on so when every period is to be ignored
 */
export function rings(alarm: AlarmDefinition, periods: readonly Values[], before = false): boolean {
  const compare = comparisons[alarm.comparison];
  if (!compare) throw new Error(`This comparison is not known here: ${alarm.comparison}`);
  const evaluated = periods.slice(-alarm.of).map((values) => {
    const value = comparedValue(alarm, values);
    if (value !== undefined) return compare(value, alarm.threshold);
    return alarm.missing === "ignore" ? undefined : alarm.missing === "breaching";
  });
  if (evaluated.every((one) => one === undefined)) return before;
  return evaluated.filter((one) => one === true).length >= alarm.breaching;
}
