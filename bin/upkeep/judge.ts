/**
 * npm run upkeep -- judge [templates] [api] [--seconds 120] [--seed <number>] [--outputs .local/outputs.json]
 * Other projects' judges: cfn-lint and checkov on all templates, then schemathesis on a stage in memory, as a user and as an
 * admin, with single requests and with chains of them, each for so many seconds, chains for 45 at least. `--outputs` names
 * a running local stage instead, whose data it spoils. What is no fault: tools/upkeep/judges/false-alarms.ts. Exit code 0:
 * nothing found, or without CI=true this machine cannot run them, 1: findings, or an explanation of none in the templates,
 * 2: usage error.
 */
import { readFile } from "node:fs/promises";
import { commandWords, UsageError } from "../../tools/kit/npm-flags.ts";
import { startLocalStage } from "../../tools/laptop/stage/index.ts";
import { builtSources, localAssembly } from "../../tools/laptop/template/made-before.ts";
import { buildFunctions } from "../../tools/laptop/template/synthesis.ts";
import { judgeApi } from "../../tools/upkeep/judges/api.ts";
import { falseAlarms } from "../../tools/upkeep/judges/false-alarms.ts";
import { type Finding, faultsIn, kindsOf, linesOf, needless } from "../../tools/upkeep/judges/finding.ts";
import type { Stage } from "../../tools/upkeep/judges/people.ts";
import { type RunName, runs } from "../../tools/upkeep/judges/settings.ts";
import { NoPythonTool, templateJudges, withoutTool, withTemplates } from "../../tools/upkeep/judges/templates.ts";

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

/** @returns how many kinds of faults the templates have, and how many explanations fit nothing in them */
const ofTemplates = (): Promise<number> =>
  withTemplates(async (folder, templates) => {
    let all = 0;
    for (const [name, judged] of Object.entries(templateJudges)) {
      all += await unlessSkipped(name, async () => {
        const begun = performance.now();
        const findings = await judged(folder);
        const found = reported(findings);
        const idle = needless(
          findings,
          falseAlarms.filter(({ judge }) => judge === name),
        );
        for (const { rule, reason } of idle) console.log(`${name}: explained, and not found: ${rule}: ${reason}`);
        const seconds = Math.round((performance.now() - begun) / 1_000);
        console.log(`${name}: ${templates} templates in ${seconds} s, ${found} findings, ${findings.length} in all`);
        return found + idle.length;
      });
    }
    return all;
  });

/** @returns how many kinds of faults a person of this role meets */
async function ofApi(
  role: string,
  run: RunName,
  { seconds, seed, outputs }: ReturnType<typeof asked>,
): Promise<number> {
  const judged = await withStage(outputs, (stage) =>
    judgeApi(stage, role, run, Math.max(seconds, runs[run].atLeast), seed),
  );
  const found = reported(judged.findings);
  const what = `${judged.requests} requests to ${judged.operations} operations in ${judged.seconds} s`;
  const again = `npm run upkeep -- judge api --seconds ${seconds} --seed ${seed}`;
  console.log(`schemathesis as ${role}, ${run}: ${what}, ${found} findings; again: ${again}`);
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
  if (wanted.templates) found += await ofTemplates();
  for (const role of wanted.api ? ["user", "admin"] : []) {
    for (const run of Object.keys(runs) as RunName[]) {
      found += await unlessSkipped(`schemathesis as ${role}`, () => ofApi(role, run, wanted));
    }
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
