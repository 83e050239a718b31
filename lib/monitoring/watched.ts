/** The metric of each alarm (`alarms.ts`), from the resources of a stack. */
import { Duration, type Stack } from "aws-cdk-lib";
import { MathExpression, Metric, type MetricProps } from "aws-cdk-lib/aws-cloudwatch";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { DeadLetterAlarm } from "#outbox/subscriptions.ts";
import { Consumer } from "../consumer.ts";
import { DeadLetterQueue } from "../dead-letter-queue.ts";
import { ClubFunction } from "../function.ts";
import type { ClubHttpApi } from "../http-api.ts";
import { Relay } from "../relay.ts";
import type { StageConfig } from "../stages.ts";
import { Sweeper } from "../sweeper.ts";
import type { ClubTable } from "../table.ts";
import { type AlarmName, type AlarmRule, alarms } from "./alarms.ts";
import type { CountedMetric } from "./filters.ts";

/** What is watched. */
export interface WatchedResources {
  readonly stage: StageConfig;
  readonly api: ClubHttpApi;
  /** The functions behind the gateway. */
  readonly apiFunctions: readonly ClubFunction[];
  readonly table: ClubTable;
}

/** A metric that an alarm can be made of. */
export type Watchable = Metric | MathExpression;

/** One metric of several, by the name that a person knows it by. */
export type Named<Value> = Readonly<Record<string, Value>>;

/** The part of a rule that a metric needs. */
export interface Timing {
  readonly statistic: AlarmRule["statistic"] | "p50";
  readonly periodMinutes: number;
}

export const periodOf = ({ periodMinutes }: Timing): Duration => Duration.minutes(periodMinutes);

const metric = (rule: Timing, props: Pick<MetricProps, "namespace" | "metricName" | "dimensionsMap">): Metric =>
  new Metric({ ...props, statistic: rule.statistic, period: periodOf(rule) });

/**
 * A query finds the metrics itself, and costs as many as it finds. An expression of metrics has at most ten.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-limits.html
 */
const query = (rule: Timing, label: string, expression: string): MathExpression =>
  new MathExpression({ expression, usingMetrics: {}, label, period: periodOf(rule) });

export class Watched {
  /** Functions, consumers and dead-letter queues of the stack, by their names in logs and in docs/runbook.md. */
  readonly functions: Named<ClubFunction>;
  readonly consumers: Named<Consumer>;
  readonly deadLetterQueues: Named<DeadLetterQueue>;
  readonly #stack: Stack;
  readonly #resources: WatchedResources;

  constructor(stack: Stack, resources: WatchedResources) {
    this.#stack = stack;
    this.#resources = resources;
    this.functions = this.#all(ClubFunction);
    this.consumers = this.#all(Consumer);
    this.deadLetterQueues = this.#all(DeadLetterQueue);
  }

  /** The functions that no caller waits for. The API and the user pool report the failures of the others. */
  get background(): Named<ClubFunction> {
    const { apiFunctions } = this.#resources;
    return Object.fromEntries(
      Object.entries(this.functions).filter(([name, one]) => !apiFunctions.includes(one) && name !== signUpFunction),
    );
  }

  /** The log groups of functions, by their names; those that this stage does not have are left out. */
  logGroups(names: readonly string[]): ILogGroup[] {
    return names.flatMap((name) => this.functions[name]?.logGroup ?? []);
  }

  metrics(): Readonly<Record<AlarmName, Watchable>> {
    const [relay] = Object.values(this.#all(Relay));
    const campaigns = this.consumers.Campaigns?.queue;
    if (!relay || !campaigns) throw new Error("The stack has no relay or no campaigns.");
    const later = Object.values(this.consumers).flatMap((consumer) => consumer.later ?? []);
    return {
      apiErrors: this.ofApi("5xx", alarms.apiErrors),
      apiThrottled: this.counted("Throttled", alarms.apiThrottled),
      apiFlooded: this.ofApi("Count", alarms.apiFlooded),
      apiSlow: this.ofApi("Latency", alarms.apiSlow),
      // Without dimensions: all functions of the account, as is the limit that they share.
      runsRefused: metric(alarms.runsRefused, { namespace: "AWS/Lambda", metricName: "Throttles" }),
      relayLate: this.ofFunction(relay, "IteratorAge", alarms.relayLate),
      relayStopped: this.#relayStopped(relay),
      queuesLate: this.#highest(
        alarms.queuesLate,
        age,
        this.#queues.filter((queue) => queue !== campaigns),
      ),
      campaignsLate: this.#ofQueue(campaigns, age, alarms.campaignsLate),
      mailsGivenUp: this.#givenUp("mailsGivenUp"),
      seatsGivenUp: this.#givenUp("seatsGivenUp"),
      othersGivenUp: this.#givenUp("othersGivenUp"),
      // They are hidden nearly all the time.
      mailsPostponed: this.#highest(alarms.mailsPostponed, "ApproximateNumberOfMessagesNotVisible", later),
      mailsRefused: this.counted("MailsRefused", alarms.mailsRefused),
      ...this.#reputation(),
      sweeper: this.#sweeper(),
      tableThrottled: this.#tableThrottled(),
      signUpsUndecided: this.counted("SignUpsUndecided", alarms.signUpsUndecided),
      codesHeldBack: this.counted("CodesHeldBack", alarms.codesHeldBack),
      paymentEventsRefused: this.counted("PaymentEventsRefused", alarms.paymentEventsRefused),
      moneyForTreasurer: this.counted("MoneyForTreasurer", alarms.moneyForTreasurer),
      chatPostsMissing: this.counted("ChatPostsMissing", alarms.chatPostsMissing),
    };
  }

