/** The hash of the bundles' sources. The build stores it, so that a start builds only if sources have changed. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { functionEntries } from "../../lib/entries.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));
const noteIn = (root: string): string => join(root, "dist/built-from");

const folders = ["bin", "client", "lambda", "lib", "tools/build", "tools/laptop"];
/** The lock file stands for all packages. */
const files = ["cdk.json", "docs/openapi.json", "package-lock.json", "package.json", "tsconfig.json"];

/** A hash of all inputs of bundles and templates, except environment variables. */
export async function sourceHash(root = project): Promise<string> {
  const below = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map(({ parentPath, path, name }) => join(parentPath ?? path, name));
    }),
  );
  const there = files.map((file) => join(root, file)).filter((file) => existsSync(file));
  const all = [...below.flat(), ...there].sort();
  const texts = await Promise.all(all.map((file) => readFile(file)));
  const hash = createHash("sha256").update(process.version);
  for (const [index, file] of all.entries()) {
    const text = texts[index] as Buffer;
    // The length separates files unambiguously.
    hash.update(`${file.slice(root.length)} ${text.length}\n`).update(text);
  }
  return hash.digest("hex");
}

/** The source hash of the last complete build; undefined when there is none, or a part was built since. */
export async function builtFrom(root = project): Promise<string | undefined> {
  const functions = Object.keys(functionEntries).map((name) => `functions/${name}/index.mjs`);
  const bundles = [...functions, "door/service-worker.js", "pages/manifest.json"].map((file) =>
    join(root, "dist", file),
  );
  return bundles.every((file) => existsSync(file)) ? readFile(noteIn(root), "utf8").catch(() => undefined) : undefined;
}

/**
 * Runs a build, and stores its source hash if it was complete and no source changed meanwhile. After a failure nothing is
 * stored, so that the next start builds again.
 */
export async function noted(isWhole: boolean, build: () => Promise<void>, root = project): Promise<void> {
  const note = noteIn(root);
  await rm(note, { force: true });
  const before = await sourceHash(root);
  await build();
  if (!isWhole || before !== (await sourceHash(root))) return;
  await mkdir(dirname(note), { recursive: true });
  const draft = `${note}.${process.pid}`;
  await writeFile(draft, before);
  await rename(draft, note);
}
