/**
 * What CloudWatch would make of an alarm of a template and of given values, by its documented rules. It knows the
 * expressions that this stack uses, and refuses all others.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-evaluation.html
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
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
  /** Finds metrics by itself. */
  readonly query?: { readonly id: string; readonly select: string };
  /** A formula of metrics or of the query. Absent: the alarm watches the only one. */
  readonly formula?: string;
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
  if (queries.filter(({ ReturnData }) => ReturnData).length !== 1) throw new Error("An alarm watches one value.");
  const texts = queries.flatMap(({ Id: id, Expression }) => (Expression ? [{ id, select: textOf(Expression) }] : []));
  const query = texts.find(({ select }) => select.startsWith("SELECT "));
  const formula = texts.find((one) => one !== query)?.select;
  return {
    metrics: queries.flatMap(metricOf),
    ...(query && { query }),
    ...(formula !== undefined && { formula }),
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

/** The values of a minute or period, by names of metrics: `Errors Mail`. */
export type Values = Readonly<Record<string, number>>;

interface Series {
  readonly id: string;
  readonly names: readonly string[];
  /** `SUM` or `MAX`, of minutes and metrics. */
  readonly sums: boolean;
}

/** The metrics that a query asks for, in words. One of all operations of the table has the table's name only. */
function queriedBy({ id, select }: NonNullable<AlarmDefinition["query"]>): Series {
  const query = /^SELECT (MAX|SUM)\((\w+)\) FROM SCHEMA\("AWS\/\w+", (?:Operation, )?(\w+)\) WHERE (.+)$/.exec(select);
  const [, aggregate, metric, dimension = "", where = ""] = query ?? [];
  const values = where.split(" OR ").map((part) => new RegExp(`^${dimension} = '(.+)'$`).exec(part)?.[1]);
  if (!aggregate || values.includes(undefined)) throw new Error(`This query is not known here: ${select}`);
  return { id, names: values.map((value = "") => `${metric} ${nameIn(value)}`), sums: aggregate === "SUM" };
}

const seriesOf = ({ metrics, query }: AlarmDefinition): Series[] =>
  query
    ? [queriedBy(query)]
    : metrics.map((metric) => ({ id: metric.id, names: [nameOf(metric)], sums: metric.statistic === "Sum" }));

/** All metrics that an alarm looks at, in words. */
const watchedBy = (alarm: AlarmDefinition): string[] => seriesOf(alarm).flatMap(({ names }) => names);

/** The value of a series in a minute or period, or of a series of such values. The highest stands for a percentile. */
const joined = (sums: boolean, values: readonly (number | undefined)[]): number | undefined =>
  values.reduce(
    (all, one) => (all === undefined || one === undefined ? (all ?? one) : sums ? all + one : Math.max(all, one)),
    undefined,
  );

const valuesOf = ({ names, sums }: Series, all: readonly Values[]) =>
  all.map((values) =>
    joined(
      sums,
      names.map((name) => values[name]),
    ),
  );

type Numbers = Readonly<Record<string, number | undefined>>;
/** The formulas of this stack, of values and of those whose lack `FILL` has replaced by 0. */
const formulas: Readonly<Record<string, (filled: Numbers, values: Numbers) => number | undefined>> = {
  "FILL(refused, 0)": ({ refused }) => refused,
  "runs - FILL(failed, 0)": ({ failed = 0 }, { runs }) => runs && runs - failed,
  "IF(FILL(runs, 0) > 0, 0, FILL(registrations, 0))": ({ runs = 0, registrations }) => (runs > 0 ? 0 : registrations),
};

const comparisons: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
};

/** What AWS leaves open. A promise of an alarm has to hold whichever way it is. */
export interface Circumstances {
  /** Minutes until a value is known. `FILL` fills the newest periods meanwhile. */
  readonly late?: number;
  /** Periods that CloudWatch reads beyond those that it evaluates: two in its examples. */
  readonly further?: number;
  /** Whether `FILL` fills a series that has no value at all in the periods that are read. */
  readonly fillsEmpty?: boolean;
}

