/**
 * What AWS takes at most of a stack, each with what to do before it is reached; and that there is room for some more
 * consumers and routes.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { App } from "aws-cdk-lib";
import { capabilities } from "#api/routes.ts";
import { consumers } from "#consumers/functions.ts";
import { metricsInDashboards } from "../../tools/upkeep/bench/idle.ts";
import { stages } from "../stages.ts";
import {
  givenTemplates,
  ofType,
  type StageTemplate,
  stageNames,
  type TemplateResource,
  textOf,
} from "./stage-templates.ts";

interface Ceiling {
  readonly most: number;
  readonly source: string;
  /** What is counted, for each resource that has the ceiling. */
  readonly counted: (template: StageTemplate) => readonly number[];
  readonly instead: string;
}

const all = (template: StageTemplate, type: string): TemplateResource["Properties"][] =>
  ofType(template, type).map(([, { Properties }]) => Properties);

/** The characters of a value as AWS gets it: each reference becomes a name or an ARN. */
function sizeOf(value: unknown, referenceSize = 125): number {
  const isReference = (one: unknown) =>
    typeof one === "object" && one !== null && /^(?:Ref|Fn::\w+)$/.test(Object.keys(one).join());
  const deployed = (one: unknown) => textOf(one).replaceAll(/\$\{[^}]+\}/g, "x".repeat(referenceSize));
  if (typeof value === "string" || isReference(value)) return deployed(value).length;
  return JSON.stringify(value, (_, one) => (isReference(one) ? deployed(one) : one)).length;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((whole, one) => whole + one, 0);

/** The sum of a number of each value, by another value. */
function sums<One>(values: readonly One[], by: (one: One) => unknown, of: (one: One) => number): number[] {
  const found: Record<string, number> = {};
  for (const one of values) found[JSON.stringify(by(one))] = (found[JSON.stringify(by(one))] ?? 0) + of(one);
  return Object.values(found);
}

const split = "Split the stack: consumers become one of their own (docs/design.md, From a declaration to a function).";
const ask = "Ask AWS for more (Service Quotas), or split the stack (docs/design.md, From a declaration to a function).";

/** The longest name of a queue. */
const queueName = 80;

type Query = { readonly Expression?: unknown; readonly MetricStat?: unknown };
const queriesOf = (template: StageTemplate): Query[][] =>
  all(template, "AWS::CloudWatch::Alarm").map(({ Metrics }) => Metrics);

const ceilings: Readonly<Record<string, Ceiling>> = {
  "resources of a template": {
    most: 500,
    source: "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html",
    counted: ({ Resources }) => [Object.keys(Resources).length],
    instead: split,
  },
  "bytes of a template": {
    most: 1_048_576,
    source: "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html",
    counted: (template) => [Buffer.byteLength(JSON.stringify(template, undefined, 1))],
    instead: split,
  },
  "routes of the API": {
    most: 300,
    source: "https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html",
    counted: (template) => [all(template, "AWS::ApiGatewayV2::Route").length],
    instead: ask,
  },
  "bytes of a function's environment": {
    most: 4_096,
    source: "https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html",
    counted: (template) =>
      all(template, "AWS::Lambda::Function").map(({ Environment: { Variables } }) =>
        sum(Object.entries(Variables).map(([name, value]) => name.length + sizeOf(value))),
      ),
    instead: "Let the function read a long setting from an item of the table.",
  },
  "characters of a role's policies": {
    most: 10_240,
    source: "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html",
    counted: (template) =>
      sums(
        all(template, "AWS::IAM::Policy"),
        ({ Roles }) => Roles,
        ({ PolicyDocument }) => sizeOf(PolicyDocument),
      ),
    instead: "Give the capability two functions.",
  },
  "bytes of the policy that says who may call a function": {
    most: 20_480,
    source: "https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html",
    // AWS adds an id, a version and the words of the statement.
    counted: (template) =>
      sums(
        all(template, "AWS::Lambda::Permission"),
        ({ FunctionName }) => FunctionName,
        (permission) => sizeOf(permission) + 200,
      ),
    instead: "Allow all routes or rules in one permission, as lib/http-api.ts does.",
  },
  "rules of a bus": {
    // 100 in Cape Town and Milan.
    most: 300,
    source: "https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-quota.html",
    counted: (template) =>
      sums(
        all(template, "AWS::Events::Rule"),
        ({ EventBusName }) => EventBusName ?? "default",
        () => 1,
      ),
    instead: "Subscribe to several types with one rule (`types` of a subscription).",
  },
  "targets of a rule": {
    most: 5,
    source: "https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-quota.html",
    counted: (template) => all(template, "AWS::Events::Rule").map(({ Targets }) => Targets.length),
    instead: "Give each consumer a rule of its own.",
  },
  "characters of an event pattern": {
    most: 2_048,
    source: "https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-quota.html",
    counted: (template) =>
      all(template, "AWS::Events::Rule").flatMap(({ EventPattern }) => (EventPattern ? [sizeOf(EventPattern)] : [])),
    instead: "Give the consumer two subscriptions (`subscribesTo`): each gets a rule.",
  },
  "metrics in an alarm's expression": {
    most: 10,
    source: "https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-limits.html",
    counted: (template) => queriesOf(template).map((queries) => queries.filter(({ MetricStat }) => MetricStat).length),
    instead: "Ask with a query (`query` in lib/monitoring/watched.ts).",
  },
  "characters of an alarm's query": {
    most: 2_048,
    source: "https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricDataQuery.html",
    counted: (template) =>
      queriesOf(template).flatMap((queries) =>
        queries.flatMap(({ Expression }) => (Expression ? [sizeOf(Expression, queueName)] : [])),
      ),
    instead: "Split the alarm: name another one in `alarm` of some consumers (lib/monitoring/alarms.ts).",
  },
  "metrics of a dashboard that costs nothing": {
    most: 50,
    source: "https://aws.amazon.com/cloudwatch/pricing/",
    counted: (template) => [metricsInDashboards(template)],
    instead: "Show the sum of several functions or queues with a query (`ages` in lib/monitoring/watched.ts).",
  },
  "log groups of a saved query": {
    most: 50,
    source: "https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_StartQuery.html",
    counted: (template) => all(template, "AWS::Logs::QueryDefinition").map(({ LogGroupNames }) => LogGroupNames.length),
    instead: "Name the functions that the question is about (lib/monitoring/queries.ts).",
  },
  "metric filters of a log group": {
    most: 100,
    source: "https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutMetricFilter.html",
    counted: (template) =>
      sums(
        all(template, "AWS::Logs::MetricFilter"),
        ({ LogGroupName }) => LogGroupName,
        () => 1,
      ),
    instead: "Count several lines in one metric (`||` in lib/monitoring/filters.ts).",
  },
  "attributes that indexes copy": {
    most: 100,
    source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html",
    counted: (template) =>
      all(template, "AWS::DynamoDB::Table").map(({ GlobalSecondaryIndexes }) =>
        sum(
          (GlobalSecondaryIndexes as { Projection: { NonKeyAttributes?: string[] } }[]).map(
            ({ Projection }) => Projection.NonKeyAttributes?.length ?? 0,
          ),
        ),
      ),
    instead: "Leave out of `listedAttributes` what no list shows.",
  },
};

