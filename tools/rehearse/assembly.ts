/** The cloud assembly: the folder of a synthesis, whose template a rehearsal changes. */
import { createHash } from "node:crypto";
import { appendFile, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface Resource {
  readonly Type: string;
  readonly DependsOn?: string | readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: the properties of any resource
  readonly Properties?: Readonly<Record<string, any>>;
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The files of an assembly that name the asset of a template or a function by its hash. */
const namingIn = (folder: string, stack: string): string[] =>
  ["manifest.json", `${stack}.assets.json`, `${stack}.template.json`].map((name) => join(folder, name));

/** Replaces a hash wherever it stands. */
async function replaceHash(files: readonly string[], old: string, hash: string): Promise<void> {
  for (const file of files) await writeFile(file, (await readFile(file, "utf8")).replaceAll(old, hash));
}

export const templateIn = async (folder: string, stack: string): Promise<Template> =>
  JSON.parse(await readFile(join(folder, `${stack}.template.json`), "utf8"));

/** Writes a stack's template, under a new hash: the CDK uploads no template whose hash the bucket has. */
export async function writeTemplate(folder: string, stack: string, template: Template): Promise<void> {
  const [manifest = "", assets = "", file = ""] = namingIn(folder, stack);
  const { files } = JSON.parse(await readFile(assets, "utf8")) as {
    files: Record<string, { source: { path: string } }>;
  };
  const [old] = Object.entries(files).find(([, { source }]) => source.path === `${stack}.template.json`) ?? [];
  if (old === undefined) throw new Error(`${assets} has no template of ${stack}.`);
  const text = JSON.stringify(template, undefined, 1);
  await writeFile(file, text);
  await replaceHash([manifest, assets], old, hashOf(text));
}

/** Changes the code of one function, as an edit of its source does: another hash, which the template names too. */
export async function changeCode(folder: string, stack: string, old: string): Promise<void> {
  const hash = hashOf(`${old}, changed`);
  const asset = join(folder, `asset.${hash}`);
  await rename(join(folder, `asset.${old}`), asset);
  await appendFile(join(asset, "index.mjs"), "\n// changed\n");
  await replaceHash(namingIn(folder, stack), old, hash);
}
