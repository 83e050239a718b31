/** `npm start -- --watch`: when a source of functions changes, they are bundled again, and all functions load anew. */
import { watch } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { concerned, readInputs } from "../build/bundle-inputs.ts";
import type { LocalFunctions } from "./functions/index.ts";
import { BuildFailed, buildFunctions } from "./template/synthesis.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Milliseconds without a change before building: editors write a file in several steps. */
const quietTime = 100;

/** Watches until the returned function is called. `say` gets each message to the developer. */
export async function watchSources(functions: LocalFunctions, say: (sentence: string) => void): Promise<() => void> {
  let building: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  /** Since the last build that went well. */
  const changed = new Set<string>();

  async function rebuild(): Promise<void> {
    const files = [...changed];
    const inputs = await readInputs();
    const names = inputs ? concerned(inputs, files) : [];
    if (names.length === 0) return say(`no function contains ${files.join(", ")}`);
    say(`rebuilding ${names.join(", ")} …`);
    await buildFunctions(names);
    for (const file of files) changed.delete(file);
    for (const id of functions.ids) functions.restart(id);
    say("ready; a new route, or another key or access, needs a restart");
  }

  function noteChange(file: string): void {
    changed.add(file);
    clearTimeout(timer);
    timer = setTimeout(() => {
      building = building.then(rebuild).catch((problem: Error) => {
        say(
          `${problem instanceof BuildFailed ? problem.message : problem}\nnot built: the stage goes on with its code`,
        );
      });
    }, quietTime);
  }

  // Folder by folder: a recursive watch loses a file on Linux once an editor has replaced it.
  // https://github.com/nodejs/node/pull/52879
  const sources = join(root, "lambda");
  const entries = await readdir(sources, { recursive: true, withFileTypes: true });
  const below = entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  const watchers = [sources, ...below].map((folder) =>
    watch(folder, (_, name) => {
      const file = relative(root, join(folder, name ?? "")).replaceAll(sep, "/");
      // Ignores temporary files of editors.
      if (/\/\w[\w.-]*\.ts$/.test(file)) noteChange(file);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
