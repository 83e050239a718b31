/** `npm run dev`: a function whose source changed is bundled again and started anew. */
import { createHash } from "node:crypto";
import { watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LocalFunctions } from "./functions.ts";
import { shortName } from "./functions.ts";
import { buildFunctions } from "./synthesis.ts";

const sources = fileURLToPath(new URL("../../lambda", import.meta.url));

/** Milliseconds without a change before building: editors write a file in several steps. */
const quietTime = 100;

/** Watches until the returned function is called. `say` gets a sentence for each thing that a developer should know. */
export function watchSources(functions: LocalFunctions, say: (sentence: string) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let building: Promise<void> = Promise.resolve();
  let hashes = bundleHashes(functions);

  const rebuild = async (): Promise<void> => {
    const before = await hashes;
    try {
      await buildFunctions();
    } catch (problem) {
      say((problem as Error).message);
      return;
    }
    hashes = bundleHashes(functions);
    const changed = [...(await hashes)].filter(([id, hash]) => hash !== before.get(id)).map(([id]) => id);
    for (const id of changed) functions.restart(id);
    if (changed.length > 0) say(`restarted ${changed.map(shortName).join(", ")}`);
  };

  const watcher = watch(sources, { recursive: true }, (_, file) => {
    if (file === null || !/\.(ts|json)$/.test(file)) return;
    if (basename(file) === "routes.ts") say(`${file} changed: restart to pick up route changes`);
    clearTimeout(timer);
    timer = setTimeout(() => {
      building = building.then(rebuild);
    }, quietTime);
  });
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}

/** Hash of each function's bundle. Its chunks are named by their content, so the entry changes with them. */
async function bundleHashes(functions: LocalFunctions): Promise<ReadonlyMap<string, string>> {
  const hashed = functions.ids.map(async (id) => {
    const bundle = await readFile(join(functions.folderOf(id), "index.mjs")).catch(() => "");
    return [id, createHash("sha256").update(bundle).digest("hex")] as const;
  });
  return new Map(await Promise.all(hashed));
}
