/**
 * npm run upkeep -- mutants [paths] [--all] [--unit] [--every 10]
 * Stryker's mutants of the given files and folders of `lambda`, one active at a
 * time under the unit and model tests that reach it. Without paths, of the files that differ from the main branch at its
 * origin; `--unit` leaves out the model tests, which take minutes; `--every 10` tries a tenth of the mutants. Prints the survivors and a score for each area. Exit code 0: all are killed or explained in
 * `tools/upkeep/mutants/explained.ts`, 1: there are survivors, or an explanation of none, 2: usage error.
 *
 * Mutants are not compiled: one with a wrong type counts as any other.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { commandWords, UsageError } from "../../tools/kit/npm-flags.ts";
import { explained } from "../../tools/upkeep/mutants/explained.ts";
import { killedIn, runMutants } from "../../tools/upkeep/mutants/run.ts";
import { linesOf, needless, scoresOf } from "../../tools/upkeep/mutants/score.ts";
import { filesIn } from "../../tools/upkeep/repository/files.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const options = {
  all: { type: "boolean" },
  unit: { type: "boolean" },
  every: { type: "string", default: "1" },
} as const;
const folders = ["lambda/domain", "lambda/outbox", "lambda/consumers", "lambda/kit"];

/** The files that differ from origin's main branch, committed or not. */
function changedFiles(): string[] {
  const git = (...args: readonly string[]) => spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout;
  const base = git("merge-base", "HEAD", "origin/HEAD").trim();
  const differing = `${git("diff", "--name-only", base || "HEAD")}${git("ls-files", "--others", "--exclude-standard")}`;
  return differing.split("\n").filter((path) => existsSync(join(root, path)));
}

/** @throws UsageError */
function chosen(args: readonly string[]) {
  const { values, positionals } = commandWords("upkeep mutants", args, options);
  const all = folders.flatMap((folder) => filesIn(folder, /\.ts$/));
  const paths = (values.all ? folders : positionals.length > 0 ? positionals : changedFiles()).map((path) =>
    normalize(path).replace(/\/$/, ""),
  );
  const files = all.filter((file) => paths.some((path) => file === path || file.startsWith(`${path}/`)));
  if (!/^[1-9]\d*$/.test(values.every)) throw new UsageError("--every must be a whole number above 0.");
  if (files.length === 0) throw new UsageError(`Name files or folders of ${folders.join(", ")}, or --all.`);
  return { files, projects: values.unit ? ["unit"] : ["unit", "model"], every: Number(values.every) };
}

try {
  const begun = performance.now();
  const { files, projects, every } = chosen(process.argv.slice(2));
  const related = ["--selectProjects", ...projects, "--findRelatedTests", ...files];
  const { mutants, facts } = await runMutants(files, join(root, ".cache/mutants"), related, every, console.error);
  const killed = killedIn(facts);
  const scores = scoresOf(mutants, killed, explained);
  const unneeded = every > 1 ? [] : needless(mutants, killed, explained);
  for (const { file, red } of facts) {
    if (red && red.length > 0)
      console.log(`not used, red without a mutant or when repeated: ${file}: ${red.join("; ")}`);
  }
  for (const line of scores.flatMap(linesOf)) console.log(line);
  for (const { file, original } of unneeded) console.log(`explained, and no survivor: ${file}: ${original}`);
  console.log(`${mutants.length} mutants in ${Math.round((performance.now() - begun) / 1_000)} s`);
  process.exitCode = unneeded.length > 0 || scores.some(({ survivors }) => survivors.length > 0) ? 1 : 0;
} catch (problem) {
  if (!(problem instanceof UsageError)) throw problem;
  console.error(problem.message);
  process.exitCode = 2;
}