/** What is more than AWS takes, and what to do. */
const tooMuch = (template: StageTemplate, known = ceilings): string[] =>
  Object.entries(known).flatMap(([name, { most, source, counted, instead }]) => {
    const count = Math.max(0, ...counted(template));
    return count > most ? [`${count} ${name}, of at most ${most}. ${instead} ${source}`] : [];
  });

let templates: Awaited<ReturnType<typeof givenTemplates>>;
beforeAll(async () => {
  templates = await givenTemplates();
});

test.each(stageNames)("%s is below every ceiling", (stage) => {
  expect(tooMuch(templates[stage])).toEqual([]);
});

test.each(Object.entries(ceilings))("control: %s are counted", (name, ceiling) => {
  const [largest] = ceiling.counted(templates.production).toSorted((a, b) => b - a);
  expect(tooMuch(templates.production, { [name]: { ...ceiling, most: (largest ?? 0) - 1 } })).toEqual([
    expect.stringMatching(`^${largest} ${name}, of at most ${(largest ?? 0) - 1}. [A-Z].*\\. https://`),
  ]);
  expect(largest).toBeGreaterThan(0);
});

/** What the stack has room for. Who needs more splits it. */
const room = { consumers: 13, routes: 142 };

test(`there is room for ${room.consumers} consumers and ${room.routes} routes; a capability takes the room of a few routes: count less here and in docs/design.md`, async () => {
  const { ClubStack } = await import("../../lib/stack/club-stack.ts");
  const own = Object.entries(consumers);
  const more = Array.from(
    { length: room.consumers - own.length },
    (_, n) => ["promoter", { ...consumers.promoter, id: `More${n}` }] as const,
  );
  const present = all(templates.production, "AWS::ApiGatewayV2::Route").length;
  const paths = Array.from({ length: room.routes - present }, (_, n) => `GET /more/${n}`);
  const stack = new ClubStack(new App(), "Larger", {
    stage: stages.production,
    consumers: [...own, ...more],
    routes: {
      ...capabilities,
      users: [...(capabilities.users ?? []), { gatewayKeys: paths, access: "caller" }],
    },
  });
  const { Template } = await import("aws-cdk-lib/assertions");
  const larger = Template.fromStack(stack).toJSON() as StageTemplate;
  expect(all(larger, "AWS::ApiGatewayV2::Route")).toHaveLength(room.routes);
  expect(tooMuch(larger)).toEqual([]);
});
