/** `npm run rehearse`: deploys the stages to an emulator of AWS, tests them there, changes them, and deletes them. */
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandWords, UsageError } from "../kit/npm-flags.ts";
import { NoPythonTool, withoutTool } from "../kit/python/environment.ts";
import { usageOf } from "../kit/usage.ts";
import { accountIn } from "./account.ts";
import { type Emulator, runningEmulator } from "./emulator.ts";
import { installMiniStack, startMiniStack } from "./ministack.ts";
import { rehearseMove } from "./move.ts";
import type { Neighbours } from "./neighbours.ts";
import { commandsFor } from "./place.ts";
import { type Outcome, type Print, reportTo, withSecondTry } from "./report.ts";
import { outputsFile, type Rehearsal, type RehearsedStage, rehearseStage } from "./stage.ts";

/** 0: success, or without CI=true this machine cannot run MiniStack. 1: a step failed. 2: usage error. */
export type ExitCode = 0 | 1 | 2;

const options = {
  // Deletes nothing and leaves the emulator running, until Ctrl-C.
  keep: { type: "boolean", default: false },
} as const;

const usage = usageOf("rehearse");

interface Asked {
  readonly chosen: readonly RehearsedStage[];
  readonly keep: boolean;
}

/** @throws UsageError */
function asked(args: readonly string[], stages: readonly RehearsedStage[], endpoint: string | undefined): Asked {
  const { values, positionals } = commandWords("rehearse", args, options);
  const [name, ...more] = positionals;
  if (more.length > 0) throw new UsageError(usage);
  const chosen = stages.filter((stage) => name === undefined || name === stage.name);
  const names = stages.map((stage) => stage.name).join(", ");
  if (chosen.length === 0) throw new UsageError(`There is no stage "${name}"; there are ${names}. ${usage}`);
  if (endpoint !== undefined && (!URL.canParse(endpoint) || new URL(endpoint).hostname.endsWith("amazonaws.com"))) {
    throw new UsageError("AWS_ENDPOINT_URL must be the address of an emulator.");
  }
  return { chosen, keep: values.keep };
}

/** Prints what to type to look around. */
function printAccess(print: Print, rehearsal: Rehearsal, { chosen }: Asked, isOurs: boolean): void {
  print("To look around, in another shell:");
  // The caller of another emulator has set these.
  const variables = isOurs ? rehearsal.emulator.variables : {};
  for (const [name, value] of Object.entries(variables)) print(`export ${name}=${value}`);
  for (const stage of chosen) {
    const consent = stage.name === "production" ? " --yes-production" : "";
    print(`npm run smoke -- ${outputsFile(rehearsal, stage)}${consent}`);
  }
  const left = `; bootstrap and stages stay at ${rehearsal.emulator.endpoint}`;
  print(`Ctrl-C ends ${isOurs ? "MiniStack, " : ""}payment provider and chat${isOurs ? "" : left}.`);
}

/** Bootstraps the account, and rehearses the stages. */
async function rehearseAll(rehearsal: Rehearsal, { chosen }: Asked, stop: AbortSignal): Promise<void> {
  const { account, commands, report } = rehearsal;
  const isReady = await report.step("bootstrap", async () => {
    const environment = await account.environment();
    await commands.cdk("bootstrap", environment);
    return environment;
  });
  for (const stage of isReady ? chosen : []) {
    if (stop.aborted) return;
    await rehearseStage(rehearsal, stage, async (assembly) => {
      // The other stage differs in values only.
      if (stage === chosen[0]) await rehearseMove(rehearsal, stage, assembly, stop);
    });
  }
}

/** What a rehearsal is given. */
export interface Given {
  /** All that can be rehearsed. */
  readonly stages: readonly RehearsedStage[];
  readonly neighbours: Neighbours;
  /** Makes the bundles of the functions, when they are out of date. */
  readonly build: () => Promise<void>;
}

/**
 * The command without its process.
 *
 * @param args after `npm run rehearse --`
 * @param print prints one line
 * @param stop ends the run; what it started is still stopped
 */
export async function rehearse(
  args: readonly string[],
  print: Print,
  given: Given,
  stop: AbortSignal,
): Promise<ExitCode> {
  const { AWS_ENDPOINT_URL: endpoint } = process.env;
  const isOurs = endpoint === undefined;
  let wanted: Asked;
  try {
    wanted = asked(args, given.stages, endpoint);
    if (isOurs) await installMiniStack();
  } catch (error) {
    if (error instanceof NoPythonTool) {
      return withoutTool("nothing is rehearsed here", error, print);
    }
    if (!(error instanceof UsageError)) throw error;
    print(error.message);
    return 2;
  }
  const attempt = () => attempted(wanted, endpoint, print, given, stop);
  const outcome = await (isOurs ? withSecondTry(attempt, print) : attempt());
  return outcome === "succeeded" ? 0 : 1;
}

/** Until the emulator answers, a failure is its own. */
const notThere = { words: () => [], fault: () => "it does not start" };

/** One rehearsal, with an emulator of its own unless there is one at the endpoint. */
async function attempted(
  wanted: Asked,
  endpoint: string | undefined,
  print: Print,
  { neighbours, build }: Given,
  stop: AbortSignal,
): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), "rehearsal-"));
  let emulator: Emulator | undefined;
  try {
    const report = reportTo(print, () => emulator ?? notThere);
    await report.step("emulator", async () => {
      emulator =
        endpoint === undefined ? await startMiniStack(join(folder, "aws")) : runningEmulator(endpoint, process.env);
      return `${emulator.name} at ${emulator.endpoint}`;
    });
    if (emulator !== undefined) {
      const outside = join(folder, "outside");
      await mkdir(outside);
      const [account, commands] = [accountIn(emulator), commandsFor(emulator, outside, stop)];
      const rehearsal: Rehearsal = { emulator, account, neighbours, commands, report, print, folder, ...wanted };
      const isBuilt = await report.step("build", async () => {
        await build();
        return "the bundles of all functions";
      });
      if (isBuilt) await rehearseAll(rehearsal, wanted, stop);
      if (wanted.keep && !stop.aborted) {
        printAccess(print, rehearsal, wanted, endpoint === undefined);
        await once(stop, "abort");
      }
    }
    return report.end();
  } finally {
    await emulator?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
