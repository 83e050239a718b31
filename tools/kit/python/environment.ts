/** Tools in Python, each in a virtual environment of its own under `.cache`: made once for each lock file, and then reused. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Every tool, by the name of its lock file: what a machine without it skips. */
export const tools = {
  "cfn-lint": "the check of the templates",
  checkov: "the check of what the templates leave open",
  schemathesis: "the check of the API",
  ministack: "the rehearsals, and the comparisons of the laptop with MiniStack",
} as const;

export type Tool = keyof typeof tools;

/** The lock files, with a hash of each package: `pip install --require-hashes`. The first line says how one is made. */
const lockFile = (name: Tool): string => join(import.meta.dirname, `${name}.txt`);

/** This machine cannot run a tool, for a reason that is no fault of the project: it has no Python, or no network. */
export class NoPythonTool extends Error {}

/**
 * Says what a machine without a tool does not check.
 * @param what a sentence without its end
 * @returns the exit code: with `CI`, which GitHub sets, a check that has checked nothing is not green
 * https://docs.github.com/en/actions/reference/workflows-and-actions/variables#default-environment-variables
 */
export function withoutTool(what: string, { message }: NoPythonTool, print: (line: string) => void): 0 | 1 {
  const mustCheck = process.env.CI === "true";
  print(`${mustCheck ? "FAILED" : "SKIPPED"}: ${what}, because ${message}.`);
  return mustCheck ? 1 : 0;
}

/** Whether this machine has a Python in which the tools run. Debian has `venv` without what it needs. */
async function hasPython(): Promise<boolean> {
  try {
    const check = "import sys, venv, ensurepip; print(sys.version_info >= (3, 11))";
    const { stdout } = await run("python3", ["-c", check]);
    return stdout.trim() === "True";
  } catch {
    return false;
  }
}

/** What pip says when it reaches no index, or one without these packages. */
const unreachable =
  /No matching distribution|Failed to establish a new connection|Connection ?(?:Error|refused|reset|timed out)|Name or service|Temporary failure|ProxyError/i;

/** Where a tool's packages are, or will be: another lock file, another folder. */
async function placeOf(name: Tool): Promise<{ readonly home: string; readonly bin: string; readonly done: string }> {
  const hash = createHash("sha256")
    .update(await readFile(lockFile(name), "utf8"))
    .digest("hex")
    .slice(0, 12);
  const home = join(".cache", "python", `${name}-${hash}`);
  return { home, bin: join(process.cwd(), home, "bin"), done: join(home, "complete") };
}

/** Whether a tool's packages are installed. */
export const isInstalled = async (name: Tool): Promise<boolean> => existsSync((await placeOf(name)).done);

/**
 * The folder with the commands of a tool. Installs its packages when they are not there yet.
 * @throws NoPythonTool; Error when the packages are not those of the lock file
 */
export async function pythonTool(name: Tool): Promise<string> {
  const { home, bin, done } = await placeOf(name);
  if (existsSync(done)) return bin;
  if (!(await hasPython())) throw new NoPythonTool("there is no python3, of 3.11 or later and with venv");
  // Commands of an environment name its folder, so it cannot be made elsewhere and moved.
  await rm(home, { recursive: true, force: true });
  await mkdir(join(".cache", "python"), { recursive: true });
  await run("python3", ["-m", "venv", home]);
  try {
    await run(join(bin, "pip"), ["install", "--quiet", "--require-hashes", "-r", lockFile(name)], {
      maxBuffer: 10_000_000,
    });
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    if (unreachable.test(stderr)) throw new NoPythonTool("pip reaches no index with its packages", { cause: error });
    throw error;
  }
  await mkdir(done);
  return bin;
}
