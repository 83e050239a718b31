/** What rings, whom it reaches, and that it can ring: topic, alarms, metric filters, queries, dashboard and budget. */
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { type AlarmName, alarms } from "../../lib/monitoring/alarms.ts";
import { filters } from "../../lib/monitoring/filters.ts";
import { savedQueries } from "../../lib/monitoring/queries.ts";
import { totalOf } from "../../tools/upkeep/bench/cost.ts";
import { idleBillOf } from "../../tools/upkeep/bench/idle.ts";
import { matchesPattern } from "../filter-pattern.ts";
import { stages } from "../stages.ts";
import { anchorsOf } from "../unit/mentions.ts";
import {
  type AlarmDefinition,
  type AlarmMetric,
  alarmOf,
  type Circumstances,
  isRinging,
  ringingIn,
  rings,
  type Values,
} from "./alarm-evaluation.ts";
import { type Failure, failures, healthy, quietDay, silences } from "./alarm-examples.ts";
import {
  broken,
  givenTemplates,
  ofType,
  type StageTemplate,
  type TemplateResource,
  textOf,
  theOnly,
} from "./stage-templates.ts";
import { set } from "./template-edits.ts";

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

/** The key of an alarm in the table, by its name in AWS. */
function ruleOf(stage: string, { Properties }: TemplateResource): AlarmName {
  const name = String(Properties.AlarmName).replace(`ClubEvents-${stage}-`, "");
  const [key] = Object.entries(alarms).find(([, rule]) => rule.name === name) ?? [];
  if (key === undefined) throw new Error(`"${name}" is not in the table of alarms.`);
  return key as AlarmName;
}

/** The alarms of a template by their keys in the table. */
const definitionsOf = (template: StageTemplate, stage: string): [AlarmName, AlarmDefinition][] =>
  alarmsOf(template).map(([, alarm]) => [ruleOf(stage, alarm), alarmOf(alarm.Properties)]);

