/** Which sources are in which bundle. `npm run build` writes it, and `npm start -- --watch` reads it. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
const file = join(root, "dist/inputs.json");

/** Paths relative to the project's root, with slashes. */
export interface BundleInputs {
  /** Sources of the build itself: a change affects every function. */
  readonly build: readonly string[];
  /** Sources of the template or the laptop stage: a running stage does not pick up changes. */
  readonly stage: readonly string[];
  /** By the function's name in `lib/entries.ts`. */
  readonly functions: Readonly<Record<string, readonly string[]>>;
  /** Sources of each page, by a file of it in `dist`. */
  readonly pages?: Readonly<Record<string, readonly string[]>>;
}

/** The project's own files that an entry file imports, directly or transitively. No file is executed. */
async function graph(...entryPoints: readonly string[]): Promise<Metafile["inputs"]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...entryPoints],
    bundle: true,
    write: false,
    outdir: "dist",
    metafile: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "silent",
  });
  return metafile.inputs;
}

/** The project's own files of an entry file, including itself. */
export const sourcesOf = async (entry: string): Promise<string[]> => Object.keys(await graph(entry));

const isFunctionCode = (path: string): boolean => path.startsWith("lambda/");

/**
 * Of the functions' code only what the stack or the laptop imports itself, and the declared routes: what these import in
 * turn are schemas and rules, which the functions have in their bundles.
 */
async function stageSources(): Promise<string[]> {
  const files = await graph("bin/app.ts", "bin/local.ts", "bin/start.mjs", "tools/laptop/functions/worker.mjs");
  const own = Object.keys(files).filter((path) => !isFunctionCode(path));
  const imported = own.flatMap((path) => files[path]?.imports.map(({ path: to }) => to) ?? []);
  const routes = Object.keys(files).filter((path) => /^lambda\/api\/[\w-]+\/routes\.ts$/.test(path));
  return [...new Set([...own, ...imported.filter((path) => isFunctionCode(path) && path in files), ...routes])];
}

/** The inputs of the last build; undefined when there is none. */
export const readInputs = (): Promise<BundleInputs | undefined> =>
  readFile(file, "utf8").then(
    (text) => JSON.parse(text) as BundleInputs,
    () => undefined,
  );

/** Writes the inputs of what was built. Those of the others are kept. @param pages absent: none was built */
export async function writeInputs(functions: BundleInputs["functions"], pages?: BundleInputs["pages"]): Promise<void> {
  const before = await readInputs();
  const inputs: BundleInputs = {
    build: await sourcesOf("bin/build.ts"),
    stage: await stageSources(),
    functions: { ...before?.functions, ...functions },
    pages: pages ?? before?.pages ?? {},
  };
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, JSON.stringify(inputs));
  await rename(draft, file);
}

/** The functions whose bundles contain one of the changed files. */
export function concerned({ build: ofBuild, functions }: BundleInputs, changed: readonly string[]): string[] {
  const names = Object.keys(functions);
  if (changed.some((path) => ofBuild.includes(path))) return names;
  return names.filter((name) => functions[name]?.some((path) => changed.includes(path)));
}
