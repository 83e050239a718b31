/** Reuses bundles and template of an earlier start while their sources are unchanged. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { localVariables } from "../../../lib/stages.ts";
import { builtFrom, sourceHash } from "../../build/source-hash.ts";
import { type SynthesisSettings, synthesizeLocalStage } from "./synthesis.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const cache = join(root, ".cache/local-stage");

/** The hash of the sources; undefined when the bundles are out of date. */
export async function builtSources(): Promise<string | undefined> {
  const [sources, built] = await Promise.all([sourceHash(), builtFrom()]);
  return sources === built ? sources : undefined;
}

/**
 * Folder of the synthesized local stage. There is one for each combination of the sources with the settings and
 * variables that a template depends on. Two processes that begin at the same time both make it, and one result is
 * deleted.
 * @param sources the hash of the sources, if the caller has just read them
 * @throws Error when the functions are not built; BuildFailed when the CDK rejects the sources or a setting
 */
export async function localAssembly(settings: SynthesisSettings = {}, sources?: string): Promise<string> {
  if (!existsSync(join(root, "dist/functions"))) throw new Error('Run "npm run build" first.');
  const variables = localVariables.map((name) => process.env[name]);
  const hash = createHash("sha256").update(JSON.stringify([settings, variables, sources ?? (await sourceHash())]));
  const assembly = join(cache, hash.digest("hex").slice(0, 16));
  if (existsSync(assembly)) {
    await utimes(assembly, new Date(), new Date());
    return assembly;
  }
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, "draft-"));
  try {
    await synthesizeLocalStage(draft, settings);
    await rename(draft, assembly).catch(() => undefined);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await forgetOld();
  return assembly;
}

/** Deletes folders that were not used for a day. */
async function forgetOld(): Promise<void> {
  for (const name of await readdir(cache)) {
    const { mtimeMs } = await stat(join(cache, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (mtimeMs < Date.now() - 86_400_000) await rm(join(cache, name), { recursive: true, force: true });
  }
}
