/**
 * What each stage deploys, for a reviewer: every value of its CloudFormation template. `npm test -- -u` renews the
 * snapshots, and git shows what a change of the stack does. A value by itself is here only; what must hold of every
 * function, queue, route or alarm is asserted in the other suites.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { broken, givenTemplates, type StageTemplate, textOf } from "./stage-templates.ts";
import { set } from "./template-edits.ts";

/** A hash that every change of a handler changes, and graphs, on which nothing depends. */
const leftOut = /^\S+ \S+ (?:Code\.|Content\.|DashboardBody:|SourceObjectKeys|SourceMarkers)/;
/** The hash of a page's asset, which every change of `client/pages` changes. */
const hashed = /\b(main|pages)-[A-Z0-9]{8}\.(js|css)/g;
/** Their number follows from the bundler. */
const chunks = /\[\\*"chunk-[^\]]*\]/;

let templates: Awaited<ReturnType<typeof givenTemplates>>;
beforeAll(async () => {
  templates = await givenTemplates();
});

const isIntrinsic = (value: object): boolean => /^(?:Ref|Fn::\w+)$/.test(Object.keys(value).join());

/** One line for each value: `SQS::Queue MailQueueC8B8B9FB VisibilityTimeout: 360`. */
function linesOf(value: unknown, path: string): string[] {
  if (typeof value !== "object" || value === null) return [`${path}: ${JSON.stringify(value)}`];
  if (isIntrinsic(value)) return [`${path}: ${JSON.stringify(textOf(value))}`];
  const separator = path.split(" ").length < 3 ? " " : ".";
  return Object.entries(value).flatMap(([name, inner]) => linesOf(inner, `${path}${separator}${name}`));
}

/** The CDK's own parameters and rules, about its bootstrap, are left out. */
function linesOfTemplate(template: StageTemplate): string[] {
  const {
    Resources,
    Parameters: _own,
    Rules: _bootstrap,
    ...others
  } = template as StageTemplate & Record<string, object>;
  const resources = Object.entries(Resources).flatMap(([id, { Type, Properties, ...attributes }]) =>
    linesOf({ ...attributes, ...Properties }, `${Type.replace("AWS::", "")} ${id}`),
  );
  const lines = [...resources.sort(), ...Object.entries(others).flatMap(([name, value]) => linesOf(value, name))];
  return lines
    .filter((line) => !leftOut.test(line))
    .map((line) => line.replaceAll(hashed, "$1-<hash>.$2").replace(chunks, "[<chunks>]"));
}

/** What only one of two templates has. */
function difference(one: StageTemplate, other: StageTemplate): string[] {
  const [before, after] = [linesOfTemplate(one), linesOfTemplate(other)];
  const [known, wanted] = [new Set(before), new Set(after)];
  return [
    ...before.filter((line) => !wanted.has(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !known.has(line)).map((line) => `+ ${line}`),
  ];
}

test("production deploys what was reviewed", () => {
  expect(linesOfTemplate(templates.production).join("\n")).toMatchSnapshot();
});

test.each(["staging", "local"] as const)("%s differs from production as was reviewed", (stage) => {
  // The laptop is not watched.
  const isWatching = (line: string) =>
    stage === "local" && /^- (?:CloudWatch|SNS|Budgets|Logs::(?!LogGroup))/.test(line);
  const lines = difference(templates.production, templates[stage]).filter((line) => !isWatching(line));
  expect(lines.join("\n")).toMatchSnapshot();
});

test("a changed value is shown", () => {
  const slow = broken(templates.production, set("Lambda::Function", /^Sweeper/, "Timeout", 61));
  expect(difference(templates.production, slow)).toEqual([
    expect.stringMatching(/^- Lambda::Function Sweeper\w+ Timeout: \d+$/),
    expect.stringMatching(/^\+ Lambda::Function Sweeper\w+ Timeout: 61$/),
  ]);
});
