/** `npm run rehearse`: deploys the stages to an emulator of AWS, tests them there, changes them, and deletes them. */
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hasPython } from "../python/environment.ts";
import { accountIn } from "./account.ts";
import { startChat } from "./chat.ts";
import { type Emulator, runningEmulator } from "./emulator.ts";
import { startMiniStack } from "./ministack.ts";
import { commandsFor } from "./place.ts";
import { type Print, reportTo } from "./report.ts";
import { outputsFile, type Rehearsal, type RehearsedStage, rehearseStage } from "./stage.ts";

/** 0: success, or no Python. 1: a step failed. 2: usage error. */
export type ExitCode = 0 | 1 | 2;

export const options = {
  stage: { type: "string" },
  // Deletes nothing and leaves the emulator running, until Ctrl-C.
  keep: { type: "boolean", default: false },
} as const;

const usage = "Usage: npm run rehearse -- [--stage <name>] [--keep]";

class UsageError extends Error {}

/** @throws UsageError */
function asked(args: readonly string[], stages: readonly RehearsedStage[], endpoint: string | undefined) {
  let values: { readonly stage?: string | undefined; readonly keep: boolean };
  try {
    ({ values } = parseArgs({ args: [...args], options }));
  } catch (error) {
    throw new UsageError(`${(error as Error).message} ${usage}`);
  }
  const chosen = stages.filter(({ name }) => values.stage === undefined || name === values.stage);
  const names = stages.map(({ name }) => name).join(", ");
  if (chosen.length === 0) throw new UsageError(`There is no stage "${values.stage}"; there are ${names}. ${usage}`);
  if (endpoint !== undefined && (!URL.canParse(endpoint) || new URL(endpoint).hostname.endsWith("amazonaws.com"))) {
    throw new UsageError("AWS_ENDPOINT_URL must be the address of an emulator.");
  }
  return { chosen, keep: values.keep };
}

/** What to type in another shell, to look around. */
function printAccess(print: Print, rehearsal: Rehearsal, stages: readonly RehearsedStage[]): void {
  const { variables } = rehearsal.emulator;
  print("To look around:");
  for (const [name, value] of Object.entries(variables)) print(`export ${name}=${value}`);
  for (const stage of stages) print(`npm run smoke -- ${outputsFile(rehearsal, stage)}`);
}

/**
 * The command without its process.
 *
 * @param args after `npm run rehearse --`
 * @param print prints one line
 * @param stages all that can be rehearsed
 * @param stop ends the run; what it started is still stopped
 */
export async function rehearse(
  args: readonly string[],
  print: Print,
  stages: readonly RehearsedStage[],
  stop: AbortSignal,
): Promise<ExitCode> {
  const { AWS_ENDPOINT_URL: endpoint } = process.env;
  let wanted: ReturnType<typeof asked>;
  try {
    wanted = asked(args, stages, endpoint);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    print(error.message);
    return 2;
  }
  if (endpoint === undefined && !(await hasPython())) {
    print("SKIPPED, nothing was rehearsed: MiniStack needs Python 3.10 or later, with venv.");
    return 0;
  }
  const folder = await mkdtemp(join(tmpdir(), "rehearsal-"));
  const chat = await startChat();
  let emulator: Emulator | undefined;
  try {
    const report = reportTo(print, () => emulator?.words() ?? []);
    await report.step("emulator", async () => {
      emulator =
        endpoint === undefined ? await startMiniStack(join(folder, "aws")) : runningEmulator(endpoint, process.env);
      return `${emulator.name} at ${emulator.endpoint}`;
    });
    if (emulator !== undefined) {
      const outside = join(folder, "outside");
      await mkdir(outside);
      const commands = commandsFor(emulator, outside, stop);
      const account = accountIn(emulator);
      const rehearsal: Rehearsal = { emulator, account, chat, commands, report, print, folder, keep: wanted.keep };
      const isReady =
        (await report.step("build", async () => {
          await commands.project(["build"]);
          return "the bundles of all functions";
        })) &&
        (await report.step("bootstrap", async () => {
          const environment = await account.environment();
          await commands.cdk("bootstrap", environment);
          return environment;
        }));
      for (const stage of isReady ? wanted.chosen : []) if (!stop.aborted) await rehearseStage(rehearsal, stage);
      if (wanted.keep && !stop.aborted) {
        printAccess(print, rehearsal, wanted.chosen);
        if (endpoint === undefined) {
          print("Ctrl-C stops MiniStack.");
          await once(stop, "abort");
        }
      }
    }
    return report.end() ? 0 : 1;
  } finally {
    chat.stop();
    await emulator?.stop();
    if (!(wanted.keep && endpoint !== undefined)) await rm(folder, { recursive: true, force: true });
  }
}
