/** Tests that run the bundles of the functions begin only when no source of a bundle is newer than the bundle. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("..", import.meta.url));

const changedAt = async (file) => (await stat(file).catch(() => ({ mtimeMs: Infinity }))).mtimeMs;

/**
 * The first source that changed after the bundle that it is in, by the list of the last build. The build itself counts as
 * a source. @returns undefined when none did
 */
export async function sourceNewerThanBundle(root = project) {
  const list = await readFile(join(root, "dist/inputs.json"), "utf8").catch(() => undefined);
  if (list === undefined) return "every source";
  const { build, functions, pages = {} } = JSON.parse(list);
  const ofFunctions = Object.entries(functions).map(([name, sources]) => [`functions/${name}/index.mjs`, sources]);
  for (const [bundle, sources] of [...ofFunctions, ...Object.entries(pages)]) {
    const bundled = await changedAt(join(root, "dist", bundle));
    for (const source of new Set([...build, ...sources])) {
      if ((await changedAt(join(root, source))) > bundled) return source;
    }
  }
  return undefined;
}

/** Ends the run with one sentence and no stack. */
function refuse(sentence) {
  const problem = new Error(sentence);
  problem.stack = problem.message;
  throw problem;
}

/** Runs once for each run of jest. */
export default async function demandBuild() {
  const newer = await sourceNewerThanBundle();
  if (newer) refuse(`dist/ is older than its sources: run npm run build (${newer} is newer)`);
}
