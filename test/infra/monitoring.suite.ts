/** What rings, whom it reaches, and that it can ring: topic, alarms, metric filters, queries, dashboard and budget. */
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { Template } from "aws-cdk-lib/assertions";
import { metrics as businessMetrics, type MetricName } from "#outbox/metrics.ts";
import { type AlarmName, alarms } from "../../lib/monitoring/alarms.ts";
import { filters } from "../../lib/monitoring/filters.ts";
import { savedQueries } from "../../lib/monitoring/queries.ts";
import { monitoring } from "../../tools/bench/prices.ts";
import { createAccessLog, type Outcome } from "../../tools/laptop/http-api/access-log.ts";
import { readEmf } from "../emf.ts";
import { matchesPattern } from "../filter-pattern.ts";
import { stages } from "../stages.ts";
import { anchorsOf } from "../unit/mentions.ts";
import { type AlarmDefinition, type AlarmMetric, alarmOf, namesOf, rings, type Values } from "./alarm-evaluation.ts";
import { examples } from "./alarm-examples.ts";
import {
  broken,
  givenTemplates,
  ofType,
  type StageTemplate,
  type TemplateResource,
  textOf,
  theOnly,
} from "./stage-templates.ts";

const deployed = ["production", "staging"] as const;
const repository = new URL("../../", import.meta.url);

let templates: Awaited<ReturnType<typeof givenTemplates>>;
beforeAll(async () => {
  templates = await givenTemplates();
});
afterEach(() => {
  jest.restoreAllMocks();
});

const alarmsOf = (template: StageTemplate): [string, TemplateResource][] => ofType(template, "AWS::CloudWatch::Alarm");

/** The name of an alarm in the table, by its name in AWS. What is there for each queue is named after the queue. */
function ruleOf(stage: string, { Properties }: TemplateResource): AlarmName {
  const name = String(Properties.AlarmName).replace(`ClubEvents-${stage}-`, "");
  const whole = name.replace(/\d+$/, "");
  // An alarm has at most ten metrics. The rest of the metrics have the next one.
  if (whole !== name && whole in alarms) return whole as AlarmName;
  if (/Failures$/.test(name) && !(name in alarms)) return "deadLetters";
  if (/Later$/.test(name)) return "laterTries";
  return name as AlarmName;
}

/** The alarms of each row of the table. */
function partsOf(template: StageTemplate, stage: string): Map<AlarmName, AlarmDefinition[]> {
  const parts = new Map<AlarmName, AlarmDefinition[]>();
  for (const [, alarm] of alarmsOf(template)) {
    const name = ruleOf(stage, alarm);
    parts.set(name, [...(parts.get(name) ?? []), alarmOf(alarm.Properties)]);
  }
  return parts;
}

/** Of the values those of the alarm's own metrics. */
function valuesOf(alarm: AlarmDefinition, periods: readonly Values[]): Values[] {
  const names = namesOf(alarm);
  return periods.map((values) =>
    typeof values === "object"
      ? Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))
      : values,
  );
}

/** Alarms that reach no person, by logical id. */
const silent = (template: StageTemplate): string[] =>
  alarmsOf(template).flatMap(([id, { Properties }]) => {
    const topics = ofType(template, "AWS::SNS::Topic").map(([topic]) => `\${${topic}}`);
    const reached = [Properties.AlarmActions, Properties.OKActions].every(
      (actions) => actions?.length === 1 && topics.includes(textOf(actions[0])),
    );
    return reached && Properties.ActionsEnabled !== false ? [] : [id];
  });

/** What AWS reports by itself: dimensions whose values are no resources. Everything else must name a resource. */
const plainDimensions: Readonly<Record<string, RegExp>> = {
  Operation: /^(GetItem|Query|TransactWriteItems)$/,
  GlobalSecondaryIndexName: /^(GSI1|REGISTRATIONS|LEADERBOARD)$/,
  Service: /^Lambda$/,
  Type: /^Resource$/,
  Resource: /^ConcurrentExecutions$/,
  Class: /^None$/,
};

