/** The metric of each alarm (`alarms.ts`), from the resources of a stack. */
import { Duration, type Stack } from "aws-cdk-lib";
import { MathExpression, Metric, type MetricProps } from "aws-cdk-lib/aws-cloudwatch";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { chunk } from "#kit/chunk.ts";
import { dimension, namespace } from "#kit/metrics.ts";
import type { MetricName } from "#outbox/metrics.ts";
import { Consumer } from "../consumer.ts";
import { DeadLetterQueue } from "../dead-letter-queue.ts";
import type { ClubEventBus } from "../event-bus.ts";
import { ClubFunction } from "../function.ts";
import type { ClubHttpApi } from "../http-api.ts";
import { Relay } from "../relay.ts";
import type { StageConfig } from "../stages.ts";
import { Sweeper } from "../sweeper.ts";
import type { ClubTable } from "../table.ts";
import { type AlarmName, type AlarmRule, alarms, type perQueue } from "./alarms.ts";
import type { FilteredMetric } from "./filters.ts";

/** What is watched. */
export interface WatchedResources {
  readonly stage: StageConfig;
  readonly api: ClubHttpApi;
  /** The functions behind the gateway. */
  readonly apiFunctions: readonly ClubFunction[];
  readonly table: ClubTable;
  readonly bus: ClubEventBus;
}

/** The alarms that a stage has, whatever its queues are. */
export type StageAlarm = Exclude<AlarmName, (typeof perQueue)[number]>;

/** A metric that an alarm can be made of. */
export type Watchable = Metric | MathExpression;

/** One metric of several, by the name that a person knows it by. */
export type Named<Value> = Readonly<Record<string, Value>>;

/**
 * An alarm has at most so many metrics.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html
 */
const mostMetrics = 10;

/** The queue of a campaign's batches: they wait for their turn. Other messages have a quarter of an hour. */
const patienceSeconds = (queue: string): number => (queue === "CampaignsQueue" ? 4 * 3_600 : 15 * 60);

/** The requests to DynamoDB that nearly all requests to the API need. An outage shows in each of them. */
const tableOperations = ["GetItem", "Query", "TransactWriteItems"];

/** The namespace of what is counted in lines (`filters.ts`). A stage has one of its own: such metrics have no dimension. */
export const filteredNamespace = (stage: StageConfig): string => `${namespace}/${stage.name}`;

export class Watched {
  /** Functions, queues and dead-letter queues of the stack, by their names in logs and in docs/runbook.md. */
  readonly functions: Named<ClubFunction>;
  readonly queues: Named<Queue>;
  readonly laterQueues: Named<Queue>;
  readonly deadLetterQueues: Named<DeadLetterQueue>;
  readonly stage: StageConfig;
  readonly #stack: Stack;
  readonly #resources: WatchedResources;

