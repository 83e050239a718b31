/** `npm run dev`: when a source changes, the functions are bundled again, and every changed function is restarted. */
import { createHash } from "node:crypto";
import { type FSWatcher, watch } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type LocalFunctions, shortName } from "./functions/index.ts";
import { buildFunctions } from "./template/synthesis.ts";

const sources = fileURLToPath(new URL("../../lambda", import.meta.url));

/** Milliseconds without a change before building: editors write a file in several steps. */
const quietTime = 100;

/** Watches until the returned function is called. `say` gets a sentence for each message to the developer. */
export async function watchSources(functions: LocalFunctions, say: (sentence: string) => void): Promise<() => void> {
  let hashes = await bundleHashes(functions);
  let building: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const changed = new Set<string>();

  const rebuild = async (): Promise<void> => {
    const files = [...changed];
    changed.clear();
    if (files.includes("routes.ts")) say("routes.ts changed: restart to pick up route changes");
    await watchFolders();
    try {
      await buildFunctions();
    } catch (problem) {
      say((problem as Error).message);
      return;
    }
    const before = hashes;
    hashes = await bundleHashes(functions);
    const restarted = functions.ids.filter((id) => hashes.get(id) !== before.get(id));
    for (const id of restarted) functions.restart(id);
    if (restarted.length > 0) say(`restarted ${restarted.map(shortName).join(", ")}`);
  };

  // Folder by folder: a recursive watch loses a file on Linux once an editor has replaced it.
  // https://github.com/nodejs/node/pull/52879
  const watchers = new Map<string, FSWatcher>();
  const watchFolders = async (): Promise<void> => {
    for (const folder of await foldersBelow(sources)) {
      if (watchers.has(folder)) continue;
      const watcher = watch(folder, (_, file) => {
        changed.add(file ?? "");
        clearTimeout(timer);
        timer = setTimeout(() => {
          building = building.then(rebuild);
        }, quietTime);
      });
      // The folder was removed.
      watcher.on("error", () => watchers.delete(folder));
      watchers.set(folder, watcher);
    }
  };
  await watchFolders();
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
  };
}

async function foldersBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return [folder, ...entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.path, entry.name))];
}

/** Hash of each function's bundle. Its chunks are named by their content, so the entry changes with them. */
async function bundleHashes(functions: LocalFunctions): Promise<ReadonlyMap<string, string>> {
  const hashed = functions.ids.map(async (id) => {
    const bundle = await readFile(join(functions.folderOf(id), "index.mjs")).catch(() => "");
    return [id, createHash("sha256").update(bundle).digest("hex")] as const;
  });
  return new Map(await Promise.all(hashed));
}