/** The type of the resource that a dimension names. */
const resourceTypes: Readonly<Record<string, string>> = {
  ApiId: "AWS::ApiGatewayV2::Api",
  FunctionName: "AWS::Lambda::Function",
  QueueName: "AWS::SQS::Queue",
  TableName: "AWS::DynamoDB::Table",
};

/** Why a metric can have no value; undefined when it can. */
function problemOf(template: StageTemplate, stage: string, metric: AlarmMetric): string | undefined {
  const { namespace, name, dimensions } = metric;
  if (namespace === "ClubEvents") {
    const isCounted = name in businessMetrics && JSON.stringify(dimensions) === JSON.stringify({ stage });
    return isCounted ? undefined : "is not in lambda/outbox/metrics.ts";
  }
  if (namespace === `ClubEvents/${stage}`) return name in filters ? undefined : "has no metric filter";
  if (!/^AWS\/(ApiGateway|Lambda|SQS|DynamoDB|SES|Usage)$/.test(namespace)) return "is of an unknown namespace";
  for (const [dimension, value] of Object.entries(dimensions)) {
    const [, id = "", attribute] = /^\$\{(\w+)(?:\.(\w+))?\}$/.exec(value) ?? [];
    const type = resourceTypes[dimension];
    const isNamed = dimension === "QueueName" ? attribute === "QueueName" : attribute === undefined;
    if (type ? template.Resources[id]?.Type === type && isNamed : plainDimensions[dimension]?.test(value)) continue;
    return `${dimension} is ${value}`;
  }
  return undefined;
}

const problems = (template: StageTemplate, stage: string): string[] =>
  alarmsOf(template).flatMap(([id, { Properties }]) =>
    alarmOf(Properties).metrics.flatMap((metric) => {
      const problem = problemOf(template, stage, metric);
      return problem === undefined ? [] : [`${id}: ${metric.name} ${problem}`];
    }),
  );

