/**
 * `npm run test:repeat -- 20 [jest options]`: runs tests 20 times and prints how often they were green. Without options
 * it runs the unit and the model project. With `SEED=fresh` every run uses a new random seed.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [times = "", ...given] = process.argv.slice(2);
const runs = Number(times);
if (!Number.isInteger(runs) || runs < 1) {
  console.error("npm run test:repeat -- <times> [--selectProjects unit model] [jest options]");
  process.exit(2);
}
const options = given.length > 0 ? given : ["--selectProjects", "unit", "model"];

/** The part of jest's report that this command reads. */
interface Report {
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const folder = await mkdtemp(join(tmpdir(), "repeat-tests-"));
let isStopped = false;

/** Runs jest once. @returns the names of failed tests, and jest's output; undefined when jest wrote no report */
async function run(n: number): Promise<{ tests: number; failed: string[]; output: string } | undefined> {
  const outputFile = join(folder, `${n}.json`);
  const jest = spawn("npm", ["run", "-s", "test:only", "--", ...options, "--json", `--outputFile=${outputFile}`], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  jest.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const [code, signal] = await once(jest, "close");
  isStopped ||= signal !== null;
  const report = await readFile(outputFile, "utf8").catch(() => undefined);
  if (report === undefined) {
    console.error(output);
    return undefined;
  }
  const { numTotalTests: tests, testResults } = JSON.parse(report) as Report;
  const failed = testResults.flatMap(({ assertionResults, message }) => {
    const names = assertionResults.filter(({ status }) => status === "failed").map(({ fullName }) => fullName);
    // A file that jest could not load has a message and no tests.
    return names.length > 0 || message === "" ? names : [message.trim().split("\n")[0] as string];
  });
  if (code !== 0 && failed.length === 0) failed.push(`jest ended with ${code}`);
  return { tests, failed, output };
}

process.on("SIGINT", () => {
  isStopped = true;
});

let green = 0;
let done = 0;
const failures = new Map<string, number>();
while (done < runs && !isStopped) {
  const began = performance.now();
  const result = await run(done);
  if (!result || isStopped) break;
  done += 1;
  const { tests, failed, output } = result;
  if (failed.length === 0) green += 1;
  for (const name of failed) failures.set(name, (failures.get(name) ?? 0) + 1);
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(`${done}: ${failed.length === 0 ? "green" : `${failed.length} failed`}, ${tests} tests, ${seconds} s`);
  if (failed.length > 0) console.log(output.replace(/^PASS .*\n/gm, ""));
}
await rm(folder, { recursive: true, force: true });

console.log(`${green} of ${done} green`);
for (const [name, count] of failures) console.log(`  ${count} times red: ${name}`);
process.exitCode = green === runs ? 0 : 1;