  /** How long the oldest message of each queue waits, in seconds: a line for each queue. */
  get ages(): MathExpression {
    const { expression } = this.#highest(alarms.queuesLate, age, this.#queues);
    return query(alarms.queuesLate, "of", `${expression} GROUP BY QueueName`);
  }

  /** A metric of `filters.ts`. Such metrics have no dimension, so each stage has a namespace of its own. */
  counted(metricName: CountedMetric, rule: Timing): Metric {
    return metric(rule, { namespace: namespaceOf(this.#resources.stage), metricName });
  }

  /** https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html */
  ofFunction(one: ClubFunction, metricName: string, rule: Timing): Metric {
    return metric(rule, { namespace: "AWS/Lambda", metricName, dimensionsMap: { FunctionName: one.functionName } });
  }

  /** https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html */
  ofApi(metricName: string, rule: Timing): Metric {
    const dimensionsMap = { ApiId: this.#resources.api.api.apiId };
    return metric(rule, { namespace: "AWS/ApiGateway", metricName, dimensionsMap });
  }

  /** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html */
  #ofQueue(queue: Queue, metricName: string, rule: Timing): Metric {
    return metric(rule, { namespace: "AWS/SQS", metricName, dimensionsMap: { QueueName: queue.queueName } });
  }

  /** Registrations of a period in which the relay did not run. */
  #relayStopped(relay: Relay): MathExpression {
    return new MathExpression({
      expression: "IF(FILL(runs, 0) > 0, 0, FILL(registrations, 0))",
      usingMetrics: {
        runs: this.ofFunction(relay, "Invocations", alarms.relayStopped),
        registrations: this.counted("Registrations", alarms.relayStopped),
      },
      label: "registrations without a run",
      period: periodOf(alarms.relayStopped),
    });
  }

  #givenUp(alarm: DeadLetterAlarm): MathExpression {
    const queues = Object.values(this.deadLetterQueues).filter((queue) => queue.alarm === alarm);
    return this.#highest(alarms[alarm], "ApproximateNumberOfMessagesVisible", queues);
  }

  /** The queues that functions read first. */
  get #queues(): Queue[] {
    return Object.values(this.consumers).map(({ queue }) => queue);
  }

  /** The highest value among queues. */
  #highest(rule: AlarmRule, metricName: string, queues: readonly Queue[]): MathExpression {
    const names = queues.map(({ queueName }) => `QueueName = '${queueName}'`).join(" OR ");
    return query(rule, rule.unit, `SELECT MAX(${metricName}) FROM SCHEMA("AWS/SQS", QueueName) WHERE ${names}`);
  }

  /**
   * Runs that were completed. A minute without a run has no value: filled, the newest ones would count as missed until
   * Lambda has reported them.
   */
  #sweeper(): MathExpression {
    const [sweeper] = Object.values(this.#all(Sweeper));
    if (!sweeper) throw new Error("The stack has no sweeper.");
    return new MathExpression({
      expression: "runs - FILL(failed, 0)",
      usingMetrics: {
        runs: this.ofFunction(sweeper, "Invocations", alarms.sweeper),
        failed: this.ofFunction(sweeper, "Errors", alarms.sweeper),
      },
      label: "completed",
      period: periodOf(alarms.sweeper),
    });
  }

  /**
   * All operations. A request counts once, also when it is an index that refuses.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TroubleshootingThrottling-cloudwatch.html
   *
   * An alarm on DynamoDB's metrics stays as it is while they have no value, whatever it says of missing data: it would
   * ring once, and never again. So the formula has a value for each period after one.
   * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html
   */
  #tableThrottled(): MathExpression {
    const { tableName } = this.#resources.table.table;
    const schema = 'SCHEMA("AWS/DynamoDB", Operation, TableName)';
    const select = `SELECT SUM(ThrottledRequests) FROM ${schema} WHERE TableName = '${tableName}'`;
    return new MathExpression({
      expression: "FILL(refused, 0)",
      usingMetrics: { refused: query(alarms.tableThrottled, "requests", select) },
      label: "requests",
      period: periodOf(alarms.tableThrottled),
    });
  }

  /**
   * SES reports the rates of the whole account, and only after there was a mail that came back or a complaint.
   * https://docs.aws.amazon.com/ses/latest/dg/reputationdashboard-cloudwatch-alarm.html
   */
  #reputation() {
    const ofAccount = (metricName: string, rule: AlarmRule) => metric(rule, { namespace: "AWS/SES", metricName });
    return {
      mailBounces: ofAccount("Reputation.BounceRate", alarms.mailBounces),
      mailComplaints: ofAccount("Reputation.ComplaintRate", alarms.mailComplaints),
    };
  }

  /** The constructs of a class in the stack, in the order of their names. */
  // biome-ignore lint/suspicious/noExplicitAny: a class is known by what it makes, not by what it takes
  #all<One>(type: abstract new (...args: any) => One): Named<One> {
    const found = this.#stack.node.findAll().flatMap((one) => {
      const name = one.node.path.split("/").slice(1).join("");
      return one instanceof type ? [[name, one as One] as const] : [];
    });
    return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

const age = "ApproximateAgeOfOldestMessage";

/** The function that the user pool asks before every new account. */
const signUpFunction = "IdentityPreSignUp";

/** The namespace of the metrics of `filters.ts`. */
export const namespaceOf = ({ name }: StageConfig): string => `ClubEvents/${name}`;
