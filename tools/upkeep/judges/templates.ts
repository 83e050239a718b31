/** cfn-lint reads the templates of all stages, and those of `npm run once -- delivery`. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { pythonTool } from "../../kit/python/environment.ts";
import type { Finding } from "./finding.ts";

export { NoPythonTool, withoutTool } from "../../kit/python/environment.ts";

const run = promisify(execFile);

/** Synthesizes an application of `bin/` into a folder. The functions must have been built. */
async function synthesize(command: "app" | "delivery", folder: string): Promise<void> {
  const { NODE_OPTIONS: _ours, ...environment } = process.env;
  await run(process.execPath, ["bin/start.mjs", command], {
    env: {
      ...environment,
      ...(command === "app" && { STAGE: "production,staging,local" }),
      CDK_OUTDIR: folder,
      CDK_CONTEXT_JSON: JSON.stringify({ "aws:cdk:disable-asset-staging": true, placeholders: "ok" }),
      // The CDK's own rules are checked by `cdk synth`.
      CDK_VALIDATION: "false",
    },
  });
}

interface LintMatch {
  readonly Filename: string;
  readonly Message: string;
  readonly Rule: { readonly Id: string };
  readonly Location: { readonly Path?: readonly (string | number)[] | null };
}

const findingOf = ({ Filename, Message, Rule, Location }: LintMatch): Finding => ({
  judge: "cfn-lint",
  rule: Rule.Id,
  where: [Filename.replace(/^.*\/|\.template\.json$/g, ""), ...(Location.Path ?? [])].join("/"),
  says: Message,
});

/** Runs cfn-lint. @returns its findings @throws Error when it could not read the templates */
async function linted(folder: string, templates: readonly string[]): Promise<Finding[]> {
  const report = join(folder, "findings.json");
  const bin = await pythonTool("cfn-lint");
  const args = ["--format", "json", "--output-file", report, "--non-zero-exit-code", "none", "-t", ...templates];
  await run(join(bin, "cfn-lint"), args, { maxBuffer: 100_000_000 });
  const found = (await readFile(report, "utf8")) || "[]";
  return (JSON.parse(found) as LintMatch[]).map(findingOf);
}

/**
 * The findings in all templates. The functions must have been built.
 * @throws NoPythonTool
 */
export async function judgeTemplates(): Promise<{ readonly findings: Finding[]; readonly templates: number }> {
  // Before the synthesis, which is in vain without it.
  await pythonTool("cfn-lint");
  const folder = await mkdtemp(join(tmpdir(), "judges-"));
  try {
    await Promise.all((["app", "delivery"] as const).map((name) => synthesize(name, join(folder, name))));
    const files = await readdir(folder, { recursive: true });
    const templates = files.filter((file) => file.endsWith(".template.json")).map((file) => join(folder, file));
    return { findings: await linted(folder, templates), templates: templates.length };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
