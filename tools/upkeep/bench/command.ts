/** `npm run upkeep -- bench`: runs all measurements in sequence, writes the page, and checks the budgets. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { forgottenDashes } from "../../kit/npm-flags.ts";
import type { LocalStage } from "../../laptop/stage/index.ts";
import { builtSources } from "../../laptop/template/made-before.ts";
import { buildFunctions } from "../../laptop/template/synthesis.ts";
import { budgets } from "./budgets.ts";
import { billOf, tableBillOf } from "./cost.ts";
import type { Dataset } from "./dataset.ts";
import { idleBillOf } from "./idle.ts";
import { brokenBudgets, looseBudgets, smallestOf } from "./judge.ts";
import { type Effort, type Measured, measure } from "./measure.ts";
import { pageOf, type Results, type Section } from "./page.ts";
import { measureRush } from "./rush-section.ts";
import { startBenchStage } from "./stage.ts";
import { stageTemplate } from "./stage-template.ts";
import { measureBundles, measureStart, type Start } from "./startup.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const usage = "Usage: npm run upkeep -- bench [--quick]";

/** The data sets, smallest first. */
const everything: readonly Dataset[] = [
  { size: 100, share: "fifth" },
  { size: 1_000, share: "fifth" },
  { size: 10_000, share: "fifth" },
  { size: 10_000, share: "all" },
];
const little: readonly Dataset[] = everything.slice(0, 2);

const effort: Effort = { requests: 21, timeLimitMs: 3_000 };
const littleEffort: Effort = { requests: 6, timeLimitMs: 500 };

/** @returns 0, 1 when a budget is exceeded, 2 for a usage error */
export async function bench(args: readonly string[], print: (line: string) => void): Promise<0 | 1 | 2> {
  const options = { quick: { type: "boolean", default: false } } as const;
  const forgotten = forgottenDashes("upkeep bench", args, options);
  if (forgotten !== undefined) {
    print(forgotten);
    return 2;
  }
  let quick: boolean;
  try {
    quick = parseArgs({ args: [...args], options, allowPositionals: false }).values.quick;
  } catch (error) {
    print(`${(error as Error).message} ${usage}`);
    return 2;
  }
  const [begun, [load = 0]] = [performance.now(), loadavg()];
  if ((await builtSources()) === undefined) {
    print("building the functions …");
    await buildFunctions();
  }
  const measured: Measured[] = [];
  for (const dataset of quick ? little : everything) {
    measured.push(await measure(dataset, quick ? littleEffort : effort, print));
  }
  if (!quick) {
    const rush = await measureRush();
    print("the rush is over");
    await writePage(await resultsOf(measured, { begun, load }, print), [rush], print);
  }
  const broken = brokenBudgets(measured, budgets);
  for (const sentence of looseBudgets(measured, budgets)) print(`could be lower: ${sentence}`);
  for (const sentence of broken) print(`exceeded: ${sentence}`);
  print(broken.length === 0 ? "All budgets hold." : `${broken.length} budgets are exceeded.`);
  return broken.length === 0 ? 0 : 1;
}

async function resultsOf(
  measured: readonly Measured[],
  { begun, load }: { readonly begun: number; readonly load: number },
  print: (line: string) => void,
): Promise<Results> {
  const { registration } = smallestOf(measured);
  if (!registration) throw new Error("No registration was measured.");
  const { stage, close } = await startBenchStage();
  try {
    const memoryOf = memoryIn(stage);
    const bundles = await measureBundles(stage.functions, 5);
    print(`${bundles.length} bundles imported`);
    return {
      measured,
      bundles,
      start: await measureStart().catch((problem: Error): Start | undefined => {
        print(problem.message);
        return undefined;
      }),
      registrationBill: billOf(registration, 1_000, memoryOf),
      tablePerMillion: tableBillOf(registration, 1_000_000),
      idleBill: idleBillOf(stageTemplate("production")),
      ...(await surroundings(load)),
      seconds: (performance.now() - begun) / 1_000,
    };
  } finally {
    await close();
  }
}

const memoryIn =
  (stage: LocalStage) =>
  (functionName: string): number =>
    Number(stage.environmentOf(functionName).AWS_LAMBDA_FUNCTION_MEMORY_SIZE);

/**
 * Contains no folder, host or person.
 * @param load load average before the measurements
 */
async function surroundings(load: number): Promise<Pick<Results, "machine" | "commit" | "day">> {
  const git = async (...args: string[]) => (await promisify(execFile)("git", args, { cwd: root })).stdout.trim();
  const changes = await git("status", "--porcelain", "--", ".", ":!docs/performance.md");
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB of memory`;
  return {
    machine: `${cpus()[0]?.model.trim()}, ${availableParallelism()} processors, ${memory}, Node ${process.version}, load ${load.toFixed(1)} at the start`,
    commit: `${await git("rev-parse", "--short", "HEAD")}${changes === "" ? "" : ", with changes"}`,
    day: new Date().toISOString().slice(0, 10),
  };
}

async function writePage(results: Results, sections: readonly Section[], print: (line: string) => void): Promise<void> {
  await writeFile(join(root, "docs/performance.md"), pageOf(results, sections));
  print(`docs/performance.md is written, in ${Math.round(results.seconds)} s.`);
}
