/** Which sources are in which bundle. `npm run build` writes it, and `npm start -- --watch` reads it. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
const file = join(root, "dist/inputs.json");

/** Paths relative to the project's root, with slashes. */
export interface BundleInputs {
  /** Sources of the build itself: a change affects every function. */
  readonly build: readonly string[];
  /** By the function's name in `lib/entries.ts`. */
  readonly functions: Readonly<Record<string, readonly string[]>>;
  /** Sources of each page, by a file of it in `dist`. */
  readonly pages?: Readonly<Record<string, readonly string[]>>;
}

/** The project's own files of an entry file, including itself: all that it imports. No file is executed. */
export async function sourcesOf(entry: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    outdir: "dist",
    metafile: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "silent",
  });
  return Object.keys(metafile.inputs);
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
