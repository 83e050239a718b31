/**
 * npm run build [-- <names>]
 * Bundles every function, or those with these names, with its dependencies as a minified
 * ES module in `dist/functions/<name>/`. The stack ships these folders, and the local stage runs them. Without names it also
 * bundles the pages of `client`, in `dist/door/` and `dist/pages/`.
 */
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type BuildOptions, build, formatMessages, type Metafile, type Plugin } from "esbuild";
import { keptParts, type Route } from "#kit/request/route.ts";
import { contractHints, validatorSources } from "#kit/schema/compile.ts";
import { type FunctionName, functionEntries } from "../lib/entries.ts";
import { buildProblem } from "../tools/build/build-problem.ts";
import { sourcesOf, writeInputs } from "../tools/build/bundle-inputs.ts";
import { type BundleSize, bundleSize, writeBundleSize } from "../tools/build/bundle-sizes.ts";
import { noted } from "../tools/build/source-hash.ts";
import { buildPages } from "../tools/build/static-pages.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const kit = join(root, "lambda/kit");

/** Modules that declare schemas: the routes of each capability, and the messages. */
const declarations = /[\\/]lambda[\\/](api[\\/][a-z-]+[\\/]routes|outbox[\\/]message-schemas)\.ts$/;

/**
 * Replaces the modules that declare schemas by plain data with compiled validators, so that no function ships or runs a
 * schema compiler.
 */
const compiledSchemas: Plugin = {
  name: "compiled-schemas",
  setup(bundler) {
    bundler.onLoad({ filter: declarations }, async ({ path }) => {
      // Node imports each URL once. The query makes a watching build import the changed file again.
      const declared: Record<string, Route> = await import(`${pathToFileURL(path).href}?at=${Date.now()}`);
      const folder = basename(dirname(path));
      const validators: Record<string, ReturnType<typeof validatorSources>> = {};
      const lines = Object.entries(declared).flatMap(([name, declaration]) => {
        const sources = validatorSources(declaration, join(kit, "schema/formats.ts"));
        validators[name] = sources;
        const parts = (["parameters", "body"] as const).filter((part) => sources[part]);
        const validator = [
          ...parts.map((part) => `${part}: ${name}_${part}`),
          `hints: ${JSON.stringify(contractHints(declaration))}`,
        ];
        // A message has none of these; undefined fields are omitted.
        const kept = Object.fromEntries(keptParts.map((part) => [part, declaration[part]]));
        return [
          ...parts.map((part) => `import ${name}_${part} from "validator:${folder}/${name}/${part}";`),
          `export const ${name} = { ...${JSON.stringify(kept)}, validate: { ${validator.join(", ")} } };`,
        ];
      });
      return { contents: lines.join("\n"), loader: "js", resolveDir: dirname(path), pluginData: validators };
    });
    bundler.onResolve({ filter: /^validator:/ }, ({ path, pluginData }) => ({
      path: path.slice("validator:".length),
      namespace: "validator",
      pluginData,
    }));
    bundler.onLoad({ filter: /.*/, namespace: "validator" }, ({ path, pluginData }) => {
      const [, name, part] = path.split("/") as [string, string, "parameters" | "body"];
      return { contents: pluginData[name][part], resolveDir: kit, loader: "js" };
    });
  },
};

/**
 * Lambda puts the credentials of a function into its environment. The SDK's default chain also supports files, SSO,
 * instance metadata and more. Without these the bundle is a fifth smaller.
 */
const environmentCredentials: Plugin = {
  name: "environment-credentials",
  setup(bundler) {
    bundler.onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, () => ({
      path: "environment",
      namespace: "credentials",
    }));
    bundler.onLoad({ filter: /.*/, namespace: "credentials" }, () => ({
      contents: `export { fromEnv as defaultProvider } from "@aws-sdk/credential-provider-env";`,
      resolveDir: root,
    }));
  },
};

/** How functions are bundled. */
export const bundleOptions = (name: FunctionName): BuildOptions => ({
  absWorkingDir: root,
  entryPoints: { index: functionEntries[name] },
  outExtension: { ".js": ".mjs" },
  bundle: true,
  format: "esm",
  platform: "node",
  target: "es2023",
  minify: true,
  sourcemap: true,
  sourcesContent: false,
  // Modules that the SDK loads on demand (credential providers) stay in separate chunks, which Node does not parse at
  // start.
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  mainFields: ["module", "main"],
  conditions: ["module"],
  legalComments: "none",
  // Errors are thrown, and `buildAll` prints warnings.
  logLevel: "silent",
  // Some dependencies are CommonJS and call `require`, which an ES module does not have.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  plugins: [compiledSchemas, environmentCredentials],
});

/** The sources of a bundle, including those of its declarations, which are run at build time instead of bundled. */
async function inputsOf({ inputs }: Metafile): Promise<string[]> {
  const own = Object.keys(inputs).filter((path) => path.startsWith("lambda/"));
  const declared = await Promise.all(own.filter((path) => declarations.test(`/${path}`)).map(sourcesOf));
  return [...new Set([...own, ...declared.flat()])];
}

/** Bundles one function. */
async function buildFunction(name: FunctionName): Promise<BundleSize & { readonly inputs: readonly string[] }> {
  const finished = join(root, "dist/functions", name);
  // Builds into a temporary folder: a failed build keeps the earlier bundle, and no reader finds a partial one.
  const outdir = `${finished}.${process.pid}`;
  const { metafile, warnings } = await build({ ...bundleOptions(name), outdir, metafile: true });
  for (const text of await formatMessages(warnings, { kind: "warning" })) console.warn(text.trimEnd());
  await rm(finished, { recursive: true, force: true });
  await rename(outdir, finished);
  const size = bundleSize(metafile, functionEntries[name]);
  await writeBundleSize(name, size);
  return { ...size, inputs: await inputsOf(metafile) };
}

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(0).padStart(4);

/** Bundles every function and page, or the named functions, whose entry exists, and records their sources. */
export const buildAll = (names: readonly string[] = []): Promise<void> =>
  noted(names.length === 0, () => buildFunctions(names));

async function buildFunctions(names: readonly string[]): Promise<void> {
  const all = Object.keys(functionEntries) as FunctionName[];
  const inputs: Record<string, readonly string[]> = {};
  for (const name of names.length === 0 ? all : all.filter((one) => names.includes(one))) {
    if (!existsSync(join(root, functionEntries[name]))) continue;
    const { atStart, total, inputs: own } = await buildFunction(name);
    inputs[name] = own;
    console.log(`${name.padEnd(16)} ${kilobytes(atStart)} kB at start, ${kilobytes(total)} kB in all`);
  }
  await writeInputs(inputs, names.length === 0 ? await buildPages() : undefined);
}

/** Builds the named functions. Errors are printed without a stack trace, with exit code 1. */
async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !Object.hasOwn(functionEntries, name));
  if (unknown.length > 0) {
    console.error(`There is no function ${unknown.join(", ")}; there are ${Object.keys(functionEntries).join(", ")}.`);
    process.exitCode = 1;
    return;
  }
  try {
    await buildAll(names);
  } catch (problem) {
    console.error(buildProblem(problem, root) ?? problem);
    process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
