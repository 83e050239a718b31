/** `npm run changes -- <stage>`: compares `cdk.out` with the deployed stack, and refuses losses. */
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import { type parseArgs, stripVTControlCharacters } from "node:util";
import { formatDifferences, type TemplateDiff } from "@aws-cdk/cloudformation-diff";
import { CloudFormationClient, GetTemplateCommand } from "@aws-sdk/client-cloudformation";
import { STSClient } from "@aws-sdk/client-sts";
import { stackName } from "../../lib/stage-names.ts";
import type { StageName } from "../../lib/stages.ts";
import { asking, failure, isNoStack } from "../kit/failures.ts";
import { commandWords, UsageError } from "../kit/npm-flags.ts";
import { chosenRegion, type Environment } from "../kit/region.ts";
import { losses, sentence } from "./losses.ts";
import { refusals } from "./refusals.ts";
import { type DeliveredTemplate, differences } from "./template.ts";

/** 0: nothing is refused. 1: something is. 2: usage error, or the account could not be read. */
export type ExitCode = 0 | 1 | 2;

/** The command cannot compare. */
class NothingToCompare extends Error {}

const usage = "Usage: npm run changes -- <staging|production> [--from cdk.out] [--accept <name>]... [--summary <file>]";

const options = {
  // The folder of `cdk synth`.
  from: { type: "string", default: "cdk.out" },
  // An intended loss or setting, like ACCEPTED_LOSSES, which is separated by commas or blanks.
  accept: { type: "string", multiple: true, default: [] as string[] },
  // Markdown is appended to this file.
  summary: { type: "string" },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>["values"];

/** @throws UsageError */
function asked(args: readonly string[]): { stage: StageName; values: Values } {
  const { values, positionals } = commandWords("changes", args, options, usage);
  const [stage, ...more] = positionals;
  if ((stage !== "staging" && stage !== "production") || more.length > 0) throw new UsageError(usage);
  return { stage, values };
}

/** @throws NothingToCompare the text is not a template */
function templateIn(text: string, from: string): DeliveredTemplate {
  try {
    const template: DeliveredTemplate | null = JSON.parse(text);
    if (typeof template?.Resources === "object") return template;
  } catch {
    // Reported below.
  }
  throw new NothingToCompare(`${from} is not a template in JSON.`);
}

/** The template of the last synthesis. @throws NothingToCompare */
async function synthesized(folder: string, stack: string): Promise<DeliveredTemplate> {
  const file = join(folder, `${stack}.template.json`);
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new NothingToCompare(`${file} cannot be read (${error.code}). Run: npx cdk synth --quiet`);
  });
  return templateIn(text, file);
}

/** @returns the template of the deployed stack; undefined when there is no stack. @throws NothingToCompare */
async function deployed(stack: string, environment: Environment): Promise<DeliveredTemplate | undefined> {
  const { region, finding } = await chosenRegion(environment, () => new STSClient({}).config.region());
  if (region === undefined) throw new NothingToCompare(`${finding.text} ${finding.fix}`);
  try {
    const request = new CloudFormationClient({ region }).send(new GetTemplateCommand({ StackName: stack }));
    const { TemplateBody = "" } = await asking("cloudformation:GetTemplate", request);
    return templateIn(TemplateBody, `The deployed template of ${stack}`);
  } catch (error) {
    if (error instanceof NothingToCompare) throw error;
    if (isNoStack(error)) return undefined;
    const { text, fix } = failure(error, region, 'docs/deploy.md, "Roles"');
    throw new NothingToCompare(`${stack}: ${text} ${fix}`);
  }
}

/** The differences like the output of `cdk diff`, without colors. */
async function readable(diff: TemplateDiff): Promise<string> {
  if (diff.isEmpty) return "There are no differences.\n";
  const stream = new PassThrough();
  formatDifferences(stream, diff);
  stream.end();
  return stripVTControlCharacters(await textOf(stream));
}

/**
 * In characters of up to three bytes. GitHub accepts one MiB per step.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
const longest = 300_000;

/** A Markdown code block whose fence is longer than any in the text. */
function block(text: string): string {
  const shown = text.length > longest ? `${text.slice(0, longest)}\n… cut; npm run changes prints all of it.\n` : text;
  const inside = (shown.match(/`{3,}/g) ?? []).map(({ length }) => length);
  const fence = "`".repeat(Math.max(2, ...inside) + 1);
  return `${fence}\n${shown.trimEnd()}\n${fence}\n`;
}

/** The output and the summary. */
interface Verdict {
  readonly code: ExitCode;
  readonly lines: readonly string[];
  /** The differences as a text; absent when there is nothing to compare with. */
  readonly changes?: string;
}

async function verdict(args: readonly string[], environment: Environment): Promise<Verdict> {
  const { stage, values } = asked(args);
  const stack = stackName(stage);
  const wanted = await synthesized(values.from, stack);
  const current = await deployed(stack, environment);
  if (current === undefined) {
    const lines = [`There is no ${stack} in this account and region. A first deploy is made by hand (docs/deploy.md).`];
    return { code: 1, lines };
  }
  const accepted = new Set([...values.accept, ...(environment.ACCEPTED_LOSSES ?? "").split(/[\s,]+/).filter(Boolean)]);
  const diff = differences(current, wanted);
  const all = [
    ...losses(current, diff).map((loss) => ({ name: loss.logicalId, line: sentence(loss) })),
    ...refusals(current, wanted, diff).map(({ name, type, text }) => ({ name, line: `${name}, ${type}: ${text}` })),
  ];
  const refused = all.filter(({ name }) => !accepted.has(name));
  const idle = [...accepted].filter((name) => !all.some((finding) => finding.name === name));
  const lines = [
    ...refused.map(({ line }) => `refused  ${line}`),
    ...all.filter((finding) => !refused.includes(finding)).map(({ line }) => `accepted ${line}`),
    ...idle.map((name) => `idle     ${name} accepts nothing now. Clear it, or it accepts a later change.`),
    refused.length === 0
      ? `${stack}: nothing is refused.`
      : `${stack}: refused: ${refused.length}. Undo or split the change, or accept what is meant by its first word: --accept <name>.`,
  ];
  return { code: refused.length === 0 ? 0 : 1, lines, changes: await readable(diff) };
}

/**
 * The command without its process.
 *
 * @param args after `npm run changes --`
 * @param print prints one or more lines
 */
export async function changes(
  args: readonly string[],
  print: (text: string) => void,
  environment: Environment = process.env,
): Promise<ExitCode> {
  let found: Verdict;
  try {
    found = await verdict(args, environment);
  } catch (error) {
    if (!(error instanceof NothingToCompare || error instanceof UsageError)) throw error;
    print(error.message);
    return 2;
  }
  const { code, lines, changes } = found;
  if (changes !== undefined) print(changes);
  for (const line of lines) print(line);
  const { stage, values } = asked(args);
  if (values.summary) {
    const list = lines.map((line) => `- ${line}\n`).join("");
    const details = changes === undefined ? "" : `\n${block(changes)}`;
    await appendFile(values.summary, `## Changes of ${stage}\n\n${list}${details}\n`);
  }
  return code;
}
