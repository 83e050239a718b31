/** Tools in Python, each in a virtual environment of its own under `.cache`: made once for each lock file, and then reused. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The lock files, with a hash of each package: `pip install --require-hashes`. */
const lockFile = (name: string): string => join(import.meta.dirname, `${name}.txt`);

/** Whether this machine has a Python in which the tools run. */
export async function hasPython(): Promise<boolean> {
  try {
    const { stdout } = await run("python3", ["-c", "import sys, venv; print(sys.version_info >= (3, 10))"]);
    return stdout.trim() === "True";
  } catch {
    return false;
  }
}

/**
 * The folder with the commands of a tool. Installs its packages when they are not there yet.
 * @param name of the lock file, without its ending
 */
export async function pythonTool(name: string): Promise<string> {
  const lock = await readFile(lockFile(name), "utf8");
  const hash = createHash("sha256").update(lock).digest("hex").slice(0, 12);
  const home = join(".cache", "python", `${name}-${hash}`);
  const bin = join(process.cwd(), home, "bin");
  const done = join(home, "complete");
  if (existsSync(done)) return bin;
  // Commands of an environment name its folder, so it cannot be made elsewhere and moved.
  await rm(home, { recursive: true, force: true });
  await mkdir(join(".cache", "python"), { recursive: true });
  await run("python3", ["-m", "venv", home]);
  await run(join(bin, "pip"), ["install", "--quiet", "--require-hashes", "-r", lockFile(name)], {
    maxBuffer: 10_000_000,
  });
  await mkdir(done);
  return bin;
}