describe.each(deployed)("alarms, %s", (stage) => {
  test("each one tells the mailbox when it rings and when it is over", () => {
    expect(alarmsOf(templates[stage]).length).toBeGreaterThan(30);
    expect(silent(templates[stage])).toEqual([]);
  });

  test("each one names an entry of the runbook that is there", () => {
    const anchors = anchorsOf(readFileSync(new URL("docs/runbook.md", repository), "utf8"));
    const named = alarmsOf(templates[stage]).map(
      ([id, { Properties }]) => /Runbook: docs\/runbook\.md#([\w-]+)$/.exec(Properties.AlarmDescription)?.[1] ?? id,
    );
    expect([...new Set(named)].filter((anchor) => !anchors.includes(anchor))).toEqual([]);
  });

  test("each one watches metrics of resources of this stack, or of the account where AWS has no other", () => {
    expect(problems(templates[stage], stage)).toEqual([]);
  });

  test("each one is what the table says, and each row of the table is there", () => {
    const found = alarmsOf(templates[stage]).map(([, alarm]) => {
      const name = ruleOf(stage, alarm);
      const rule = alarms[name];
      expect(alarmOf(alarm.Properties)).toMatchObject({
        threshold: rule.threshold,
        comparison: { ">=": "GreaterThanOrEqualToThreshold", "<": "LessThanThreshold" }[rule.comparison],
        breaching: rule.breaching,
        of: rule.of,
        missing: rule.missing,
      });
      for (const metric of alarmOf(alarm.Properties).metrics) {
        expect(metric).toMatchObject({ period: rule.periodMinutes * 60, statistic: rule.statistic });
      }
      return name;
    });
    expect([...new Set(found)].sort()).toEqual(Object.keys(alarms).sort());
  });

  test("each one rings at its example and is quiet beside it", () => {
    for (const [name, parts] of partsOf(templates[stage], stage)) {
      const { loud, quiet } = examples[name];
      const named = parts.flatMap(namesOf);
      for (const values of [...loud, ...quiet]) {
        if (typeof values !== "object") continue;
        expect(Object.keys(values).filter((metric) => !named.includes(metric))).toEqual([]);
      }
      for (const part of parts) expect([name, loud.length, quiet.length]).toEqual([name, part.of, part.of]);
      const ringing = (periods: readonly Values[]) => parts.filter((part) => rings(part, valuesOf(part, periods)));
      // What is there for each queue is one alarm for each, and all of them ring. Parts of one alarm share an example.
      const isShared = loud.some((values) => typeof values === "object");
      expect([name, ringing(loud).length]).toEqual([name, isShared ? 1 : parts.length]);
      expect([name, ringing(quiet).length]).toEqual([name, 0]);
    }
  });

  test("each metric of an alarm with several ones can make it ring alone", () => {
    for (const [id, { Properties }] of alarmsOf(templates[stage])) {
      const definition = alarmOf(Properties);
      if (definition.expression?.includes("FILL(") !== true) continue;
      for (const metric of namesOf(definition)) {
        const far = Array<Values>(definition.of).fill({ [metric]: 1e9 });
        expect([id, metric, rings(definition, far)]).toEqual([id, metric, true]);
      }
    }
  });

  test("without any value only a sweeper that does not run rings", () => {
    const ringing = alarmsOf(templates[stage]).flatMap(([, alarm]) => {
      const definition = alarmOf(alarm.Properties);
      const nothing = definition.expression?.includes("FILL(") ? {} : undefined;
      return rings(definition, Array(definition.of).fill(nothing)) ? [ruleOf(stage, alarm)] : [];
    });
    expect(ringing).toEqual(["sweeperStopped"]);
  });

  test("every function with a schedule is missed when it does not run", () => {
    const missed = alarmsOf(templates[stage])
      .map(([, { Properties }]) => alarmOf(Properties))
      .filter(({ missing, comparison }) => missing === "breaching" && comparison === "LessThanThreshold")
      .flatMap(({ metrics }) => metrics.filter(({ name }) => name === "Invocations"))
      .map(({ dimensions }) => dimensions.FunctionName);
    const scheduled = ofType(templates[stage], "AWS::Events::Rule")
      .filter(([, { Properties }]) => Properties.ScheduleExpression)
      .flatMap(([, { Properties }]) => Properties.Targets as { Arn: unknown }[])
      .map(({ Arn }) => textOf(Arn).replace(".Arn", ""));
    expect(scheduled.length).toBeGreaterThan(0);
    expect(scheduled.filter((one) => !missed.includes(one))).toEqual([]);
  });

  test("the queries of the bus ask for the bus of this stack", () => {
    const queries = alarmsOf(templates[stage]).flatMap(
      ([, { Properties }]) => /^SELECT .*/.exec(alarmOf(Properties).expression ?? "") ?? [],
    );
    const [[bus]] = ofType(templates[stage], "AWS::Events::EventBus") as [[string, TemplateResource]];
    expect(queries).toEqual([
      `SELECT SUM(FailedInvocations) FROM SCHEMA("AWS/Events", EventBusName, RuleName) WHERE EventBusName = '\${${bus}}'`,
    ]);
  });

  test("every index of the table is among the throttled", () => {
    const { GlobalSecondaryIndexes } = theOnly(templates[stage], "AWS::DynamoDB::Table").Properties;
    const alarm = alarmsOf(templates[stage]).find(([, one]) => ruleOf(stage, one) === "tableThrottled");
    const watched = alarmOf(alarm?.[1].Properties).metrics.map(
      ({ name, dimensions }) => `${name} ${dimensions.GlobalSecondaryIndexName ?? ""}`,
    );
    const names = ["", ...GlobalSecondaryIndexes.map(({ IndexName }: { IndexName: string }) => IndexName)];
    expect(watched.sort()).toEqual(
      names.flatMap((name) => [`ReadThrottleEvents ${name}`, `WriteThrottleEvents ${name}`]).sort(),
    );
  });
});