/**
 * Makes a function that says of the values of periods, the oldest first, whether each is beyond the threshold. Undefined:
 * it has no value.
 */
function judgeOf(alarm: AlarmDefinition, fillsEmpty: boolean) {
  const compare = comparisons[alarm.comparison];
  const formula = alarm.formula === undefined ? undefined : formulas[alarm.formula];
  if (!compare || (alarm.formula !== undefined && !formula))
    throw new Error(`Not known here: ${JSON.stringify(alarm)}`);
  const ids = seriesOf(alarm).map(({ id }) => id);
  /** @param all the values of each series */
  return (all: readonly (readonly (number | undefined)[])[]): (boolean | undefined)[] => {
    const isFilled = fillsEmpty || all.every((values) => values.some((value) => value !== undefined));
    return (all[0] ?? []).map((first, index) => {
      const values = Object.fromEntries(ids.map((id, series) => [id, all[series]?.[index]]));
      const filled = Object.fromEntries(ids.map((id) => [id, values[id] ?? 0]));
      const value = formula ? (isFilled ? formula(filled, values) : undefined) : first;
      return value === undefined ? undefined : compare(value, alarm.threshold);
    });
  };
}

/**
 * Whether an alarm rings. Real values come first, from further back too; only what they lack is filled. The treatment
 * `missing`, with the state `INSUFFICIENT_DATA`, is not used here.
 * @param before whether it rang before
 */
export function isRinging(
  { breaching, of, missing }: Pick<AlarmDefinition, "breaching" | "of" | "missing">,
  points: readonly (boolean | undefined)[],
  before: boolean,
): boolean {
  if (!["breaching", "notBreaching", "ignore"].includes(missing)) throw new Error(`Not known here: ${missing}`);
  const real = points.filter((point) => point !== undefined).slice(-of);
  const beyond = real.filter((point) => point).length + (missing === "breaching" ? of - real.length : 0);
  return beyond >= breaching || (missing === "ignore" && beyond === real.length && before);
}

/** Whether an alarm rings after these periods, the oldest first. */
export const rings = (alarm: AlarmDefinition, periods: readonly Values[], before = false): boolean =>
  isRinging(alarm, judgeOf(alarm, true)(seriesOf(alarm).map((one) => valuesOf(one, periods))), before);

/**
 * Whether an alarm rings after each minute. CloudWatch looks each minute at the periods that end there.
 * @param minutes what each minute has; before them there are no values
 */
export function ringingIn(
  alarm: AlarmDefinition,
  period: number,
  minutes: readonly Values[],
  { late = 0, further = 2, fillsEmpty = true }: Circumstances = {},
): boolean[] {
  const judge = judgeOf(alarm, fillsEmpty);
  const series = seriesOf(alarm).map((one) => ({ ...one, values: valuesOf(one, minutes), ofPeriods: new Map() }));
  const isDynamo = watchedBy(alarm).some((name) => name.startsWith("ThrottledRequests"));
  // DynamoDB's metrics: see `#tableThrottled` in lib/monitoring/watched.ts.
  const rule = isDynamo ? { ...alarm, missing: "ignore" } : alarm;
  const ends = Array.from({ length: alarm.of + further }, (_, index) => (index + 1 - alarm.of - further) * period);
  let before = false;
  return minutes.map((_, minute) => {
    const known = minute + 1 - late;
    const all = series.map(({ sums, values, ofPeriods }) =>
      ends.map((end) => {
        const [from, to] = [Math.max(0, minute + 1 + end - period), Math.max(0, Math.min(minute + 1 + end, known))];
        const key = from * minutes.length + to;
        if (!ofPeriods.has(key)) ofPeriods.set(key, joined(sums, values.slice(from, to)));
        return ofPeriods.get(key) as number | undefined;
      }),
    );
    before = isRinging(rule, judge(all), before);
    return before;
  });
}
