/** `npm run changes -- <stage>`: compares `cdk.out` with the deployed stack, and refuses what is not accepted. */
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { parseArgs } from "node:util";
import { CloudFormationClient, DescribeStacksCommand, GetTemplateCommand } from "@aws-sdk/client-cloudformation";
import { STSClient } from "@aws-sdk/client-sts";
import { stackName } from "../../lib/stage-names.ts";
import { asking, failure, isNoStack } from "../kit/failures.ts";
import { commandWords, UsageError } from "../kit/npm-flags.ts";
import { chosenRegion, type Environment } from "../kit/region.ts";
import { usageOf } from "../kit/usage.ts";
import { acceptedIn, WrongAcceptance } from "./accepted.ts";
import { type Finding, judge, protection, stackPolicy } from "./judge.ts";
import type { DeliveredTemplate } from "./template.ts";

/** 0: nothing is refused. 1: something is. 2: usage error, or the account could not be read. */
export type ExitCode = 0 | 1 | 2;

/** The command cannot compare. */
class NothingToCompare extends Error {}

const usage = usageOf("changes");

const options = {
  // The folder of `cdk synth`.
  from: { type: "string", default: "cdk.out" },
  accepted: { type: "string", default: "tools/delivery/accepted.json" },
  // The stack policy for this deploy is written to this file.
  policy: { type: "string" },
  // Markdown is appended to this file.
  summary: { type: "string" },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>["values"];

/** @throws UsageError */
function asked(args: readonly string[]): { stack: string; values: Values } {
  const { values, positionals } = commandWords("changes", args, options);
  const [name, ...more] = positionals;
  const stack = name === "staging" || name === "production" ? stackName(name) : (name ?? "");
  const isKnown = /^Club(?:Delivery|(?:Events|Mail)-(?:staging|production))$/.test(stack);
  if (!isKnown || more.length > 0) throw new UsageError(usage);
  return { stack, values };
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

/** A stack, as it is or will be. */
interface Stack {
  readonly template: DeliveredTemplate;
  /** Whether AWS refuses to delete it. */
  readonly isProtected: boolean;
}

const fileIn = (file: string): Promise<string> =>
  readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new NothingToCompare(`${file} cannot be read (${error.code}). Run: npx cdk synth --quiet`);
  });

/** The stack of the last synthesis. Its template does not say whether it is protected. @throws NothingToCompare */
async function synthesized(folder: string, stack: string): Promise<Stack> {
  const file = join(folder, `${stack}.template.json`);
  const template = templateIn(await fileIn(file), file);
  const { artifacts } = JSON.parse(await fileIn(join(folder, "manifest.json")));
  return { template, isProtected: artifacts[stack]?.properties?.terminationProtection === true };
}

/** @returns undefined when there is no stack. @throws NothingToCompare */
async function deployed(StackName: string, environment: Environment): Promise<Stack | undefined> {
  const { region, finding } = await chosenRegion(environment, () => new STSClient({}).config.region());
  if (region === undefined) throw new NothingToCompare(`${finding.text} ${finding.fix}`);
  const client = new CloudFormationClient({ region });
  try {
    const request = client.send(new GetTemplateCommand({ StackName }));
    const { TemplateBody = "" } = await asking("cloudformation:GetTemplate", request);
    const description = client.send(new DescribeStacksCommand({ StackName }));
    const { Stacks: [stack] = [] } = await asking("cloudformation:DescribeStacks", description);
    const template = templateIn(TemplateBody, `The deployed template of ${StackName}`);
    return { template, isProtected: stack?.EnableTerminationProtection === true };
  } catch (error) {
    if (error instanceof NothingToCompare) throw error;
    if (isNoStack(error)) return undefined;
    const { text, fix } = failure(error, region, 'docs/deploy.md, "Roles"');
    throw new NothingToCompare(`${StackName}: ${text} ${fix}`);
  }
}

/**
 * In characters of up to three bytes. GitHub accepts one MiB per step.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
const longest = 300_000;

interface Verdict {
  readonly code: ExitCode;
  readonly lines: readonly string[];
}

/** The line of `accepted.json` that accepts it. */
const acceptanceOf = (stack: string, { name, change }: Finding): string =>
  JSON.stringify({ stack, name, change, reason: "…" });

async function verdict(stack: string, values: Values, environment: Environment): Promise<Verdict> {
  const wanted = await synthesized(values.from, stack);
  const current = await deployed(stack, environment);
  if (current === undefined) {
    const lines = [`There is no ${stack} in this account and region. A first deploy is made by hand (docs/deploy.md).`];
    return { code: stack.startsWith("ClubEvents") ? 1 : 0, lines };
  }
  const { refused: found, shown } = judge(current.template, wanted.template);
  const all = [...protection(current.isProtected, wanted.isProtected), ...found];
  const lines = await acceptedIn(values.accepted, stack);
  const accepted = new Set(
    all.filter(({ name, change }) => lines.some((one) => one.name === name && one.change === change)),
  );
  const refused = all.filter((one) => !accepted.has(one));
  const idle = lines.filter(({ name, change }) => !all.some((one) => one.name === name && one.change === change));
  // What it accepted is deployed: the next pull request removes it, so it never fits again.
  const mustGo = environment.GITHUB_EVENT_NAME === "pull_request" && idle.length > 0;
  if (values.policy) {
    const names = [...accepted].map(({ name }) => name);
    await writeFile(values.policy, JSON.stringify(stackPolicy(current.template, names)));
  }
  const code = refused.length === 0 && !mustGo ? 0 : 1;
  return {
    code,
    lines: [
      ...shown.map((line) => `changed  ${line}`),
      ...refused.flatMap((one) => [`refused  ${one.name}: ${one.text}`, `         ${acceptanceOf(stack, one)}`]),
      ...[...accepted].map(({ name, text }) => `accepted ${name}: ${text}`),
      ...idle.map(({ name }) => `idle     ${name} accepts nothing: remove its line from ${values.accepted}.`),
      code === 0
        ? `${stack}: nothing is refused.`
        : `${stack}: refused. Undo or split the change, or accept it by its line in ${values.accepted}, with a reason (docs/deploy.md).`,
    ],
  };
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
  try {
    const { stack, values } = asked(args);
    const { code, lines } = await verdict(stack, values, environment);
    for (const line of lines) print(line);
    if (values.summary) {
      const list = lines.map((line) => `    ${line}\n`).join("");
      await appendFile(values.summary, `## Changes of ${stack}\n\n${list.slice(0, longest)}\n`);
    }
    return code;
  } catch (error) {
    if (![NothingToCompare, UsageError, WrongAcceptance].some((kind) => error instanceof kind)) throw error;
    print((error as Error).message);
    return 2;
  }
}
