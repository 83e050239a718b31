/** Where the commands of a rehearsal run, and what they know of this machine. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Child, runNode } from "./child.ts";
import type { Emulator } from "./emulator.ts";
import type { Print } from "./report.ts";

const root = join(import.meta.dirname, "../..");

/** The commands, with the emulator for AWS. */
export interface Commands {
  /** The CDK's. It runs outside of the project, so that no setting in `cdk.json` chooses another app. */
  cdk(...args: readonly string[]): Promise<string>;
  /** The smoke run's. @param print prints each line at once */
  smoke(args: readonly string[], print: Print): Promise<string>;
  /** The operators'. @param passphrase the file with that of a copy */
  ops(args: readonly string[], passphrase: string): Promise<string>;
}

/** The environment of the commands: no profile, region or key of the caller may lead to AWS. */
export const environmentFor = ({ endpoint, variables }: Emulator, folder: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("AWS_"))),
  ...variables,
  AWS_CONFIG_FILE: join(folder, "no-config"),
  AWS_SHARED_CREDENTIALS_FILE: join(folder, "no-credentials"),
  AWS_EC2_METADATA_DISABLED: "true",
  // The CDK keeps the account of a key there, and the keys of all emulators are the same.
  CDK_HOME: folder,
  CDK_DISABLE_CLI_TELEMETRY: "true",
  // No questions, colors and warnings of packages.
  CI: "true",
  NODE_NO_WARNINGS: "1",
  NO_COLOR: "1",
  NO_PROXY: new URL(endpoint).hostname,
});

export function commandsFor(emulator: Emulator, folder: string, stop: AbortSignal): Commands {
  const child: Child = { folder, environment: environmentFor(emulator, folder), stop };
  const bin = join(root, "bin/start.mjs");
  return {
    cdk: (...args) => runNode([join(root, "node_modules/aws-cdk/bin/cdk"), ...args], child),
    smoke: (args, print) => runNode([bin, "smoke", ...args], { ...child, folder: root, print }),
    ops: (args, COPY_PASSPHRASE_FILE) => {
      // Emulators have no host names for buckets.
      const more = { COPY_PASSPHRASE_FILE, AWS_ENDPOINT_URL_S3: emulator.endpoint };
      return runNode([bin, "ops", ...args], { ...child, folder: root, environment: { ...child.environment, ...more } });
    },
  };
}

/**
 * Leads the API's address to the emulator, which has one port and no names: emulators serve an API below this path.
 * @param file the outputs of a deploy
 */
export async function leadToEmulator(file: string, { endpoint }: Emulator): Promise<void> {
  const text = await readFile(file, "utf8");
  await writeFile(
    file,
    text.replace(
      /https?:\/\/(\w+)\.execute-api\.[^"/]+/,
      (_url, id: string) => `${endpoint}/_aws/execute-api/${id}/$default`,
    ),
  );
}
