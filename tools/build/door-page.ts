/** Bundles the check-in page of `client/door` to static files. */
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
const source = "client/door";
const copied = ["index.html", "settings.json"];

/** The decoder's WebAssembly, in the version that the decoder is made for. */
function wasmFile(): string {
  const { resolve } = createRequire(import.meta.url);
  return createRequire(resolve("barcode-detector/ponyfill")).resolve("zxing-wasm/reader/zxing_reader.wasm");
}

/**
 * Writes `dist/door`. The service worker gets the names of all files and a hash of their contents, so that phones
 * notice a new version. @returns the sources, from the project's root
 */
export async function buildDoorPage(): Promise<string[]> {
  const finished = join(root, "dist/door");
  const outdir = `${finished}.${process.pid}`;
  const options: BuildOptions = {
    absWorkingDir: root,
    bundle: true,
    format: "esm",
    target: "es2022",
    minify: true,
    legalComments: "eof",
    logLevel: "silent",
    metafile: true,
    outdir,
  };
  await mkdir(outdir, { recursive: true });
  const page = await build({ ...options, entryPoints: [`${source}/page.ts`, `${source}/door.css`] });
  for (const file of copied) await copyFile(join(root, source, file), join(outdir, file));
  await copyFile(wasmFile(), join(outdir, "zxing_reader.wasm"));

  const files = ["page.js", "door.css", "zxing_reader.wasm", ...copied];
  const hash = createHash("sha256");
  for (const file of files) hash.update(await readFile(join(outdir, file)));
  const define = { FILES: JSON.stringify(files), VERSION: JSON.stringify(hash.digest("hex").slice(0, 16)) };
  const worker = await build({ ...options, entryPoints: [`${source}/service-worker.ts`], define });

  await rm(finished, { recursive: true, force: true });
  await rename(outdir, finished);
  const inputs = [...Object.keys(page.metafile?.inputs ?? {}), ...Object.keys(worker.metafile?.inputs ?? {})];
  return [...inputs.filter((path) => path.startsWith(source)), ...copied.map((file) => `${source}/${file}`)];
}
