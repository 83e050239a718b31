/**
 * npm run upkeep -- planted [07 long-refresh-token] [jest options]
 * Plants each fault of `test/planted`, one at a time, in
 * a copy of the work tree, and prints which test finds it. A fault that no test finds is a gap in the tests.
 *
 * The tests must be green without faults. At the end, the tests that found a fault run once more without any: a failure
 * there invalidates the finding.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import {
  chosen,
  type Failure,
  type Fault,
  faultIn,
  findingIn,
  type Report,
  troubleIn,
} from "../../tools/upkeep/repository/planted.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const patches = join(root, "test/planted");
/** All projects except `deep`, which takes many minutes. */
const projects = ["unit", "infra", "model", "service", "browser", "tools"];

const words = process.argv.slice(2);
const firstOption = words.findIndex((word) => word.startsWith("-"));
const [named, options] = firstOption < 0 ? [words, []] : [words.slice(0, firstOption), words.slice(firstOption)];

const scratch = await realpath(await mkdtemp(join(tmpdir(), "planted-")));
let isStopped = false;
process.on("SIGINT", () => {
  isStopped = true;
});

/** Runs a program. @returns whether it succeeded, and what it printed */
async function run(cwd: string, program: string, ...args: readonly string[]) {
  const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      printed[name] += text;
    });
  }
  const [code] = await once(child, "close");
  return { isFine: code === 0, ...printed };
}

/** Copies the sources, committed or not. The packages are hard links where the file system can make them. */
async function copyWorkTree(): Promise<void> {
  const { stdout } = await run(root, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard");
  for (const path of stdout.split("\0").filter((name) => name !== "" && existsSync(join(root, name)))) {
    await cp(join(root, path), join(scratch, path), { recursive: true });
  }
  const [from, to] = [join(root, "node_modules"), join(scratch, "node_modules")];
  if ((await run(root, "cp", "-al", from, to)).isFine) return;
  await rm(to, { recursive: true, force: true });
  await cp(from, to, { recursive: true, verbatimSymlinks: true });
}

const build = () => run(scratch, "node", "bin/start.mjs", "build");

/** Runs tests in the copy. @throws Error when jest wrote no report */
async function runTests(...which: readonly string[]): Promise<Report> {
  const [outputFile, cacheDirectory] = [join(scratch, ".cache/report.json"), join(scratch, ".cache/jest")];
  await rm(outputFile, { force: true });
  const how = ["--json", `--outputFile=${outputFile}`, `--cacheDirectory=${cacheDirectory}`, "--passWithNoTests"];
  const jest = ["run", "-s", "test:only", "--", ...which, "--selectProjects", ...projects, ...how, ...options];
  const { stderr } = await run(scratch, "npm", ...jest);
  const report = await readFile(outputFile, "utf8").catch(() => undefined);
  if (report === undefined) throw new Error(`jest wrote no report. ${stderr.trim().split("\n").slice(-1)}`);
  return JSON.parse(report) as Report;
}

/** Plants a fault, and reverts it. @throws Error the reason why no test has found it */
async function findingOf({ number, name, tests }: Fault): Promise<Failure> {
  const patch = join(patches, `${number}-${name}.patch`);
  const applied = await run(scratch, "git", "apply", patch);
  if (!applied.isFine) throw new Error(`the patch does not apply: ${applied.stderr.trim()}`);
  try {
    const built = await build();
    if (!built.isFine) throw new Error(`does not build: ${built.stderr.trim()}`);
    let trouble: string | undefined;
    for (const pattern of tests) {
      const report = await runTests(pattern);
      const finding = findingIn(report);
      if (finding) return finding;
      trouble ??= troubleIn(report);
      if (isStopped) break;
    }
    throw new Error(trouble ?? "the tests pass");
  } finally {
    const undone = await run(scratch, "git", "apply", "--reverse", patch);
    // Every later run would have two faults.
    if (!undone.isFine) isStopped = true;
  }
}

/** The faults whose findings are invalid: the test file also fails without a fault. */
async function invalidFindings(findings: ReadonlyMap<Fault, Failure>): Promise<Fault[]> {
  await build();
  const files = [...new Set([...findings.values()].map(({ file }) => file))];
  const { testResults } = await runTests("--runTestsByPath", ...files);
  const isGreen = (file: string) => testResults.some(({ name, message }) => name === file && message === "");
  return [...findings].filter(([, { file }]) => !isGreen(file)).map(([fault]) => fault);
}

const findings = new Map<Fault, Failure>();
let wanted: readonly Fault[] = [];
try {
  const files = (await readdir(patches)).filter((file) => file.endsWith(".patch")).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(patches, file), "utf8")));
  wanted = chosen(
    files.map((file, index) => faultIn(file, texts[index] as string)),
    named,
  );
  await copyWorkTree();
  const miss = ({ number, name, breaks }: Fault, why: string) =>
    console.log(`NOT FOUND ${number} ${name}: ${why}\n  It breaks: ${breaks}`);
  for (const fault of wanted) {
    if (isStopped) break;
    try {
      const finding = await findingOf(fault);
      findings.set(fault, finding);
      console.log(`found ${fault.number} ${fault.name} by ${relative(scratch, finding.file)}: ${finding.test}`);
    } catch (reason) {
      miss(fault, (reason as Error).message);
    }
  }
  for (const fault of findings.size > 0 && !isStopped ? await invalidFindings(findings) : []) {
    findings.delete(fault);
    miss(fault, "the test file also fails without the fault");
  }
} catch (problem) {
  console.error((problem as Error).message);
} finally {
  await rm(scratch, { recursive: true, force: true });
}
if (wanted.length > 0) console.log(`${findings.size} of ${wanted.length} found`);
process.exitCode = findings.size === wanted.length && wanted.length > 0 ? 0 : 1;
