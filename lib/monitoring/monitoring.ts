/** What a stage is watched with: alarms and their topic, one dashboard, saved queries, a budget. */
import { Stack } from "aws-cdk-lib";
import { type CfnAlarm, ComparisonOperator, type Metric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { CfnQueryDefinition, FilterPattern, MetricFilter } from "aws-cdk-lib/aws-logs";
import {
  type CustomMetricGroup,
  type CustomMetricWithAlarm,
  DefaultDashboardFactory,
  MonitoringFacade,
  SnsAlarmActionStrategy,
} from "cdk-monitoring-constructs";
import { Construct } from "constructs";
import { AlarmTopic } from "./alarm-topic.ts";
import { type AlarmName, alarms } from "./alarms.ts";
import { addBudget } from "./budget.ts";
import { type CountedMetric, filters } from "./filters.ts";
import { savedQueries } from "./queries.ts";
import { namespaceOf, periodOf, type Timing, Watched, type WatchedResources } from "./watched.ts";

export interface MonitoringProps extends WatchedResources {
  readonly alarmEmail: string;
  /** In USD. */
  readonly monthlyBudget: number;
  /** The address of the repository. Alarms name entries of its runbook. */
  readonly repository: string;
}

/** Graphs have a value for each five minutes. */
const sum: Timing = { statistic: "Sum", periodMinutes: 5 };

const comparisons = {
  ">=": ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  "<": ComparisonOperator.LESS_THAN_THRESHOLD,
} as const;

const missingData = { breaching: "BREACHING", notBreaching: "NOT_BREACHING", ignore: "IGNORE" } as const;

/** Makes all of it. It looks for functions and queues in the stack, so it is made after them. */
export class Monitoring extends Construct {
  readonly #watched: Watched;
  readonly #runbook: string;

  constructor(scope: Construct, id: string, { alarmEmail, monthlyBudget, repository, ...resources }: MonitoringProps) {
    super(scope, id);
    const stack = Stack.of(this);
    this.#watched = new Watched(stack, resources);
    this.#runbook = `${repository}/blob/main/docs/runbook.md`;
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
      const { name } = alarms[alarmName as AlarmName];
      (alarm.node.defaultChild as CfnAlarm).alarmName = `${stack.stackName}-${name}`;
    }
    this.#countLines(resources);
    this.#saveQueries(resources);
    addBudget(this, "Budget", { amount: monthlyBudget, email: alarmEmail });
  }

  /** A metric has a filter in each log group that its lines may be in. */
  #countLines({ api, stage }: WatchedResources): void {
    for (const [metricName, { of, pattern }] of Object.entries(filters)) {
      const groups = of === "requests" ? [api.accessLog] : this.#watched.logGroups(of);
      for (const [index, logGroup] of groups.entries()) {
        new MetricFilter(this, index === 0 ? metricName : `${metricName}${index + 1}`, {
          logGroup,
          filterPattern: FilterPattern.literal(pattern),
          metricNamespace: namespaceOf(stage),
          metricName,
        });
      }
    }
  }

  #saveQueries({ api }: WatchedResources): void {
    const { stackName } = Stack.of(this);
    for (const [index, [name, { of, query }]] of Object.entries(savedQueries).entries()) {
      const functions = of === "functions" ? Object.keys(this.#watched.functions) : of;
      const groups = functions === "requests" ? [api.accessLog] : this.#watched.logGroups(functions);
      new CfnQueryDefinition(this, `Query${index + 1}`, {
        name: `${stackName}/${name}`,
        queryString: query.join("\n| "),
        logGroupNames: groups.map(({ logGroupName }) => logGroupName),
      });
    }
  }

  /**
   * The graphs of the dashboard by section and title. A graph with an alarm shows its threshold. More than 50 metrics
   * would cost 3 USD a month (https://aws.amazon.com/cloudwatch/pricing/).
   */
  #sections(): Readonly<Record<string, Readonly<Record<string, CustomMetricGroup["metrics"]>>>> {
    const watched = this.#watched;
    const metrics = watched.metrics();
    const alarm = (name: AlarmName): CustomMetricWithAlarm => {
      const rule = alarms[name];
      return {
        metric: metrics[name].label === undefined ? metrics[name].with({ label: rule.name }) : metrics[name],
        alarmFriendlyName: name,
        addAlarm: {
          Warning: {
            alarmNameOverride: name,
            alarmDescriptionOverride: rule.says,
            runbookLink: `${this.#runbook}#${rule.anchor}`,
            threshold: rule.threshold,
            comparisonOperator: comparisons[rule.comparison],
            period: periodOf(rule),
            datapointsToAlarm: rule.breaching,
            evaluationPeriods: rule.of,
            treatMissingDataOverride: TreatMissingData[missingData[rule.missing]],
          },
        },
      };
    };
    const counted = (name: CountedMetric): Metric => watched.counted(name, sum).with({ label: filters[name].meaning });
    const errors = Object.entries(watched.background).map(([label, one]) =>
      watched.ofFunction(one, "Errors", sum).with({ label }),
    );
    return {
      API: {
        Answers: [
          alarm("apiFlooded"),
          watched.ofApi("4xx", sum).with({ label: "4xx" }),
          alarm("apiErrors"),
          alarm("apiThrottled"),
        ],
        "Milliseconds until the answer": [
          watched.ofApi("Latency", { statistic: "p50", periodMinutes: 5 }).with({ label: "half of them" }),
          alarm("apiSlow"),
        ],
        "Registrations, sign-ups, payments": [
          counted("Registrations"),
          alarm("signUpsUndecided"),
          alarm("codesHeldBack"),
          alarm("paymentEventsRefused"),
          counted("PaymentAddressTried"),
          alarm("moneyForTreasurer"),
        ],
      },
      "Functions and queues": {
        "Runs refused by Lambda": [alarm("runsRefused")],
        "Failed runs": errors,
        "Milliseconds until the relay": [alarm("relayLate")],
        "Registrations while the relay does not run": [alarm("relayStopped")],
        "Seconds that the oldest message of a queue waits": [watched.ages],
        "Seconds that the oldest message waits": [alarm("queuesLate")],
        "Seconds that the oldest batch of a campaign waits": [alarm("campaignsLate")],
        "Dead letters": [alarm("mailsGivenUp"), alarm("seatsGivenUp"), alarm("othersGivenUp")],
      },
      "Sweeper and table": {
        "Completed runs of the sweeper": [alarm("sweeper")],
        "Requests that DynamoDB refused": [alarm("tableThrottled")],
      },
      "Mails and chat": {
        "Tried again every hour": [alarm("mailsPostponed")],
        "Bounces and complaints of the account": [alarm("mailBounces"), alarm("mailComplaints")],
        "Given up": [alarm("mailsRefused"), alarm("chatPostsMissing")],
      },
    };
  }
}