describe("the topic", () => {
  test.each(deployed)(
    "of %s is encrypted, takes messages of its own alarms only, and leads to the mailbox",
    (stage) => {
      const template = templates[stage];
      const [[topic, { Properties }]] = ofType(template, "AWS::SNS::Topic") as [[string, TemplateResource]];
      const [[key]] = ofType(template, "AWS::KMS::Key") as [[string, TemplateResource]];
      expect(Properties.KmsMasterKeyId).toEqual({ "Fn::GetAtt": [key, "Arn"] });
      const { Statement } = theOnly(template, "AWS::SNS::TopicPolicy").Properties.PolicyDocument;
      const ofAlarms = {
        StringEquals: { "aws:SourceAccount": { Ref: "AWS::AccountId" } },
        ArnLike: { "aws:SourceArn": expect.anything() },
      };
      const principal = { Service: "cloudwatch.amazonaws.com" };
      expect(Statement).toEqual([
        expect.objectContaining({
          Effect: "Deny",
          Condition: { Bool: { "aws:SecureTransport": "false" } },
          Principal: "*",
        }),
        expect.objectContaining({ Effect: "Allow", Action: "sns:Publish", Principal: principal, Condition: ofAlarms }),
      ]);
      const names = `arn:\${AWS::Partition}:cloudwatch:\${AWS::Region}:\${AWS::AccountId}:alarm:ClubEvents-${stage}-*`;
      expect(textOf(Statement[1].Condition.ArnLike["aws:SourceArn"])).toBe(names);
      // Without these rights on the key the alarm's message would be lost, and no person would notice.
      expect(theOnly(template, "AWS::KMS::Key").Properties.KeyPolicy.Statement).toContainEqual(
        expect.objectContaining({
          Action: ["kms:Decrypt", "kms:GenerateDataKey*"],
          Principal: principal,
          Condition: ofAlarms,
        }),
      );
      expect(theOnly(template, "AWS::SNS::Subscription").Properties).toEqual({
        Protocol: "email",
        Endpoint: stages[stage].alarmEmail,
        TopicArn: { Ref: topic },
      });
    },
  );
});

test("the names of alarms begin as the topic demands, and differ", () => {
  const names = alarmsOf(templates.production).map(([, { Properties }]) => String(Properties.AlarmName));
  expect(names.every((name) => name.startsWith("ClubEvents-production-"))).toBe(true);
  expect(new Set(names).size).toBe(names.length);
});

