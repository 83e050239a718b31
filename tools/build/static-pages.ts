/** Bundles the pages of `client/door`, `client/pages` and `client/desk` to static files. */
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import type { PageAssets } from "../../lib/page-assets.ts";
import { schemasOf } from "./desk-schemas.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const settings = "client/door/settings.json";
const reference = "docs/openapi.json";

/** The decoder's WebAssembly, in the version that the decoder is made for. */
function wasmFile(): string {
  const { resolve } = createRequire(import.meta.url);
  return createRequire(resolve("barcode-detector/ponyfill")).resolve("zxing-wasm/reader/zxing_reader.wasm");
}

const options: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "eof",
  logLevel: "silent",
};

/** Bundles files into a folder. @returns their own sources, from the project's root */
async function bundle(outdir: string, entryPoints: readonly string[], define: Record<string, string> = {}) {
  const { metafile } = await build({ ...options, entryPoints: [...entryPoints], define, outdir, metafile: true });
  return Object.keys(metafile.inputs).filter((path) => path.startsWith("client/"));
}

/** Writes `dist/door` from `client/door`. A failed build keeps the earlier files. @returns the sources, from the project's root */
async function buildDoor(): Promise<string[]> {
  const finished = join(root, "dist/door");
  const outdir = `${finished}.${process.pid}`;
  const copied = { "index.html": "client/door/index.html", "settings.json": settings };
  await mkdir(outdir, { recursive: true });
  const bundled = await bundle(outdir, ["client/door/page.ts", "client/door/door.css"]);
  for (const [file, from] of Object.entries(copied)) await copyFile(join(root, from), join(outdir, file));
  const worker = await addOffline(outdir);
  await rm(finished, { recursive: true, force: true });
  await rename(outdir, finished);
  return [...new Set([...bundled, ...Object.values(copied), ...worker])];
}

/**
 * Adds the decoder and the service worker, which gets the names of all files and a hash of their contents, so that phones
 * notice a new version.
 */
async function addOffline(outdir: string): Promise<string[]> {
  await copyFile(wasmFile(), join(outdir, "zxing_reader.wasm"));
  const files = ["page.js", "door.css", "zxing_reader.wasm", "index.html", "settings.json"];
  const hash = createHash("sha256");
  for (const file of files) hash.update(await readFile(join(outdir, file)));
  const version = JSON.stringify(hash.digest("hex").slice(0, 16));
  return bundle(outdir, ["client/door/service-worker.ts"], { FILES: JSON.stringify(files), VERSION: version });
}

/** The schemas from which the desk makes forms, as a module. */
const deskSchemas: Plugin = {
  name: "schemas",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^desk:schemas$/ }, ({ path }) => ({ path, namespace: "schemas" }));
    onLoad({ filter: /.*/, namespace: "schemas" }, async () => ({
      contents: `export const schemas = ${JSON.stringify(schemasOf(JSON.parse(await readFile(join(root, reference), "utf8"))))}`,
    }));
  },
};

/** What an application is made of: its script and its stylesheet. */
interface Application {
  readonly script: string;
  readonly style: string;
}

/**
 * Bundles an application into `assets/`, with a hash of its contents in each name. Applications share no files, so that the
 * first page of one is not cut up by what another uses.
 */
async function addAssets(outdir: string, { script, style }: Application) {
  const { metafile } = await build({
    ...options,
    entryPoints: [script, style],
    plugins: [deskSchemas],
    // JSX, without the settings of the code for Node.
    tsconfig: join(root, "client/pages/tsconfig.json"),
    splitting: true,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    outdir: join(outdir, "assets"),
    metafile: true,
  });
  const nameOf = (entry: string): string =>
    basename(Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry)?.[0] ?? "");
  const first = nameOf(script);
  const imports = loadedWith([script], metafile.outputs).filter((name) => name !== first);
  const assets: PageAssets = { script: first, imports, style: nameOf(style) };
  return { assets, metafile };
}

/**
 * Writes `dist/pages` from `client/pages` and `client/desk`: their assets, and `manifest.json` with the `PageAssets` of both. A
 * failed build keeps the earlier files. @returns the sources, from the project's root
 */
async function buildApplications(): Promise<string[]> {
  const finished = join(root, "dist/pages");
  const outdir = `${finished}.${process.pid}`;
  const pages = await addAssets(outdir, { script: "client/pages/main.tsx", style: "client/shared/pages.css" });
  const desk = await addAssets(outdir, { script: "client/desk/desk.tsx", style: "client/desk/desk.css" });
  const worker = await addWorker(outdir, pages.metafile.outputs, pages.assets.style);
  await writeFile(join(outdir, "manifest.json"), JSON.stringify({ pages: pages.assets, desk: desk.assets }));
  await rm(finished, { recursive: true, force: true });
  await rename(outdir, finished);
  const inputs = [pages, desk].flatMap(({ metafile }) => Object.keys(metafile.inputs));
  return [...new Set([...inputs.filter((path) => path.startsWith("client/")), reference, ...worker])];
}

/** What is needed without a network: a place with its ticket. Of the rest a device keeps what it has used. */
const offline = ["main", "places-page", "ticket"].map((name) => `client/pages/${name}.tsx`);

/** The names of the files of these sources, and of all that they import before they run. */
function loadedWith(sources: readonly string[], outputs: Metafile["outputs"]): string[] {
  const scripts = new Set(Object.keys(outputs).filter((path) => sources.includes(outputs[path]?.entryPoint ?? "")));
  // A set that grows while it is read.
  for (const path of scripts) {
    for (const { path: used, kind } of outputs[path]?.imports ?? []) if (kind === "import-statement") scripts.add(used);
  }
  return [...scripts].map((path) => basename(path));
}

/** Adds the service worker, which gets the names of these assets; they have hashes. @returns its sources */
async function addWorker(outdir: string, outputs: Metafile["outputs"], style: string): Promise<string[]> {
  const files = [style, ...loadedWith(offline, outputs)].map((name) => `/assets/${name}`).sort();
  const version = JSON.stringify(createHash("sha256").update(files.join()).digest("hex").slice(0, 16));
  return bundle(outdir, ["client/pages/service-worker.ts"], { FILES: JSON.stringify(files), VERSION: version });
}

/** Writes all pages. @returns the sources of each, by the file of `dist` that was written last */
export const buildPages = async (): Promise<Record<string, string[]>> => ({
  "door/service-worker.js": await buildDoor(),
  "pages/manifest.json": await buildApplications(),
});
