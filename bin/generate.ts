/**
 * npm run generate [-- --check]
 * Writes every generated file: the reference `docs/openapi.json` and the client's types `client/paths.ts`. With `--check` it ends with 1 when a file was stale. The reference must also be valid OpenAPI.
 */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { commandWords, UsageError } from "../tools/kit/npm-flags.ts";
import { usageOf } from "../tools/kit/usage.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A file could not be generated; the message is for the developer who changed its source. */
class NotGenerated extends Error {}

/** Runs a command in the root. @returns what it printed @throws NotGenerated with its output when it fails */
async function run(...command: readonly [string, ...string[]]): Promise<string> {
  const [program, ...args] = command;
  try {
    const { stdout } = await promisify(execFile)(program, args, { cwd: root, maxBuffer: 64_000_000 });
    return stdout;
  } catch (problem) {
    const { stdout = "", stderr = "" } = problem as { stdout?: string; stderr?: string };
    throw new NotGenerated(`${command.join(" ")} failed:\n${stdout}${stderr}`, { cause: problem });
  }
}

async function reference(): Promise<void> {
  const { openApiDocument } = await import("../tools/reference/document.ts");
  const { NothingSaid } = await import("../tools/reference/lacks.ts");
  try {
    await writeFile(join(root, "docs/openapi.json"), `${JSON.stringify(openApiDocument(), undefined, 2)}\n`);
  } catch (problem) {
    throw problem instanceof NothingSaid ? new NotGenerated(problem.message) : problem;
  }
  await run("npm", "ci", "--prefix", "tools/reference/linter");
  await run("npm", "run", "-s", "check", "--prefix", "tools/reference/linter");
}

async function client(): Promise<void> {
  await run("npm", "ci", "--prefix", "tools/reference/client-types");
  await run("npm", "run", "-s", "generate", "--prefix", "tools/reference/client-types");
}

/** In the order of their dependencies: the client's types are generated from the reference. */
const parts = [
  { name: "reference", write: reference, path: "docs/openapi.json" },
  { name: "client", write: client, path: "client/paths.ts" },
];

/** @returns 0, 1 when a file was stale @throws UsageError, NotGenerated */
async function generate(args: readonly string[]): Promise<0 | 1> {
  const options = { check: { type: "boolean", default: false } } as const;
  const { values, positionals } = commandWords("generate", args, options);
  if (positionals.length > 0) throw new UsageError(usageOf("generate"));
  const changed: string[] = [];
  for (const { name, write, path } of parts) {
    const text = () => readFile(join(root, path), "utf8").catch(() => "");
    const before = await text();
    await write();
    const isStale = (await text()) !== before;
    if (isStale) changed.push(path);
    console.log(`${name}: ${isStale ? `wrote ${path}` : "up to date"}`);
  }
  if (!values.check || changed.length === 0) return 0;
  console.error(`Stale: ${changed.join(", ")}. Run "npm run generate" and commit what it writes.`);
  return 1;
}

try {
  process.exitCode = await generate(process.argv.slice(2));
} catch (problem) {
  if (!(problem instanceof NotGenerated || problem instanceof UsageError)) throw problem;
  console.error(problem.message);
  process.exitCode = problem instanceof UsageError ? 2 : 1;
}