  constructor(stack: Stack, resources: WatchedResources) {
    this.stage = resources.stage;
    this.#stack = stack;
    this.#resources = resources;
    this.functions = this.#all(ClubFunction);
    this.deadLetterQueues = this.#all(DeadLetterQueue);
    const consumers = Object.entries(this.#all(Consumer));
    this.queues = Object.fromEntries(consumers.map(([name, { queue }]) => [`${name}Queue`, queue]));
    this.laterQueues = Object.fromEntries(
      consumers.flatMap(([name, { later }]) => (later ? [[`${name}Later`, later] as const] : [])),
    );
  }

  /** The function of this name. @throws Error when the stack has none */
  function(name: string): ClubFunction {
    const found = this.functions[name];
    if (!found) throw new Error(`No function "${name}" in the stack.`);
    return found;
  }

  /** The functions that no caller waits for, and for which the API has no errors. A refused sign-up fails on purpose. */
  get background(): Named<ClubFunction> {
    const { apiFunctions } = this.#resources;
    return Object.fromEntries(
      Object.entries(this.functions).filter(([name, one]) => !apiFunctions.includes(one) && name !== signUpFunction),
    );
  }

  /** The metrics of the alarms that are not for each queue. What has too many metrics for one alarm has several. */
  metrics(): Readonly<Record<StageAlarm, Watchable | readonly Watchable[]>> {
    return {
      ...this.#ofTheApi(),
      ...this.#ofFunctions(),
      ...this.#ofTheTable(),
      ...this.#ofMails(),
      queuesLate: percentsOfMost(
        "queuesLate",
        Object.entries(this.queues).map(([name, queue]) => ({
          metric: this.ageOf(queue),
          most: patienceSeconds(name),
        })),
      ),
      // EventBridge reports each rule alone. A query finds rules that are added later, and costs nothing while no rule
      // has failures. https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Create_Metrics_Insights_Alarm.html
      // https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-monitoring.html
      busFailures: new MathExpression({
        expression: `SELECT SUM(FailedInvocations) FROM SCHEMA("AWS/Events", EventBusName, RuleName) WHERE EventBusName = '${this.#resources.bus.bus.eventBusName}'`,
        usingMetrics: {},
        label: "not delivered",
        period: periodOf(alarms.busFailures),
      }),
      chatRefused: this.counted("ChatPostsRefused", alarms.chatRefused),
      chatUnconfirmed: this.counted("ChatPostsUnconfirmed", alarms.chatUnconfirmed),
      paymentEventsRefused: this.counted("PaymentEventsRefused", alarms.paymentEventsRefused),
      contended: this.counted("Contended", alarms.contended),
    };
  }

  /**
   * Messages in a dead-letter queue, or hidden in a queue of later tries.
   * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
   */
  messagesIn(queue: Queue, kind: (typeof perQueue)[number]): Metric {
    const metricName =
      kind === "deadLetters" ? "ApproximateNumberOfMessagesVisible" : "ApproximateNumberOfMessagesNotVisible";
    return metric(alarms[kind], {
      namespace: "AWS/SQS",
      metricName,
      dimensionsMap: { QueueName: queue.queueName },
    });
  }

  /** In seconds. */
  ageOf(queue: Queue): Metric {
    return metric(alarms.queuesLate, {
      namespace: "AWS/SQS",
      metricName: "ApproximateAgeOfOldestMessage",
      dimensionsMap: { QueueName: queue.queueName },
    });
  }

  /** A metric of `lambda/outbox/metrics.ts`. */
  counted(metricName: MetricName, rule: Timing): Metric {
    return metric(rule, { namespace, metricName, dimensionsMap: { [dimension]: this.stage.name } });
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

  /** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html */
  ofTable(metricName: string, rule: Timing, dimensionsMap: Readonly<Record<string, string>> = {}): Metric {
    const { tableName } = this.#resources.table.table;
    return metric(rule, {
      namespace: "AWS/DynamoDB",
      metricName,
      dimensionsMap: { TableName: tableName, ...dimensionsMap },
    });
  }

  #filtered(metricName: FilteredMetric, rule: Timing): Metric {
    return metric(rule, { namespace: filteredNamespace(this.stage), metricName });
  }

  #ofTheApi() {
    return {
      apiErrors: this.ofApi("5xx", alarms.apiErrors),
      apiThrottled: this.#filtered("Throttled", alarms.apiThrottled),
      apiSlow: this.ofApi("Latency", alarms.apiSlow),
    };
  }

  #ofFunctions() {
    const background = Object.values(this.background);
    const [relay] = Object.values(this.#all(Relay));
    const [sweeper] = Object.values(this.#all(Sweeper));
    if (!relay || !sweeper) throw new Error("The stack has no relay or no sweeper.");
    // The sweeper has alarms of its own.
    const failing = background.filter((one) => one !== sweeper);
    return {
      functionErrors: sumsOf(
        "functionErrors",
        failing.map((one) => this.ofFunction(one, "Errors", alarms.functionErrors)),
      ),
      // Without dimensions: all functions of the account, as is the limit that they share.
      functionThrottles: metric(alarms.functionThrottles, { namespace: "AWS/Lambda", metricName: "Throttles" }),
      // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch-Quotas-Visualize-Alarms.html
      concurrency: new MathExpression({
        expression: "100 * used / SERVICE_QUOTA(used)",
        usingMetrics: {
          used: metric(alarms.concurrency, {
            namespace: "AWS/Usage",
            metricName: "ResourceCount",
            dimensionsMap: { Service: "Lambda", Type: "Resource", Resource: "ConcurrentExecutions", Class: "None" },
          }),
        },
        label: "percent of the account's concurrency",
        period: periodOf(alarms.concurrency),
      }),
      nearTimeout: percentsOfMost(
        "nearTimeout",
        // A banner's cache header is a single small request.
        background
          .filter((one) => one.node.id !== "CacheHeader")
          .map((one) => ({
            metric: this.ofFunction(one, "Duration", alarms.nearTimeout),
            most: timeoutOf(one).toMilliseconds(),
          })),
      ),
      streamLate: this.ofFunction(relay, "IteratorAge", alarms.streamLate),
      sweeperFails: this.ofFunction(sweeper, "Errors", alarms.sweeperFails),
      sweeperStopped: this.ofFunction(sweeper, "Invocations", alarms.sweeperStopped),
      signUpsUndecided: this.#filtered("SignUpsUndecided", alarms.signUpsUndecided),
    };
  }

  #ofTheTable() {
    const { tableThrottled, tableErrors, tableConflicts } = alarms;
    const indexes = this.#resources.table.indexNames;
    const events = ["ReadThrottleEvents", "WriteThrottleEvents"];
    return {
      tableThrottled: sumsOf(
        "tableThrottled",
        events.flatMap((event) => [
          this.ofTable(event, tableThrottled),
          ...indexes.map((index) => this.ofTable(event, tableThrottled, { GlobalSecondaryIndexName: index })),
        ]),
      ),
      tableErrors: sumsOf(
        "tableErrors",
        tableOperations.map((operation) => this.ofTable("SystemErrors", tableErrors, { Operation: operation })),
      ),
      tableConflicts: this.ofTable("TransactionConflict", tableConflicts),
    };
  }

