/**
 * npm run upkeep -- judge [templates] [api] [--seconds 120] [--seed <number>] [--outputs .local/outputs.json]
 * Other projects' judges: cfn-lint on all templates, then schemathesis on a stage in memory, once as a user and once as an
 * admin, each for so many seconds. `--outputs` names a running local stage instead, whose data it spoils. Exit code 0:
 * nothing found, or without CI=true this machine cannot run them, 1: findings, 2: usage error.
 */
import { readFile } from "node:fs/promises";
import { commandWords, UsageError } from "../../tools/kit/npm-flags.ts";
import { startLocalStage } from "../../tools/laptop/stage/index.ts";
import { builtSources, localAssembly } from "../../tools/laptop/template/made-before.ts";
import { buildFunctions } from "../../tools/laptop/template/synthesis.ts";
import { judgeApi } from "../../tools/upkeep/judges/api.ts";
import { falseAlarms } from "../../tools/upkeep/judges/false-alarms.ts";
import { type Finding, faultsIn, kindsOf, linesOf } from "../../tools/upkeep/judges/finding.ts";
import type { Stage } from "../../tools/upkeep/judges/people.ts";
import { judgeTemplates, NoPythonTool, withoutTool } from "../../tools/upkeep/judges/templates.ts";

// As in Lambda, so that code without an explicit time zone behaves the same.
process.env.TZ = "UTC";

const options = {
  seconds: { type: "string", default: "120" },
  seed: { type: "string" },
  outputs: { type: "string" },
} as const;

/** Other requests each day, and the same ones again on that day. */
const seedOfToday = (): string => new Date().toISOString().slice(0, 10).replaceAll("-", "");

const wholeNumber = (name: string, text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--${name} must be a whole number above 0.`);
  return Number(text);
};

/** @throws UsageError */
function asked(args: readonly string[]) {
  const { values, positionals } = commandWords("upkeep judge", args, options);
  const unknown = positionals.filter((name) => name !== "templates" && name !== "api");
  if (unknown.length > 0) throw new UsageError(`There is no judge of ${unknown.join(", ")}.`);
  const judges = (name: string) => positionals.length === 0 || positionals.includes(name);
  return {
    templates: judges("templates"),
    api: judges("api"),
    seconds: wholeNumber("seconds", values.seconds),
    seed: wholeNumber("seed", values.seed ?? seedOfToday()),
    outputs: values.outputs,
  };
}

/** Lets a judge see a stage: the running one, or a new one in memory. */
async function withStage<T>(outputs: string | undefined, use: (stage: Stage) => Promise<T>): Promise<T> {
  if (outputs !== undefined) return use(JSON.parse(await readFile(outputs, "utf8")) as Stage);
  const stage = await startLocalStage({ assembly: await localAssembly(), port: 0, memory: true, quiet: true });
  try {
    return await use(stage.outputs);
  } finally {
    await stage.close();
  }
}

/** Prints the faults among findings. @returns how many kinds there are */
function reported(findings: readonly Finding[]): number {
  const kinds = kindsOf(faultsIn(findings, falseAlarms));
  for (const kind of kinds) console.log(linesOf(kind));
  return kinds.length;
}

/** @returns how many kinds of faults the templates have */
async function ofTemplates(): Promise<number> {
  const begun = performance.now();
  const { findings, templates } = await judgeTemplates();
  const found = reported(findings);
  const seconds = Math.round((performance.now() - begun) / 1_000);
  console.log(`cfn-lint: ${templates} templates in ${seconds} s, ${found} findings`);
  return found;
}

/** @returns how many kinds of faults a person of this role meets */
async function ofApi(role: string, { seconds, seed, outputs }: ReturnType<typeof asked>): Promise<number> {
  const judged = await withStage(outputs, (stage) => judgeApi(stage, role, seconds, seed));
  const found = reported(judged.findings);
  const what = `${judged.requests} requests to ${judged.operations} operations in ${judged.seconds} s`;
  const again = `npm run upkeep -- judge api --seconds ${seconds} --seed ${seed}`;
  console.log(`schemathesis as ${role}: ${what}, ${found} findings; again: ${again}`);
  return found;
}

/** A machine that cannot run a judge is told so. With CI=true that counts as a finding. */
async function unlessSkipped(judge: string, found: () => Promise<number>): Promise<number> {
  try {
    return await found();
  } catch (error) {
    if (!(error instanceof NoPythonTool)) throw error;
    return withoutTool(`${judge} judges nothing here`, error, console.error);
  }
}

/** @returns how many kinds of faults there are */
async function judge(wanted: ReturnType<typeof asked>): Promise<number> {
  if ((await builtSources()) === undefined) await buildFunctions();
  let found = 0;
  if (wanted.templates) found += await unlessSkipped("cfn-lint", ofTemplates);
  for (const role of wanted.api ? ["user", "admin"] : []) {
    found += await unlessSkipped(`schemathesis as ${role}`, () => ofApi(role, wanted));
  }
  return found;
}

try {
  process.exitCode = (await judge(asked(process.argv.slice(2)))) > 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