/** Alarms that reach no person, by logical id. */
const silent = (template: StageTemplate): string[] =>
  alarmsOf(template).flatMap(([id, { Properties }]) => {
    const topics = ofType(template, "AWS::SNS::Topic").map(([topic]) => `\${${topic}}`);
    const reached = [Properties.AlarmActions, Properties.OKActions].every(
      (actions) => actions?.length === 1 && topics.includes(textOf(actions[0])),
    );
    return reached && Properties.ActionsEnabled !== false ? [] : [id];
  });

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
  if (namespace === `ClubEvents/${stage}`) return name in filters ? undefined : "has no metric filter";
  if (!/^AWS\/(ApiGateway|Lambda|SQS|DynamoDB|SES)$/.test(namespace)) return "is of an unknown namespace";
  for (const [dimension, value] of Object.entries(dimensions)) {
    const [, id = "", attribute] = /^\$\{(\w+)(?:\.(\w+))?\}$/.exec(value) ?? [];
    const type = resourceTypes[dimension];
    const isNamed = dimension === "QueueName" ? attribute === "QueueName" : attribute === undefined;
    if (template.Resources[id]?.Type === type && isNamed) continue;
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

/** What rings when AWS reports these values for an hour. */
const ringing = (template: StageTemplate, stage: string, values: Readonly<Record<string, number>>): AlarmName[] =>
  definitionsOf(template, stage).flatMap(([name, alarm]) => (rings(alarm, Array(alarm.of).fill(values)) ? [name] : []));

/** Queues for whose messages no alarm rings alone: those that wait too long, are tried later, or were given up. */
function unwatched(template: StageTemplate, stage: string): string[] {
  const queues = ofType(template, "AWS::SQS::Queue").map(([id]) => id.replace(/[0-9A-F]{8}$/, ""));
  return queues.filter((name) => {
    const [metric, alarm] = name.endsWith("Failures")
      ? ["ApproximateNumberOfMessagesVisible", /GivenUp$/]
      : name.endsWith("Later")
        ? ["ApproximateNumberOfMessagesNotVisible", /^mailsPostponed$/]
        : ["ApproximateAgeOfOldestMessage", /^(queues|campaigns)Late$/];
    const [rung = "", ...more] = ringing(template, stage, { ...healthy, [`${metric} ${name}`]: 1e6 });
    return more.length > 0 || !alarm.test(rung);
  });
}

describe.each(deployed)("alarms, %s", (stage) => {
  test("each one tells the mailbox when it rings and when it is over", () => {
    expect(silent(templates[stage])).toEqual([]);
    // The subject of a mail of SNS has fewer than 100 characters, and the region stands in it too.
    expect(Object.values(alarms).filter(({ name }) => name.length > 50)).toEqual([]);
  });

  test("each one links the entry of the runbook that names it", () => {
    const entries = readFileSync(new URL("docs/runbook.md", repository), "utf8").split(/^(?=## )/m);
    const namedBy = (name: string) => anchorsOf(entries.find((entry) => entry.includes(`"${name}"`)) ?? "")[0];
    const beginning = `Runbook: ${stages[stage].repository}/blob/main/docs/runbook.md#`;
    for (const [id, { Properties }] of alarmsOf(templates[stage])) {
      const [says, anchor] = String(Properties.AlarmDescription).split(beginning);
      const entry = namedBy(String(Properties.AlarmName).replace(/^.*?-.*?-/, ""));
      expect([id, says?.trim(), anchor]).toEqual([id, expect.stringMatching(/\.$/), entry]);
    }
  });

  test("each one watches metrics of resources of this stack, or of the account where AWS has no other", () => {
    expect(problems(templates[stage], stage)).toEqual([]);
  });

  test("each one of the table is there, with its period and statistic, and a failure that it rings for", () => {
    const definitions = definitionsOf(templates[stage], stage);
    expect(definitions.map(([name]) => name).sort()).toEqual(Object.keys(alarms).sort());
    for (const [name, { metrics }] of definitions) {
      for (const { period, statistic } of metrics) {
        expect([name, period, statistic]).toEqual([name, alarms[name].periodMinutes * 60, alarms[name].statistic]);
      }
    }
    const told = Object.values({ ...failures, ...silences }).flatMap(([, within]) => Object.keys(within));
    expect([...new Set(told)].sort()).toEqual(Object.keys(alarms).sort());
  });

  test("nothing rings while nothing fails, and only the sweeper is missed without any value", () => {
    expect(ringing(templates[stage], stage, healthy)).toEqual([]);
    expect(ringing(templates[stage], stage, {})).toEqual(["sweeper"]);
  });

  test("each queue makes one alarm ring alone", () => {
    expect(ofType(templates[stage], "AWS::SQS::Queue").length).toBeGreaterThan(20);
    expect(unwatched(templates[stage], stage)).toEqual([]);
  });

  // A missed night is made up for by the next one, and a run that fails says so itself.
  test("every function that runs all the time is missed when it does not run", () => {
    const missed = definitionsOf(templates[stage], stage)
      .filter(([, { missing, comparison }]) => missing === "breaching" && comparison === "LessThanThreshold")
      .flatMap(([, { metrics }]) => metrics.filter(({ name }) => name === "Invocations"))
      .map(({ dimensions }) => dimensions.FunctionName);
    const scheduled = ofType(templates[stage], "AWS::Events::Rule")
      .filter(([, { Properties }]) => Properties.ScheduleExpression?.startsWith("rate("))
      .flatMap(([, { Properties }]) => Properties.Targets as { Arn: unknown }[])
      .map(({ Arn }) => textOf(Arn).replace(".Arn", ""));
    expect(scheduled.length).toBeGreaterThan(0);
    expect(scheduled.filter((one) => !missed.includes(one))).toEqual([]);
  });
});

/** What AWS leaves open, in turn. */
const circumstances: readonly Circumstances[] = [
  {},
  { late: 3 },
  { late: 1, further: 1 },
  { late: 2, further: 5, fillsEmpty: false },
];

/** Minutes before the first one that counts: a new stage has no values yet. */
const begin = 60;

/** The minutes at which each alarm begins and ends to ring; one that goes on has no end. */
const heardIn = (
  definitions: readonly (readonly [AlarmName, AlarmDefinition])[],
  minutes: readonly Values[],
  given: Circumstances = {},
): Partial<Record<AlarmName, (readonly [number, number?])[]>> =>
  Object.fromEntries(
    definitions.flatMap(([name, alarm]) => {
      const before = Array<Values>(begin).fill(minutes[0] ?? {});
      const states = ringingIn(alarm, alarms[name].periodMinutes, [...before, ...minutes], given).slice(begin);
      const changes = states.flatMap((state, minute) => (state === (states[minute - 1] ?? false) ? [] : [minute]));
      const spans = changes.flatMap((minute, index) => (index % 2 ? [] : [[minute, changes[index + 1]] as const]));
      return spans.length > 0 ? [[name, spans]] : [];
    }),
  );

const ofProduction = () => definitionsOf(templates.production, "production");

describe.each(circumstances)("minute by minute, with %j,", (given) => {
  test("nothing rings on a quiet day", () => {
    expect(heardIn(ofProduction(), quietDay, given)).toEqual({});
  });

  /** Minutes before a failure, and after it: an alarm of hours looks at three or more of them. */
  const around = 60;
  const later = (1 + (given.further ?? 2)) * 60 + 30;
  const slack = (given.late ?? 0) + Math.max(0, (given.further ?? 0) - 2);
  /** An alarm rings in time, and is over when the failure is. */
  const told = (values: (minute: number) => Values, [, within]: Failure): void => {
    const lasts = Math.max(...Object.values(within)) + 30;
    const minutes = Array.from({ length: around + lasts + later }, (_, minute) =>
      minute < around || minute >= around + lasts ? healthy : values(minute - around),
    );
    const heard = Object.entries(heardIn(ofProduction(), minutes, given)).map(([name, spans]) => {
      const first = (spans[0]?.[0] ?? 0) - around;
      const isInTime = first >= 0 && first <= (within[name as AlarmName] ?? 0) + slack;
      return [name, isInTime ? "in time" : first, spans.at(-1)?.[1] === undefined ? "goes on" : "over"];
    });
    expect(heard.sort()).toEqual(
      Object.keys(within)
        .sort()
        .map((name) => [name, "in time", "over"]),
    );
  };

  test.each(Object.entries(failures))("rings when %s, and stops", (_, failure) => {
    const [values] = failure;
    told((minute) => ({ ...healthy, ...(typeof values === "function" ? values(minute) : values) }), failure);
  });

  test.each(Object.entries(silences))("rings when %s, and stops", (_, failure) => {
    const [values] = failure;
    told(() => values as Values, failure);
  });
});

describe("missing data, as AWS's tables have it", () => {
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
  test.each([
    ["0 - X - X", 3, { ignore: false, breaching: false, notBreaching: false }],
    ["0 - - - -", 3, { ignore: false, breaching: false, notBreaching: false }],
    ["- - - - -", 3, { ignore: "as before", breaching: true, notBreaching: false }],
    ["0 X X - X", 3, { ignore: true, breaching: true, notBreaching: true }],
    ["- - X - -", 3, { ignore: "as before", breaching: true, notBreaching: false }],
    ["0 - X - X", 2, { ignore: true, breaching: true, notBreaching: true }],
    ["0 0 X 0 X", 2, { ignore: true, breaching: true, notBreaching: true }],
    ["0 - X - -", 2, { ignore: false, breaching: true, notBreaching: false }],
    ["- - - - 0", 2, { ignore: false, breaching: true, notBreaching: false }],
    ["- - - X -", 2, { ignore: "as before", breaching: true, notBreaching: false }],
  ] as const)("%s, %d of 3", (row, breaching, expected) => {
    const points = row.split(" ").map((point) => (point === "-" ? undefined : point === "X"));
    for (const [missing, rung] of Object.entries(expected)) {
      const states = [true, false].map((before) => isRinging({ breaching, of: 3, missing }, points, before));
      expect([missing, states]).toEqual([missing, rung === "as before" ? [true, false] : [rung, rung]]);
    }
  });
});

describe("lines that are counted", () => {
  /** A line whose other values are 429. */
  const accessLine = (status: number): string => {
    const { Format } = theOnly(templates.production, "AWS::ApiGatewayV2::Stage").Properties.AccessLogSettings;
    return Format.replaceAll(/\$context\.([A-Za-z.]+)/g, (_: string, name: string) =>
      name === "status" ? status : 429,
    );
  };

  test("a refusal of the gateway, and no other answer", () => {
    expect([429, 200, 409, 503].map((status) => matchesPattern(filters.Throttled.pattern, accessLine(status)))).toEqual(
      [true, false, false, false],
    );
  });

  test("each filter of lines of functions names lines that their sources print", () => {
    for (const [name, { pattern }] of Object.entries(filters)) {
      const lines = [...pattern.matchAll(/message = "([^"]+)"/g)].map(([, line]) => line);
      expect([name, lines.filter((line) => !printedLines().includes(line))]).toEqual([name, []]);
      for (const line of lines) {
        expect([name, matchesPattern(pattern, JSON.stringify({ level: "ERROR", message: line }))]).toEqual([
          name,
          true,
        ]);
      }
      expect([name, matchesPattern(pattern, JSON.stringify({ message: "message handled" }))]).toEqual([name, false]);
    }
  });
});

/** The messages of all lines that the sources of functions print. */
function printedLines(): (string | undefined)[] {
  const folder = new URL("lambda/", repository);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  return files.flatMap((file) =>
    [...readFileSync(new URL(file, folder), "utf8").matchAll(/\blog\.[a-z]+\("([^"]+)"/g)].map(([, text]) => text),
  );
}

describe("saved queries", () => {
  test("ask functions that exist, for lines that are in their sources", () => {
    const said = printedLines();
    const functions = ofType(templates.production, "AWS::Lambda::Function").map(([id]) =>
      id.replace(/[0-9A-F]{8}$/, ""),
    );
    for (const [name, { of, query }] of Object.entries(savedQueries)) {
      expect([name, Array.isArray(of) ? of.filter((one) => !functions.includes(one)) : []]).toEqual([name, []]);
      const messages = [...query.join("\n").matchAll(/message = "([^"]+)"/g)].map(([, message]) => message);
      expect([name, messages.filter((message) => !said.includes(message))]).toEqual([name, []]);
    }
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
});

test("the laptop is not watched", () => {
  const types = Object.values(templates.local.Resources).map(({ Type }) => Type);
  expect(types.filter((type) => /CloudWatch|SNS|KMS|Budgets|QueryDefinition|MetricFilter/.test(type))).toEqual([]);
});

test("an idle stage costs at most 8 USD a month, and docs/performance.md says so; `npm run upkeep -- price` has the parts", () => {
  for (const stage of deployed) expect(totalOf(idleBillOf(templates[stage] as never))).toBeLessThanOrEqual(8);
  // Two stages in one account cost less than the half of the budget that mails.
  const both = totalOf(deployed.flatMap((stage) => idleBillOf(templates[stage] as never)));
  for (const stage of deployed) expect((stages[stage].monthlyBudget ?? 0) / 2).toBeGreaterThan(both);
  const usd = totalOf(idleBillOf(templates.production as never)).toFixed(2);
  expect(readFileSync(new URL("docs/performance.md", repository), "utf8")).toContain(`${usd} USD`);
  const watched = broken(templates.production, (template) => {
    template.Resources.Key2 = { Type: "AWS::KMS::Key", Properties: {} };
  });
  expect(totalOf(idleBillOf(watched as never)).toFixed(2)).toBe((Number(usd) + 1).toFixed(2));
});

describe("would be noticed:", () => {
  const production = (change: (template: StageTemplate) => void) => broken(templates.production, change);
  const first = (template: StageTemplate, name: string): TemplateResource =>
    alarmsOf(template).find(([, one]) => ruleOf("production", one) === name)![1];

  test.each([
    ["an alarm without an action", "AlarmActions"],
    ["an alarm that never says that it is over", "OKActions"],
    ["an alarm that tells another topic", "AlarmActions", [{ Ref: "Other" }]],
    ["an alarm that is switched off", "ActionsEnabled", false],
  ])("%s", (_, property, value = undefined) => {
    expect(silent(production(set("CloudWatch::Alarm", /People get errors/, property, value)))).toHaveLength(1);
  });

  test.each<[string, AlarmName, object]>([
    ["a metric of no resource", "relayLate", { Dimensions: [{ Name: "FunctionName", Value: "relay" }] }],
    ["one of another kind", "relayLate", { Dimensions: [{ Name: "FunctionName", Value: { Ref: "Table7ABB320E" } }] }],
    ["a custom metric of another stage", "mailsRefused", { Namespace: "ClubEvents/staging" }],
    ["a metric without its filter", "apiThrottled", { MetricName: "429" }],
    ["a namespace that does not exist", "mailBounces", { Namespace: "SES" }],
  ])("%s", (_, name, change) => {
    const misled = production((template) =>
      Object.assign(first(template, name).Properties.Metrics[0].MetricStat.Metric, change),
    );
    expect(problems(misled, "production")).toHaveLength(1);
  });

  test("a dead-letter queue without alarm, and a queue of later tries with an alarm for messages that are not hidden", () => {
    const asks = (template: StageTemplate, name: string, change: (query: string) => string): void => {
      const [query] = first(template, name).Properties.Metrics;
      query.Expression = change(textOf(query.Expression));
    };
    const silent = production((template) => asks(template, "mailsGivenUp", (query) => query.replace(/ OR .*/, "")));
    expect(unwatched(silent, "production")).toEqual(["MailFailures", "CampaignsFailures", "SuppressorFailures"]);
    const deaf = production((template) =>
      asks(template, "mailsPostponed", (query) => query.replace("MessagesNotVisible", "MessagesVisible")),
    );
    expect(unwatched(deaf, "production")).toEqual(["MailLater", "CampaignsLater", "BooksLater"]);
  });

  test("an alarm that does not ring any more, one that rings for nothing, and one that never stops", () => {
    const changed = (name: AlarmName, change: Partial<AlarmDefinition>) =>
      ofProduction().flatMap(([one, alarm]) => (one === name ? [[one, { ...alarm, ...change }] as const] : []));
    const [values] = silences["the sweeper has stopped"] as Failure;
    const stopped = [...quietDay.slice(600, 610), ...Array<Values>(30).fill(values as Values)];
    expect(Object.keys(heardIn(changed("sweeper", {}), stopped))).toEqual(["sweeper"]);
    expect(heardIn(changed("sweeper", { missing: "notBreaching" }), stopped)).toEqual({});
    expect(Object.keys(heardIn(changed("sweeper", { breaching: 1 }), quietDay))).toEqual(["sweeper"]);
    // Without its formula, the alarm of the table would ring once and for all.
    const throttled = [healthy, { ...healthy, "ThrottledRequests Table": 400 }, ...Array<Values>(10).fill(healthy)];
    const series = [...Array<Values>(10).fill(healthy), ...throttled.flatMap((one) => Array<Values>(6).fill(one))];
    expect(heardIn(changed("tableThrottled", {}), series).tableThrottled?.[0]?.[1]).toEqual(expect.any(Number));
    expect(heardIn(changed("tableThrottled", { formula: undefined }), series).tableThrottled?.[0]?.[1]).toBeUndefined();
  });
});