  /** SES reports the rates of the whole account, and only after there was a mail that came back or a complaint. */
  #ofMails() {
    // https://docs.aws.amazon.com/ses/latest/dg/reputationdashboard-cloudwatch-alarm.html
    const ofAccount = (metricName: string, rule: AlarmRule) => metric(rule, { namespace: "AWS/SES", metricName });
    return {
      mailBounces: ofAccount("Reputation.BounceRate", alarms.mailBounces),
      mailComplaints: ofAccount("Reputation.ComplaintRate", alarms.mailComplaints),
      mailsRefused: this.counted("MailsRefused", alarms.mailsRefused),
      mailsPostponed: this.counted("MailsPostponed", alarms.mailsPostponed),
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

/** The function that the user pool asks before every new account. */
export const signUpFunction = "IdentityPreSignUp";

/** The part of a rule that a metric needs. */
export interface Timing {
  readonly statistic: AlarmRule["statistic"] | "p50";
  readonly periodMinutes: number;
}

export const periodOf = ({ periodMinutes }: Timing): Duration => Duration.minutes(periodMinutes);

const metric = (rule: Timing, props: Pick<MetricProps, "namespace" | "metricName" | "dimensionsMap">): Metric =>
  new Metric({ ...props, statistic: rule.statistic, period: periodOf(rule) });

/** Expressions of at most `mostMetrics` metrics each. No graph may have two metrics of the same id. */
const expressionsOf = <Part extends { readonly metric: Metric }>(
  name: StageAlarm,
  label: string,
  all: readonly Part[],
  expression: (terms: readonly { readonly id: string; readonly part: Part }[]) => string,
): MathExpression[] =>
  chunk(all, mostMetrics).map((parts, number) => {
    const terms = parts.map((part, index) => ({ id: `${name}${number * mostMetrics + index}`, part }));
    return new MathExpression({
      expression: expression(terms),
      usingMetrics: Object.fromEntries(terms.map(({ id, part }) => [id, part.metric])),
      label,
      period: periodOf(alarms[name]),
    });
  });

// A metric without a value must not hide the others, so it counts as 0.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
const sumsOf = (name: StageAlarm, metrics: readonly Metric[]): MathExpression[] =>
  expressionsOf(
    name,
    "all together",
    metrics.map((one) => ({ metric: one })),
    (terms) => `SUM([${terms.map(({ id }) => `FILL(${id}, 0)`).join(", ")}])`,
  );

/** The highest share that a metric has of the most that it may be, in percent. */
const percentsOfMost = (
  name: StageAlarm,
  parts: readonly { readonly metric: Metric; readonly most: number }[],
): MathExpression[] =>
  expressionsOf(
    name,
    "percent of what it may be",
    parts,
    (terms) => `100 * MAX([${terms.map(({ id, part }) => `FILL(${id}, 0) / ${part.most}`).join(", ")}])`,
  );

function timeoutOf({ node, timeout }: ClubFunction): Duration {
  if (!timeout) throw new Error(`${node.path} has no timeout.`);
  return timeout;
}
