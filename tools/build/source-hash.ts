/** Which sources the bundles were made of. The build writes it down, and a start builds only what is not made yet. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { functionEntries } from "../../lib/entries.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));
const noteIn = (root: string): string => join(root, "dist/built-from");

const folders = ["bin", "lambda", "lib", "tools/build", "tools/laptop"];
/** With the lock file, packages are known by their versions. */
const files = ["cdk.json", "package-lock.json", "package.json", "tsconfig.json"];

/** A hash of all that bundles and templates are made of, except the variables of the environment. */
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
    // The length keeps the end of one text from being read as the beginning of the next.
    hash.update(`${file.slice(root.length)} ${text.length}\n`).update(text);
  }
  return hash.digest("hex");
}

/** The hash of the sources of the last whole build; undefined when there is none, or when a part was built since. */
export async function builtFrom(root = project): Promise<string | undefined> {
  const bundles = Object.keys(functionEntries).map((name) => join(root, "dist/functions", name, "index.mjs"));
  return bundles.every((file) => existsSync(file)) ? readFile(noteIn(root), "utf8").catch(() => undefined) : undefined;
}

/**
 * Runs a build, and writes down the sources of it when it was one of all functions and no source changed meanwhile. After
 * a failure nothing is written, so the next start builds again.
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
