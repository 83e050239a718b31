/**
 * Makes the bundles and the template of the local stage. Both are made by child processes: the CDK and the bundler need
 * more memory than all that the stage runs.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

export interface SynthesisSettings {
  /** A person with a verified email in this domain is an admin. */
  readonly adminEmailDomain?: string;
  readonly allowedOrigins?: readonly string[];
  /** Whether events and profiles are shown without a token. */
  readonly publicEvents?: boolean;
  readonly publicProfiles?: boolean;
  /** What the mail after a sign-up contains. */
  readonly verification?: "code" | "link";
  readonly refunds?: "automatic" | "by hand";
  /** Emails of the admins whose lists have diets and phone numbers. */
  readonly seeDietAndPhone?: readonly string[];
}

/** The CDK or the bundler failed; `message` is its output. */
export class BuildFailed extends Error {}

/** Bundles the functions with these names, or every function, into `dist/functions`. @throws BuildFailed */
export const buildFunctions = (names: readonly string[] = []): Promise<void> => run(["build", ...names], {});

/** Synthesizes the local stage into a folder. The functions must have been built. @throws BuildFailed */
export function synthesizeLocalStage(assembly: string, settings: SynthesisSettings = {}): Promise<void> {
  const { adminEmailDomain, allowedOrigins, publicEvents, publicProfiles, verification, refunds, seeDietAndPhone } =
    settings;
  return run(["app"], {
    STAGE: "local",
    CDK_OUTDIR: assembly,
    // The stage runs the folders in dist/ and not copies, so that it finds a rebuilt function at once.
    CDK_CONTEXT_JSON: JSON.stringify({ "aws:cdk:disable-asset-staging": true }),
    // Checking the template against all rules of CloudFormation takes longer than making it; `cdk synth` does it.
    CDK_VALIDATION: "false",
    ...(adminEmailDomain !== undefined && { ADMIN_EMAIL_DOMAIN: adminEmailDomain }),
    ...(allowedOrigins !== undefined && { ALLOWED_ORIGINS: allowedOrigins.join(",") }),
    ...(publicEvents !== undefined && { PUBLIC_EVENTS: String(publicEvents) }),
    ...(publicProfiles !== undefined && { PUBLIC_PROFILES: String(publicProfiles) }),
    ...(verification !== undefined && { VERIFICATION: verification }),
    ...(refunds !== undefined && { REFUNDS: refunds }),
    ...(seeDietAndPhone !== undefined && { SEE_DIET_AND_PHONE: seeDietAndPhone.join(",") }),
  });
}

/** Runs a command of `bin/`. The child ends with this process, also when a signal stops it. */
function run(command: readonly string[], variables: Record<string, string>): Promise<void> {
  const { NODE_OPTIONS: _ours, ...environment } = process.env;
  const child = spawn(process.execPath, ["bin/start.mjs", ...command], {
    cwd: root,
    env: { ...environment, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const end = () => child.kill();
  process.once("exit", end);
  let said = "";
  child.stdout.resume();
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      process.off("exit", end);
      if (code === 0) resolve();
      else reject(new BuildFailed(withoutStack(said) || `bin/${command[0]}.ts ended with ${code ?? signal}.`));
    });
  });
}

/** The output without stack lines: the place inside the bundler does not help the developer. */
const withoutStack = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !/^\s+at |^Node\.js v/.test(line))
    .join("\n")
    .trim();