describe("lines that are counted", () => {
  const accessLine = (status: number): string => {
    const lines: string[] = [];
    const { Format } = theOnly(templates.production, "AWS::ApiGatewayV2::Stage").Properties.AccessLogSettings;
    const request = { requestId: "r-1", time: 0, path: "/", sourceIp: "::1", message: { headers: {} } } as unknown;
    createAccessLog(Format, (line) => lines.push(line))({
      request: request as Outcome["request"],
      status,
      responseLength: 1,
      latency: 429,
    });
    return lines[0] ?? "";
  };

  test("a refusal of the gateway, and no other answer", () => {
    expect([429, 200, 409, 503].map((status) => matchesPattern(filters.Throttled, accessLine(status)))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test.each(deployed)(
    "each filter of %s is on the group where its lines are, and makes the alarm's metric",
    (stage) => {
      const made = ofType(templates[stage], "AWS::Logs::MetricFilter").map(([, { Properties }]) => [
        Properties.LogGroupName.Ref.replace(/[0-9A-F]{8}$/, ""),
        Properties.FilterPattern,
        Properties.MetricTransformations,
      ]);
      const counting = (MetricName: string) => [
        { MetricName, MetricNamespace: `ClubEvents/${stage}`, MetricValue: "1" },
      ];
      expect(made).toEqual([
        ["ApiAccessLog", filters.Throttled, counting("Throttled")],
        ["IdentityPreSignUpLogs", filters.SignUpsUndecided, counting("SignUpsUndecided")],
      ]);
    },
  );

  test("what the functions print has the namespace, name, dimension and unit of its alarms", async () => {
    const watched = alarmsOf(templates.production)
      .flatMap(([, { Properties }]) => alarmOf(Properties).metrics)
      .filter(({ namespace }) => namespace === "ClubEvents");
    expect(watched.length).toBeGreaterThanOrEqual(5);
    const lines = await printed(watched.map(({ name }) => name as MetricName));
    for (const { name, namespace, dimensions } of watched) {
      expect(lines).toContainEqual({ namespace, dimensions, values: { [name]: [1] }, units: { [name]: "Count" } });
    }
  });

  /** The lines that functions of production print when they count these. */
  async function printed(names: readonly MetricName[]) {
    process.env.POWERTOOLS_METRICS_DISABLED = "false";
    process.env.STAGE = "production";
    const lines: string[] = [];
    jest.spyOn(process.stdout, "write").mockImplementation((line) => lines.push(String(line)) > 0);
    try {
      const { counting } = await import("#kit/counting.ts");
      const { count } = await import("#outbox/metrics.ts");
      for (const name of names) await counting(async () => count(name))();
    } finally {
      // The command of the CDK takes this variable for the name of a stage.
      delete process.env.STAGE;
    }
    return lines.map((line) => readEmf(line));
  }
});

describe("saved queries", () => {
  test("ask functions that exist, for lines that are in their sources", () => {
    const folder = new URL("lambda/", repository);
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    const said = files.flatMap((file) =>
      [...readFileSync(new URL(file, folder), "utf8").matchAll(/\blog\.[a-z]+\("([^"]+)"/g)].map(([, text]) => text),
    );
    const functions = ofType(templates.production, "AWS::Lambda::Function").map(([id]) =>
      id.replace(/[0-9A-F]{8}$/, ""),
    );
    for (const [name, { of, query }] of Object.entries(savedQueries)) {
      expect([name, Array.isArray(of) ? of.filter((one) => !functions.includes(one)) : []]).toEqual([name, []]);
      const messages = [...query.join("\n").matchAll(/message = "([^"]+)"/g)].map(([, message]) => message);
      expect([name, messages.filter((message) => !said.includes(message))]).toEqual([name, []]);
    }
  });

  test("that ask for errors ask for Lambda's record of a run that ended without a line, too", () => {
    expect(savedQueries["Errors by function"]?.query[0]).toBe(
      'filter level = "ERROR" or (type = "platform.report" and record.status != "success")',
    );
  });

  test("ask the access log only for what it has", () => {
    const { Format } = theOnly(templates.production, "AWS::ApiGatewayV2::Stage").Properties.AccessLogSettings;
    const known = [...Object.keys(JSON.parse(Format)), "requests"];
    for (const { of, query } of Object.values(savedQueries)) {
      if (of !== "requests") continue;
      const words = query.join(" ").match(/\b[a-z]+[A-Z]\w*|\bstatus\b/g) ?? [];
      expect(words.length).toBeGreaterThan(0);
      expect(words.filter((word) => !known.includes(word))).toEqual([]);
    }
  });

  test("have the groups of all functions, which are at most 50", () => {
    for (const [, { Properties }] of ofType(templates.production, "AWS::Logs::QueryDefinition")) {
      expect(Properties.LogGroupNames.length).toBeGreaterThan(0);
      expect(Properties.LogGroupNames.length).toBeLessThanOrEqual(50);
      for (const { Ref } of Properties.LogGroupNames) {
        expect(templates.production.Resources[Ref]?.Type).toBe("AWS::Logs::LogGroup");
      }
    }
  });
});

test.each(deployed)(
  "%s: the mailbox hears of half of the budget, of all of it, and of a month that will exceed it",
  (stage) => {
    const { Budget, NotificationsWithSubscribers } = theOnly(templates[stage], "AWS::Budgets::Budget").Properties;
    expect(Budget).toEqual({
      BudgetType: "COST",
      TimeUnit: "MONTHLY",
      BudgetLimit: { Amount: stages[stage].monthlyBudget, Unit: "USD" },
    });
    const told = (
      NotificationsWithSubscribers as { Notification: Record<string, unknown>; Subscribers: unknown }[]
    ).map(({ Notification, Subscribers }) => {
      expect(Subscribers).toEqual([{ SubscriptionType: "EMAIL", Address: stages[stage].alarmEmail }]);
      return `${Notification.NotificationType} ${Notification.ComparisonOperator} ${Notification.Threshold} ${Notification.ThresholdType}`;
    });
    expect(told).toEqual([
      "ACTUAL GREATER_THAN 50 PERCENTAGE",
      "ACTUAL GREATER_THAN 100 PERCENTAGE",
      "FORECASTED GREATER_THAN 100 PERCENTAGE",
    ]);
  },
);

test("the laptop is not watched", () => {
  const types = Object.values(templates.local.Resources).map(({ Type }) => Type);
  expect(types.filter((type) => /CloudWatch|SNS|KMS|Budgets|QueryDefinition|MetricFilter/.test(type))).toEqual([]);
});

/** What is more than AWS takes. */
function tooMuch(template: StageTemplate): string[] {
  const size = Buffer.byteLength(JSON.stringify(template));
  const resources = Object.keys(template.Resources).length;
  const large = alarmsOf(template).filter(([, { Properties }]) => alarmOf(Properties).metrics.length > 10);
  const long = alarmsOf(template).filter(([, { Properties }]) => (alarmOf(Properties).expression ?? "").length > 2_048);
  const boards = ofType(template, "AWS::CloudWatch::Dashboard").map(([id]) => id);
  return [
    // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
    ...(resources > 500 ? [`${resources} resources`] : []),
    ...(size > 1_048_576 ? [`${size} bytes`] : []),
    ...large.map(([id]) => `${id} has more than ten metrics`),
    ...long.map(([id]) => `${id} has a long expression`),
    ...(boards.length > 1 ? [`dashboards: ${boards}`] : []),
  ];
}

test.each(deployed)("%s stays below the limits of CloudFormation and CloudWatch", (stage) => {
  expect(tooMuch(templates[stage])).toEqual([]);
});

test.each(deployed)("%s has as many metrics in alarms as the costs in docs/performance.md count", (stage) => {
  const metrics = alarmsOf(templates[stage]).reduce(
    (all, [, { Properties }]) => all + alarmOf(Properties).metrics.length,
    0,
  );
  expect(metrics).toBe(monitoring.metricsInAlarms);
  const page = readFileSync(new URL("docs/performance.md", repository), "utf8");
  expect(page).toContain(`| metrics in alarms | ${metrics} | ${(metrics * monitoring.metricInAlarm).toFixed(2)} |`);
});

describe("would be noticed:", () => {
  const production = (change: (template: StageTemplate) => void) => broken(templates.production, change);
  const first = (template: StageTemplate, name: string): TemplateResource =>
    alarmsOf(template).find(([, one]) => ruleOf("production", one) === name)![1];

  test.each<[string, (properties: TemplateResource["Properties"]) => void]>([
    ["an alarm without an action", (properties) => delete properties.AlarmActions],
    ["an alarm that never says that it is over", (properties) => delete properties.OKActions],
    ["an alarm that is switched off", (properties) => Object.assign(properties, { ActionsEnabled: false })],
    [
      "an alarm that tells another topic",
      (properties) => Object.assign(properties, { AlarmActions: [{ Ref: "Other" }] }),
    ],
  ])("%s", (_, change) => {
    expect(silent(production((template) => change(first(template, "apiErrors").Properties)))).toHaveLength(1);
  });

  test.each<[string, string, (metric: { MetricName: string; Namespace: string; Dimensions: unknown }) => void]>([
    [
      "a metric of no resource",
      "streamLate",
      (metric) => Object.assign(metric, { Dimensions: [{ Name: "FunctionName", Value: "relay" }] }),
    ],
    [
      "a metric of another kind of resource",
      "streamLate",
      (metric) => Object.assign(metric, { Dimensions: [{ Name: "FunctionName", Value: { Ref: "Table7ABB320E" } }] }),
    ],
    [
      "a business metric that is not counted",
      "contended",
      (metric) => Object.assign(metric, { MetricName: "Contention" }),
    ],
    [
      "a business metric of another stage",
      "contended",
      (metric) => Object.assign(metric, { Dimensions: [{ Name: "stage", Value: "staging" }] }),
    ],
    ["a metric without its filter", "apiThrottled", (metric) => Object.assign(metric, { MetricName: "429" })],
    ["a namespace that does not exist", "mailBounces", (metric) => Object.assign(metric, { Namespace: "SES" })],
  ])("%s", (_, name, change) => {
    const misled = production((template) => change(first(template, name).Properties.Metrics[0].MetricStat.Metric));
    expect(problems(misled, "production")).toHaveLength(1);
  });

  test("an eleventh metric of an alarm, and a stack that is too large", () => {
    const large = production((template) => {
      const { Metrics } = first(template, "functionErrors").Properties;
      Metrics.push({ ...Metrics.at(-1), Id: "eleventh" });
      for (let n = 0; n < 500; n++)
        template.Resources[`More${n}`] = { Type: "AWS::SQS::Queue", Properties: { X: "x".repeat(2_000) } };
    });
    expect(tooMuch(large)).toEqual([
      expect.stringMatching(/^\d+ resources$/),
      expect.stringMatching(/^\d+ bytes$/),
      expect.stringMatching(/functionErrors.* has more than ten metrics/),
    ]);
  });

  test("an alarm that does not ring any more at its example", () => {
    const deaf = alarmOf(first(templates.production, "sweeperStopped").Properties);
    expect(rings({ ...deaf, missing: "notBreaching" }, examples.sweeperStopped.loud)).toBe(false);
    const relaxed = alarmOf(first(templates.production, "queuesLate").Properties);
    expect(rings({ ...relaxed, threshold: 101 }, examples.queuesLate.loud)).toBe(false);
    // Without values a rate stays what it was.
    const bounces = alarmOf(first(templates.production, "mailBounces").Properties);
    expect([true, false].map((before) => rings(bounces, [undefined], { before }))).toEqual([true, false]);
  });
});

test("more functions than an alarm can watch get a second alarm", async () => {
  const { App, Duration } = await import("aws-cdk-lib");
  const { ClubStack } = await import("../../lib/club-stack.ts");
  const { Consumer } = await import("../../lib/consumer.ts");
  const { Watched } = await import("../../lib/monitoring/watched.ts");
  const stack = new ClubStack(new App(), "More", { stage: stages.local });
  const [bus] = stack.node.findAll().filter((one) => one.node.path === "More/Bus/Resource");
  for (const id of ["Zebra", "Zoo"]) {
    const subscribesTo = { types: ["event.deleted" as const] };
    const props = { stage: stages.local, bundle: "announce" as const, description: id, timeout: Duration.seconds(30) };
    new Consumer(stack, id, { ...props, bus: bus as never, subscribesTo, maxConcurrency: 2 });
  }
  const parts = {
    table: stack.node.findChild("Table"),
    bus: stack.node.findChild("Bus"),
    api: stack.node.findChild("Api"),
  };
  const watched = new Watched(stack, { stage: stages.local, apiFunctions: [], ...parts } as never).metrics();
  const sizes = [watched.functionErrors]
    .flat()
    .map((metric) => Object.keys((metric as { usingMetrics?: object }).usingMetrics ?? {}).length);
  expect(sizes.every((size) => size <= 10)).toBe(true);
  expect(sizes.length).toBeGreaterThan(1);
  expect(Template.fromStack(stack).toJSON().Resources).toBeDefined();
});
