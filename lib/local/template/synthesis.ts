/**
 * Bundles and template of the local stage. Both are made by processes of their own: the CDK and the bundler need more
 * memory than everything that the stage runs.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

export interface SynthesisSettings {
  /** Whoever has a verified email in this domain is an admin. */
  readonly adminEmailDomain?: string;
  readonly allowedOrigins?: readonly string[];
}

/** The CDK or the bundler failed; `message` is what it said. */
export class BuildFailed extends Error {}

/** Bundles every function into `dist/functions`. @throws BuildFailed */
export const buildFunctions = (): Promise<void> => run("bin/build.ts", {});

/** Synthesizes the local stage into a folder. The functions must have been built. @throws BuildFailed */
export function synthesizeLocalStage(assembly: string, settings: SynthesisSettings = {}): Promise<void> {
  const { adminEmailDomain, allowedOrigins } = settings;
  return run("bin/app.ts", {
    STAGE: "local",
    CDK_OUTDIR: assembly,
    // The stage runs the folders in dist/, where a rebuilt function is found at once, and no copies of them.
    CDK_CONTEXT_JSON: JSON.stringify({ "aws:cdk:disable-asset-staging": true }),
    // Checking the template against all of CloudFormation's rules takes longer than making it; `cdk synth` does it.
    CDK_VALIDATION: "false",
    ...(adminEmailDomain !== undefined && { ADMIN_EMAIL_DOMAIN: adminEmailDomain }),
    ...(allowedOrigins !== undefined && { ALLOWED_ORIGINS: allowedOrigins.join(",") }),
  });
}

function run(script: string, variables: Record<string, string>): Promise<void> {
  const { NODE_OPTIONS: _ours, ...environment } = process.env;
  const child = spawn(process.execPath, ["--import", "tsx", script], {
    cwd: root,
    env: { ...environment, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new BuildFailed(`${script} failed:\n${withoutStack(said)}`));
    });
  });
}

/** What a person can do something about: where in the bundler it happened is not part of it. */
const withoutStack = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !/^\s+at /.test(line))
    .join("\n")
    .trim();
