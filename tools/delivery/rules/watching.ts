/** What tells people: alarms, logs, metrics and the budget. */
import { isDeepStrictEqual } from "node:util";
import { type Change, harmless, noLess, onlyMore, references, refused, type TypeRules } from "./rule.ts";

const otherwise = "the alarm would ring at other times than before, or not at all.";

interface Metric {
  readonly Id: string;
  readonly Expression?: unknown;
  readonly MetricStat?: { readonly Metric: object };
}

const joined = (value: unknown): string => (typeof value === "string" ? value : `\${${references(value)}}`);

/** The terms of an expression for each queue or function, such as `QueueName = '${Queue}'` and `FILL(queue0, 0) / 900`. */
const term = /(?:(?: OR )?\w+ = '\$\{\w+\}'|(?:, )?FILL\(\w+, 0\)(?: \/ \d+)?)/g;

/** The expressions without their terms; the terms; the other metrics without their ids. */
function partsOf(metrics: readonly Metric[] = []) {
  const texts = metrics
    .filter(({ Expression }) => Expression !== undefined)
    .map(({ Expression, ...others }) => {
      const parts = (Expression as { "Fn::Join"?: [string, unknown[]] })["Fn::Join"]?.[1] ?? [Expression];
      return JSON.stringify([others, parts.map(joined).join("")]);
    });
  return {
    frame: texts.map((text) => text.replaceAll(term, "")),
    terms: texts.flatMap((text) =>
      (text.match(term) ?? []).map((found) => found.replace(/^(?: OR |, )/, "").replace(/\(\w+,/, "(,")),
    ),
    read: metrics.filter(({ MetricStat }) => MetricStat).map(({ Id, ...others }) => others),
  };
}

/** What is left of the first list when each item of the second takes one away; undefined when one of them is not there. */
function minus<Item>(items: readonly Item[], others: readonly Item[]): Item[] | undefined {
  const rest = [...items];
  for (const other of others) {
    const at = rest.findIndex((item) => isDeepStrictEqual(item, other));
    if (at < 0) return undefined;
    rest.splice(at, 1);
  }
  return rest;
}

/** More queues or functions may be watched in the same way. */
const watched = ({ before, after }: Change<readonly Metric[]>): string[] => {
  const [old, wanted] = [partsOf(before), partsOf(after)];
  const more = minus(wanted.read, old.read);
  const kind = ({ MetricStat }: Omit<Metric, "Id">) => ({
    ...MetricStat,
    Metric: { ...MetricStat?.Metric, Dimensions: undefined },
  });
  const isSame =
    old.terms.length > 0 &&
    isDeepStrictEqual(old.frame, wanted.frame) &&
    minus(wanted.terms, old.terms) !== undefined &&
    more?.every((metric) => old.read.some((other) => isDeepStrictEqual(kind(metric), kind(other))));
  return isSame ? [] : [otherwise];
};

export const watching: Readonly<Record<string, TypeRules>> = {
  "AWS::CloudWatch::Alarm": {
    ends: "an alarm",
    sameBy: ["AlarmName"],
    properties: {
      ActionsEnabled: refused("the alarm would tell nobody."),
      AlarmActions: onlyMore("the alarm would tell fewer."),
      AlarmDescription: harmless,
      AlarmName: harmless,
      Metrics: watched,
      OKActions: harmless,
      Tags: harmless,
      ...Object.fromEntries(
        ["ComparisonOperator", "DatapointsToAlarm", "EvaluationPeriods", "Threshold", "TreatMissingData"].map(
          (name) => [name, refused(otherwise)],
        ),
      ),
    },
  },
  "AWS::CloudWatch::Dashboard": { ends: "the page of figures", properties: { DashboardBody: harmless } },
  "AWS::Budgets::Budget": { ends: "the mails about costs", properties: {} },
  "AWS::Logs::LogGroup": {
    // Groups to keep have a policy that says so.
    properties: {
      // https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy.html
      RetentionInDays: noLess(
        (before, after) => `logs would be kept for ${after} days instead of ${before}; older ones are deleted.`,
        Number.POSITIVE_INFINITY,
      ),
      Tags: harmless,
    },
  },
  "AWS::Logs::MetricFilter": {
    ends: "a figure that an alarm may read",
    sameBy: ["LogGroupName", "MetricTransformations"],
    properties: {},
  },
  "AWS::Logs::QueryDefinition": { properties: { LogGroupNames: harmless, Name: harmless, QueryString: harmless } },
};
