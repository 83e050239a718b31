/** cfn-lint and checkov read the templates of all stages, and those of `npm run once -- delivery`. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
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

const nameOf = (file: string): string => file.replace(/^.*\/|\.template\.json$/g, "");

interface LintMatch {
  readonly Filename: string;
  readonly Message: string;
  readonly Rule: { readonly Id: string };
  readonly Location: { readonly Path?: readonly (string | number)[] | null };
}

const findingOf = ({ Filename, Message, Rule, Location }: LintMatch): Finding => ({
  judge: "cfn-lint",
  rule: Rule.Id,
  where: [nameOf(Filename), ...(Location.Path ?? [])].join("/"),
  says: Message,
});

/** @throws Error when it could not read the templates */
async function linted(templates: string): Promise<Finding[]> {
  const bin = await pythonTool("cfn-lint");
  const report = join(templates, "cfn-lint.findings");
  const args = ["--format", "json", "--output-file", report, "--non-zero-exit-code", "none", "-t"];
  await run(join(bin, "cfn-lint"), [...args, join(templates, "*.template.json")], { maxBuffer: 100_000_000 });
  const found = (await readFile(report, "utf8")) || "[]";
  return (JSON.parse(found) as LintMatch[]).map(findingOf);
}

/** What checkov reports, as far as it is used. https://www.checkov.io/2.Basics/Reviewing%20Scan%20Results.html */
interface Report {
  readonly results: {
    readonly failed_checks: readonly {
      readonly check_id: string;
      readonly check_name: string;
      readonly file_path: string;
      /** `AWS::S3::Bucket.Images1` */
      readonly resource: string;
    }[];
  };
  readonly summary: { readonly parsing_errors: number };
}

/** @throws Error when it could not read the templates */
export function findingsOf({ results, summary }: Partial<Report>): Finding[] {
  if (!results || summary?.parsing_errors !== 0) throw new Error("checkov did not read the templates");
  return results.failed_checks.map(({ check_id, check_name, file_path, resource }) => ({
    judge: "checkov",
    rule: check_id,
    where: `${nameOf(file_path)}/Resources/${resource.replace(/.*\./, "")}`,
    says: `${resource.replace(/\..*/, "")}: ${check_name}`,
  }));
}

async function scanned(templates: string): Promise<Finding[]> {
  const bin = await pythonTool("checkov");
  const folder = join(templates, "checkov");
  // It exits with 0 when it has read all, and asks no server for its guides.
  const how = ["--framework", "cloudformation", "--skip-download", "--soft-fail", "--quiet", "--compact"];
  const args = ["-d", templates, ...how, "--output", "json", "--output-file-path", folder];
  await run(join(bin, "checkov"), args, { maxBuffer: 100_000_000 });
  return findingsOf(JSON.parse(await readFile(join(folder, "results_json.json"), "utf8")));
}

/** The judges, each of the folder of all templates. @throws NoPythonTool */
export const templateJudges = { "cfn-lint": linted, checkov: scanned } as const;

/** Shows the templates to a judge. The functions must have been built. */
export async function withTemplates<T>(use: (folder: string, count: number) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "judges-"));
  try {
    // Each cleans its folder of what it does not know.
    const outs = (["app", "delivery"] as const).map((name) => [name, join(folder, name)] as const);
    await Promise.all(outs.map(([name, out]) => synthesize(name, out)));
    const all = join(folder, "templates");
    await mkdir(all);
    const files = await readdir(folder, { recursive: true });
    const templates = files.filter((file) => file.endsWith(".template.json"));
    for (const file of templates) await rename(join(folder, file), join(all, basename(file)));
    return await use(all, templates.length);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
