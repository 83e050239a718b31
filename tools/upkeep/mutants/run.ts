/** Makes mutants of files with Stryker's instrumenter, and lets jest judge them. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { type Fact, type Mutant, shown } from "./score.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** A round that takes longer has no end. */
const longestRound = 180_000;
/** Nor has a file that takes longer to load and to run without a mutant, on a busy machine. */
const longestFile = 900_000;
/** A mutant of what modules do while they load is tried in so many test files, those that reach most of its file. */
const filesForOne = 4;

const levels = ["trace", "debug", "info", "warn", "error", "fatal"];
/** A logger that says nothing. */
const quiet = Object.fromEntries([
  ...levels.map((level) => [level, () => undefined]),
  ...["Trace", "Debug", "Info", "Warn", "Error", "Fatal"].map((level) => [`is${level}Enabled`, () => false]),
]);

/** Each so many mutants of files, and their sources with all of them in it. */
async function mutate(files: readonly string[], every: number) {
  const texts = await Promise.all(files.map((file) => readFile(join(root, file), "utf8")));
  const given = files.map((name, index) => ({ name, content: texts[index] as string, mutate: true }));
  const options = { plugins: null, excludedMutations: [], ignorers: [] };
  const made = await new Instrumenter(quiet as never).instrument(given, options);
  const mutants = made.mutants.map(({ id, fileName, location: { start, end }, replacement }): Mutant => {
    const lines = (texts[files.indexOf(fileName)] as string).split("\n").slice(start.line, end.line + 1);
    const cut = [...lines.slice(0, -1), (lines.at(-1) as string).slice(0, end.column)];
    const original = [(cut[0] as string).slice(start.column), ...cut.slice(1)].join("\n");
    return { id, file: fileName, line: start.line + 1, original: shown(original), replacement: shown(replacement) };
  });
  const tried = mutants.filter((_, index) => index % every === 0);
  return { mutants: tried, sources: Object.fromEntries(made.files.map(({ name, content }) => [name, content])) };
}

interface Load {
  readonly mutant: string;
  readonly test: string;
}

/** For each mutant that modules reach while they load: the test files to try. */
function loadsOf(mutants: readonly Mutant[], facts: readonly Fact[]): Load[] {
  const fileOf = new Map(mutants.map(({ id, file }) => [id, file]));
  const killed = killedIn(facts);
  const reaching = facts.filter(({ reached }) => reached !== undefined);
  const closeness = (test: string, file: string) => {
    const reached = reaching.find((fact) => fact.file === test)?.reached ?? [];
    return reached.filter((id) => fileOf.get(id) === file).length - (test.startsWith("test/model/") ? 1_000 : 0);
  };
  return mutants.flatMap(({ id, file }) => {
    if (killed.has(id)) return [];
    const tests = facts.filter(({ loading }) => loading?.includes(id)).map((fact) => fact.file);
    const closest = [...new Set(tests)].sort((a, b) => closeness(b, file) - closeness(a, file));
    return closest.slice(0, filesForOne).map((test) => ({ mutant: id, test }));
  });
}

export const killedIn = (facts: readonly Fact[]): ReadonlySet<string> =>
  new Set(facts.flatMap(({ mutant, by }) => (mutant !== undefined && by !== undefined ? [mutant] : [])));

/** The mutant whose round has begun and not ended. */
function openRound(facts: readonly Fact[]): Fact | undefined {
  const last = facts.findLast(({ begun, mutant, spoilt }) => begun ?? mutant ?? spoilt);
  return last?.begun === undefined ? undefined : last;
}

/** Jest's arguments for test files; none for no files. */
const byPath = (files: readonly string[]): string[] =>
  files.length === 0 ? [] : ["--runTestsByPath", ...new Set(files)];

export interface Run {
  readonly mutants: readonly Mutant[];
  readonly facts: readonly Fact[];
}

/**
 * @param files paths from the project's root
 * @param folder where the plan and the facts stand
 * @param jest arguments that choose the test files
 * @param every 1 for all mutants, 10 for a tenth of them
 * @param say gets a line on the progress
 */
export async function runMutants(
  files: readonly string[],
  folder: string,
  jest: readonly string[],
  every: number,
  say: (line: string) => void,
): Promise<Run> {
  const noted = join(folder, "facts.jsonl");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { mutants, sources } = await mutate(files, every);
  const plan = (loads: readonly Load[]) =>
    writeFile(join(folder, "plan.json"), JSON.stringify({ mutants, sources, loads }));
  const facts = async (): Promise<Fact[]> => {
    const lines = existsSync(noted) ? (await readFile(noted, "utf8")).split("\n") : [];
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Fact);
  };
  const start = (which: readonly string[]): ChildProcess => {
    const jest = ["node_modules/jest/bin/jest.js", "--config", "test/mutants/jest.config.mjs", "--runInBand"];
    return spawn(process.execPath, ["--experimental-vm-modules", "--no-warnings", ...jest, "--silent", ...which], {
      cwd: root,
      env: { ...process.env, MUTANTS: folder },
      stdio: ["ignore", "ignore", "inherit"],
    });
  };
  /** Runs test files, again from where a process was stopped or a file's modules were spoilt. */
  const judge = async (which: readonly string[]) => {
    let rest = which;
    while (rest.length > 0) {
      const before = (await facts()).length;
      const child = start(rest);
      const begun = Date.now();
      const watch = setInterval(async () => {
        const heard = existsSync(noted) ? Math.max(begun, statSync(noted).mtimeMs) : begun;
        const longest = openRound(await facts()) ? longestRound : longestFile;
        if (Date.now() - heard > longest) child.kill("SIGKILL");
      }, 5_000);
      const [, signal] = await once(child, "close");
      clearInterval(watch);
      const now = await facts();
      const open = openRound(now);
      if (open) {
        await writeFile(noted, `${JSON.stringify({ mutant: open.begun, file: open.file, by: "time" })}\n`, {
          flag: "a",
        });
        continue;
      }
      if (signal !== null) {
        const stuck = now.findLast(({ opened }) => opened !== undefined)?.opened;
        if (stuck === undefined || now.some(({ file, done }) => done && file === stuck))
          throw new Error(`Jest was ended by ${signal}.`);
        const fact: Fact = { file: stuck, red: ["its process was ended"], done: true };
        await writeFile(noted, `${JSON.stringify(fact)}\n`, { flag: "a" });
        continue;
      }
      rest = byPath(now.slice(before).flatMap(({ spoilt, file }) => (spoilt === undefined ? [] : [file])));
      say(`${killedIn(now).size} of ${mutants.length} killed`);
    }
  };
  await plan([]);
  await judge(jest);
  const loads = loadsOf(mutants, await facts());
  await plan(loads);
  await judge(byPath(loads.map(({ test }) => test)));
  return { mutants, facts: await facts() };
}
