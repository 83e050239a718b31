/** The size of each bundle, written by `npm run build`, and read by tests and `npm run upkeep -- bench`. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Metafile } from "esbuild";
import { type FunctionName, functionEntries } from "../../lib/entries.ts";

const folder = fileURLToPath(new URL("../../dist/sizes", import.meta.url));

/** Bytes of a bundle, without source maps. */
export interface BundleSize {
  /** The modules that Node loads before the first request. */
  readonly atStart: number;
  /** Including lazily loaded modules. */
  readonly total: number;
  /**
   * The composition of `atStart`: bytes by package, largest first. `lambda` is the service's own code, `schemas` are its
   * compiled validators.
   */
  readonly packages: Readonly<Record<string, number>>;
}

type Outputs = Metafile["outputs"];

/** The files that Node loads with this one. */
function loadedWith(file: string, outputs: Outputs, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  for (const { path, kind } of outputs[file]?.imports ?? []) {
    if (kind === "import-statement" && path in outputs) loadedWith(path, outputs, loaded);
  }
  return loaded;
}

/** `@aws-sdk/client-dynamodb` of `node_modules/@aws-sdk/client-dynamodb/dist-es/index.js` */
function packageOf(input: string): string {
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input) ?? [];
  if (name !== undefined) return name;
  return input.startsWith("validator:") ? "schemas" : "lambda";
}

/** The size of the bundle with this entry file, from the bundler's report. Pure. */
export function bundleSize({ outputs }: Pick<Metafile, "outputs">, entry: string): BundleSize {
  const modules = Object.keys(outputs).filter((file) => file.endsWith(".mjs"));
  const first = modules.find((file) => outputs[file]?.entryPoint === entry);
  const atStart = first === undefined ? [] : [...loadedWith(first, outputs)];
  const bytesOf = (files: readonly string[]) => files.reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0);
  const packages: Record<string, number> = {};
  for (const [input, { bytesInOutput }] of atStart.flatMap((file) => Object.entries(outputs[file]?.inputs ?? {}))) {
    if (bytesInOutput > 0) packages[packageOf(input)] = (packages[packageOf(input)] ?? 0) + bytesInOutput;
  }
  return {
    atStart: bytesOf(atStart),
    total: bytesOf(modules),
    packages: Object.fromEntries(Object.entries(packages).sort(([, one], [, other]) => other - one)),
  };
}

const fileOf = (name: FunctionName): string => join(folder, `${name}.json`);

export async function writeBundleSize(name: FunctionName, size: BundleSize): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(fileOf(name), JSON.stringify(size));
}

/** The sizes that the last build wrote, by function. @throws Error when a function has not been built */
export async function readBundleSizes(): Promise<Readonly<Record<FunctionName, BundleSize>>> {
  const names = Object.keys(functionEntries) as FunctionName[];
  const texts = await Promise.all(names.map((name) => readFile(fileOf(name), "utf8")));
  return Object.fromEntries(
    names.map((name, index) => [name, JSON.parse(texts[index] as string) as BundleSize]),
  ) as Record<FunctionName, BundleSize>;
}
