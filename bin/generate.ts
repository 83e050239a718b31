/**
 * npm run generate [-- [--check] [reference] [client]]
 * Writes every generated file, or the named ones: the reference `docs/openapi.json` and the client's types
 * `client/paths.ts`. With `--check` it ends with 1 when a file was stale. The reference must also be valid OpenAPI.
 */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { forgottenDashes } from "../tools/kit/npm-flags.ts";

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
  const { NothingSaid } = await import("../tools/reference/fields.ts");
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

interface Part {
  readonly write: () => Promise<void>;
  /** The file that it writes. */
  readonly path: string;
}

/** In the order of their dependencies: the client's types are generated from the reference. */
const parts: Readonly<Record<string, Part>> = {
  reference: { write: reference, path: "docs/openapi.json" },
  client: { write: client, path: "client/paths.ts" },
};

/** Writes one part. @returns whether it was stale */
async function isStale({ write, path }: Part): Promise<boolean> {
  const text = () => readFile(join(root, path), "utf8").catch(() => "");
  const before = await text();
  await write();
  return (await text()) !== before;
}

/** @returns 0, 1 when a file was stale or cannot be generated, 2 for a usage error */
async function generate(args: readonly string[]): Promise<0 | 1 | 2> {
  const options = { check: { type: "boolean", default: false } } as const;
  const forgotten = forgottenDashes("generate", args, options);
  if (forgotten !== undefined) {
    console.error(forgotten);
    return 2;
  }
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const unknown = positionals.filter((name) => !Object.hasOwn(parts, name));
  if (unknown.length > 0) {
    console.error(
      `Nothing is generated under the name ${unknown.join(", ")}; there are ${Object.keys(parts).join(", ")}.`,
    );
    return 2;
  }
  const changed: string[] = [];
  for (const [name, part] of Object.entries(parts)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const stale = await isStale(part);
    if (stale) changed.push(part.path);
    console.log(`${name}: ${stale ? `wrote ${part.path}` : "up to date"}`);
  }
  if (!values.check || changed.length === 0) return 0;
  console.error(`Stale: ${changed.join(", ")}. Run "npm run generate" and commit what it writes.`);
  return 1;
}

try {
  process.exitCode = await generate(process.argv.slice(2));
} catch (problem) {
  if (!(problem instanceof NotGenerated)) throw problem;
  console.error(problem.message);
  process.exitCode = 1;
}
