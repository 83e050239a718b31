/** What a stage is watched with: alarms and their topic, one dashboard, saved queries, a budget. */
import { Stack } from "aws-cdk-lib";
import {
  type CfnAlarm,
  ComparisonOperator,
  type MathExpression,
  type Metric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { CfnQueryDefinition, FilterPattern, type ILogGroup, MetricFilter } from "aws-cdk-lib/aws-logs";
import {
  type CustomMetricGroup,
  type CustomMetricWithAlarm,
  DefaultDashboardFactory,
  MonitoringFacade,
  SnsAlarmActionStrategy,
} from "cdk-monitoring-constructs";
import { Construct } from "constructs";
import { metrics as businessMetrics, type MetricName } from "#outbox/metrics.ts";
import type { ClubFunction } from "../function.ts";
import { AlarmTopic } from "./alarm-topic.ts";
import { type AlarmRule, alarms } from "./alarms.ts";
import { addBudget } from "./budget.ts";
import { type FilteredMetric, filters } from "./filters.ts";
import { savedQueries } from "./queries.ts";
import {
  filteredNamespace,
  periodOf,
  type StageAlarm,
  signUpFunction,
  type Timing,
  Watched,
  type WatchedResources,
} from "./watched.ts";

export interface MonitoringProps extends WatchedResources {
  readonly alarmEmail: string;
  /** In USD. */
  readonly monthlyBudget: number;
}

/** Graphs have a value for each five minutes. */
const sum: Timing = { statistic: "Sum", periodMinutes: 5 };
const highest: Timing = { statistic: "Maximum", periodMinutes: 5 };

const comparisons = {
  ">=": ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  "<": ComparisonOperator.LESS_THAN_THRESHOLD,
} as const;

/** Makes all of it. It looks for functions and queues in the stack, so it is made after them. */
export class Monitoring extends Construct {
  readonly #watched: Watched;

  constructor(scope: Construct, id: string, { alarmEmail, monthlyBudget, ...resources }: MonitoringProps) {
    super(scope, id);
    const stack = Stack.of(this);
    const watched = new Watched(stack, resources);
    this.#watched = watched;
    const topic = new AlarmTopic(this, "Topic", { email: alarmEmail, alarmNames: `${stack.stackName}-` });
    const facade = new MonitoringFacade(this, "Facade", {
      alarmFactoryDefaults: {
        alarmNamePrefix: "",
        actionsEnabled: true,
        action: new SnsAlarmActionStrategy({ onAlarmTopic: topic, onOkTopic: topic }),
      },
      // Three dashboards of an account are free, so a stage has one.
      dashboardFactory: new DefaultDashboardFactory(this, "Dashboards", {
        dashboardNamePrefix: stack.stackName,
      }),
    });
    for (const [title, groups] of Object.entries(this.#sections())) {
      facade.monitorCustom({
        humanReadableName: title,
        alarmFriendlyName: title.replaceAll(" ", ""),
        metricGroups: Object.entries(groups).map(([graph, metrics]): CustomMetricGroup => ({ title: graph, metrics })),
      });
    }
    for (const { alarm, alarmName } of facade.createdAlarms()) {
      // The name stands in the subject of the mail. As a part of the logical id it would differ between stages.
      (alarm.node.defaultChild as CfnAlarm).alarmName = `${stack.stackName}-${alarmName}`;
    }

    const { accessLog } = resources.api;
    this.#filter("Throttled", accessLog);
    this.#filter("SignUpsUndecided", watched.function(signUpFunction).logGroup);
    for (const [index, [name, { of, query }]] of Object.entries(savedQueries).entries()) {
      // A stage without chat has no such function.
      const named = Array.isArray(of)
        ? of.flatMap((one) => watched.functions[one] ?? [])
        : Object.values(watched.functions);
      const groups = of === "requests" ? [accessLog] : named.map(({ logGroup }) => logGroup);
      new CfnQueryDefinition(this, `Query${index + 1}`, {
        name: `${stack.stackName}/${name}`,
        queryString: query.join("\n| "),
        logGroupNames: groups.map(({ logGroupName }) => logGroupName),
      });
    }
    addBudget(this, "Budget", { amount: monthlyBudget, email: alarmEmail });
  }

  #filter(metricName: FilteredMetric, logGroup: ILogGroup): void {
    new MetricFilter(this, metricName, {
      logGroup,
      filterPattern: FilterPattern.literal(filters[metricName]),
      metricNamespace: filteredNamespace(this.#watched.stage),
      metricName,
    });
  }

  /** The graphs of the dashboard by section and title. A graph with an alarm shows its threshold. */
  #sections(): Readonly<Record<string, Readonly<Record<string, CustomMetricGroup["metrics"]>>>> {
    const watched = this.#watched;
    const { functions } = watched;
    const watching = watched.metrics();
    const alarm = (name: StageAlarm): CustomMetricWithAlarm[] =>
      [watching[name]]
        .flat()
        .map((metric, index) => ringing(index === 0 ? name : `${name}${index + 1}`, alarms[name], metric));
    const counted = (...names: MetricName[]): Metric[] =>
      names.map((name) => watched.counted(name, sum).with({ label: businessMetrics[name].meaning.replace(/\.$/, "") }));
    const each = (some: Readonly<Record<string, ClubFunction>>, metricName: string, timing: Timing) =>
      Object.entries(some).map(([label, one]) => watched.ofFunction(one, metricName, timing).with({ label }));
    const ages = Object.entries({ ...watched.queues, ...watched.laterQueues }).map(([label, queue]) =>
      watched.ageOf(queue).with({ label }),
    );
    return {
      API: {
        Answers: [
          watched.ofApi("Count", sum).with({ label: "all" }),
          watched.ofApi("4xx", sum).with({ label: "4xx" }),
          ...alarm("apiErrors"),
          ...alarm("apiThrottled"),
        ],
        "Milliseconds until the answer": [
          watched.ofApi("Latency", { statistic: "p50", periodMinutes: 5 }).with({ label: "half of them" }),
          ...alarm("apiSlow"),
        ],
        "Contended (503), and conflicts in the table": [...alarm("contended"), ...alarm("tableConflicts")],
      },
      Functions: {
        "Failed runs": [...alarm("functionErrors"), ...each(functions, "Errors", sum)],
        "Longest run in milliseconds": each(functions, "Duration", highest),
        "Longest run behind the bus, in percent of its time": alarm("nearTimeout"),
        "Concurrency of the account in percent; runs refused": [...alarm("concurrency"), ...alarm("functionThrottles")],
      },
      "Bus and queues": {
        "Milliseconds until the relay": alarm("streamLate"),
        "Not delivered by the bus": alarm("busFailures"),
        "Seconds that the oldest message waits": ages,
        "The oldest message, in percent of its time": alarm("queuesLate"),
        "Given up, or tried again every hour": [
          ...Object.entries(watched.deadLetterQueues).map(([name, queue]) =>
            ringing(name, { ...alarms.deadLetters, says: queue.meaning }, watched.messagesIn(queue, "deadLetters")),
          ),
          ...Object.entries(watched.laterQueues).map(([name, queue]) =>
            ringing(name, alarms.laterTries, watched.messagesIn(queue, "laterTries")),
          ),
        ],
      },
      "Sweeper and table": {
        "Runs of the sweeper": [...alarm("sweeperStopped"), ...alarm("sweeperFails")],
        "Requests that DynamoDB refused or failed": [...alarm("tableThrottled"), ...alarm("tableErrors")],
        "Capacity used": ["ConsumedReadCapacityUnits", "ConsumedWriteCapacityUnits"].map((name) =>
          watched.ofTable(name, sum),
        ),
      },
      Mails: {
        "Bounces and complaints of the account": [...alarm("mailBounces"), ...alarm("mailComplaints")],
        Mails: [
          ...counted("MailsSent", "MailsUnconfirmed", "MailsSuppressed"),
          ...alarm("mailsRefused"),
          ...alarm("mailsPostponed"),
        ],
        Chat: [...alarm("chatRefused"), ...alarm("chatUnconfirmed")],
      },
      Club: {
        Registrations: counted(
          "Registered",
          "RegisteredUnpaid",
          "Waitlisted",
          "Applied",
          "Accepted",
          "Promoted",
          "RefusedFull",
          "RefusedClosed",
          "RefusedDuplicate",
        ),
        "Money in cents": counted("MoneyIn", "MoneyOwedBack"),
        "Payment events refused": alarm("paymentEventsRefused"),
        "Sign-ups": [...counted("SignUpsRefused"), ...alarm("signUpsUndecided")],
      },
    };
  }
}

/** A metric with its alarm. The alarm has no name of its own in the construct tree but this one. */
const ringing = (name: string, rule: AlarmRule, metric: Metric | MathExpression): CustomMetricWithAlarm => ({
  metric: metric.label === undefined ? metric.with({ label: name }) : metric,
  alarmFriendlyName: name,
  addAlarm: {
    Warning: {
      alarmNameOverride: name,
      alarmDescriptionOverride: rule.says,
      runbookLink: `docs/runbook.md#${rule.anchor}`,
      threshold: rule.threshold,
      comparisonOperator: comparisons[rule.comparison],
      period: periodOf(rule),
      datapointsToAlarm: rule.breaching,
      evaluationPeriods: rule.of,
      treatMissingDataOverride: TreatMissingData[missingData[rule.missing]],
    },
  },
});

const missingData = { breaching: "BREACHING", notBreaching: "NOT_BREACHING", ignore: "IGNORE" } as const;
