/** `npm start -- --watch`: when a source changes, its functions are bundled again, and those that differ restart. */
import { createHash } from "node:crypto";
import { type FSWatcher, watch } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { concerned, readInputs } from "../build/bundle-inputs.ts";
import { type LocalFunctions, shortName } from "./functions/index.ts";
import { BuildFailed, buildFunctions } from "./template/synthesis.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Folders that are watched with all folders in them. */
const sources = ["bin", "lambda", "lib", "tools/build", "tools/laptop"].map((name) => join(root, name));
/** Files of the root that a start reads. */
const settings = ["package.json", "package-lock.json", "tsconfig.json", "cdk.json"];

/** Milliseconds without a change before building: editors write a file in several steps. */
const quietTime = 100;

/** Watches until the returned function is called. `say` gets each message to the developer. */
export async function watchSources(functions: LocalFunctions, say: (sentence: string) => void): Promise<() => void> {
  let hashes = await bundleHashes(functions);
  let building: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const changed = new Set<string>();
  /** Functions whose last build failed. */
  let failed: readonly string[] = [];

  const rebuild = async (): Promise<void> => {
    await watchFolders();
    const files = [...changed].sort();
    changed.clear();
    const inputs = await readInputs();
    if (!inputs) return say("dist/inputs.json is missing: restart the stage");
    for (const file of files) {
      if (settings.includes(file) || inputs.stage.includes(file)) say(restartFor(file));
    }
    const names = [...new Set([...concerned(inputs, files), ...failed])];
    if (names.length === 0) {
      const unused = files.filter((file) => file.startsWith("lambda/") && !inputs.stage.includes(file));
      if (unused.length > 0) say(`unchanged: no function contains ${unused.join(", ")}`);
      return;
    }
    const isAll = names.length === Object.keys(inputs.functions).length;
    say(`rebuilding ${isAll ? "all functions" : names.join(", ")} …`);
    const began = performance.now();
    try {
      await buildFunctions(names);
      failed = [];
    } catch (problem) {
      if (!(problem instanceof BuildFailed)) throw problem;
      failed = names;
      say(`${problem.message}\nnot built: the stage goes on with the code it has`);
      return;
    }
    const before = hashes;
    hashes = await bundleHashes(functions);
    const restarted = functions.ids.filter((id) => hashes.get(id) !== before.get(id));
    for (const id of restarted) functions.restart(id);
    const seconds = `${((performance.now() - began) / 1_000).toFixed(1)} s`;
    if (restarted.length === 0) say(`unchanged, after ${seconds}: the bundles are as before`);
    else say(`ready in ${seconds}: ${restarted.map(shortName).join(", ")}`);
  };

  const noteChange = (file: string): void => {
    changed.add(file);
    clearTimeout(timer);
    timer = setTimeout(() => {
      building = building.then(rebuild).catch((problem: Error) => say(`not built: ${problem.message}`));
    }, quietTime);
  };

  // Folder by folder: a recursive watch loses a file on Linux once an editor has replaced it.
  // https://github.com/nodejs/node/pull/52879
  const watchers = new Map<string, FSWatcher>();
  const watchFolders = async (): Promise<void> => {
    const folders = (await Promise.all(sources.map(foldersBelow))).flat();
    for (const folder of [root, ...folders]) {
      if (watchers.has(folder)) continue;
      const watcher = watch(folder, (_, name) => {
        const file = relative(root, join(folder, name ?? ""))
          .split(sep)
          .join("/");
        // Ignores temporary files of editors.
        if (folder === root ? settings.includes(file) : /(?:^|\/)\w[\w.-]*\.(?:ts|mjs|json)$/.test(file))
          noteChange(file);
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

/** Functions restart when their code changes. The stack, the laptop and the build are read at startup only. */
function restartFor(file: string): string {
  const what = file.endsWith("/routes.ts")
    ? ": a new route, or another key or access, needs a restart"
    : ": restart to use it";
  return `${file} changed${what} (Ctrl-C, npm start -- --watch)`;
}

async function foldersBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const below = entries.filter((entry) => entry.isDirectory()).map((entry) => foldersBelow(join(folder, entry.name)));
  return [folder, ...(await Promise.all(below)).flat()];
}

/** Hash of each function's bundle. Its chunks are named by their content, so the entry changes with them. */
async function bundleHashes(functions: LocalFunctions): Promise<ReadonlyMap<string, string>> {
  const hashed = functions.ids.map(async (id) => {
    const bundle = await readFile(join(functions.folderOf(id), "index.mjs")).catch(() => "");
    return [id, createHash("sha256").update(bundle).digest("hex")] as const;
  });
  return new Map(await Promise.all(hashed));
}
