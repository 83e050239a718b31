/** What tells people: alarms, logs, metrics and the budget. */
import { isDeepStrictEqual } from "node:util";
import { type Change, harmless, noLess, onlyMore, references, refused, type TypeRules } from "./rule.ts";

const otherwise = "the alarm would ring at other times than before, or not at all.";

/** More queues or functions may be watched. */
const watched = ({ before, after }: Change<unknown>): string[] => {
  const [old, wanted] = [references(before), references(after)];
  const isMore = wanted.length > old.length && old.every((id) => wanted.includes(id));
  return isMore || isDeepStrictEqual(before, after) ? [] : [otherwise];
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
  "AWS::CloudWatch::Dashboard": { properties: { DashboardBody: harmless } },
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
