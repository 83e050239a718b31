/** Runs the steps sequentially, and deletes what they created. */
import { setTimeout as pause } from "node:timers/promises";
import { beginOf, diagnosis, errorsOf, watch } from "./diagnosis.ts";
import { isRefusal, toldBy } from "./step-kit/logs.ts";
import type { Outcome, Run, Step } from "./step-kit/step.ts";

/** Prints one line. */
export type Print = (line: string) => void;

type Level = "ok" | "failed" | "skipped";

/** Multi-line text, such as AWS error messages, is joined. */
const lineOf = (level: Level, name: string, text: string, milliseconds: number): string =>
  `${level.padEnd(8)} ${name}: ${text} (${Math.round(milliseconds)} ms)`.replaceAll(/\s*\n\s*/g, " ");

/** Errors of clients end without a full stop. */
const sentence = (text: string): string => text.replace(/([^.!?])$/, "$1.");

const outcomeOf = async (run: Run, { take, needs = [] }: Step, ok: ReadonlySet<Step>): Promise<Outcome> => {
  const missing = needs.find((step) => !ok.has(step));
  return missing ? { skipped: `it needs the step "${missing.name}".` } : take(run);
};

/**
 * Runs the steps. After a failed step the others continue, except those that need it. Stops if the API is unreachable.
 * The line of a failed step also says what its function logged.
 * @returns whether no step failed
 */
export async function taken(run: Run, steps: readonly Step[], print: Print): Promise<boolean> {
  const ok = new Set<Step>();
  let failed = 0;
  for (const step of steps) {
    const begun = performance.now();
    const line = (level: Level, text: string) => print(lineOf(level, step.name, text, performance.now() - begun));
    const beginning = beginOf(run);
    const watching = watch(run, beginning.at);
    try {
      run.stop.throwIfAborted();
      const outcome = await outcomeOf({ ...run, stop: watching.stop }, step, ok);
      if (typeof outcome === "string") ok.add(step);
      if (typeof outcome === "string") line("ok", outcome);
      else line("skipped", outcome.skipped);
    } catch (error) {
      failed += 1;
      const { message } = run.stop.aborted ? run.stop.reason : (error as Error);
      line("failed", `${sentence(message)} ${await diagnosis(run, beginning)}`.trim());
      if (run.stop.aborted || step === steps[0]) break;
    } finally {
      watching.end();
    }
  }
  return failed === 0;
}

/**
 * Looks for missing rights in the logs of all functions: what fails in the background fails no request.
 * @returns whether no function was refused an action, as far as the logs can be read
 */
export async function searched(run: Run, print: Print): Promise<boolean> {
  const { api, place, stop } = run;
  if (api.answers.length === 0 || stop.aborted) return true;
  const begun = performance.now();
  const line = (level: Level, text: string) => print(lineOf(level, "rights", text, performance.now() - begun));
  try {
    await pause(place.logs.delay, undefined, { signal: stop });
    const refusals = (await errorsOf(run)).filter(isRefusal);
    const lack = await place.lack(stop);
    if (refusals.length > 0) line("failed", `a right is missing. ${toldBy(refusals)}`);
    else if (lack) line("skipped", lack);
    else line("ok", "no function logged that IAM refused an action.");
    return refusals.length === 0;
  } catch (error) {
    line("skipped", sentence((error as Error).message));
    return true;
  }
}

/** Deletes what the run has created. @returns whether nothing is left */
export async function tidied({ made }: Run, print: Print): Promise<boolean> {
  const begun = performance.now();
  const left = await made.run();
  const isTidy = left.length === 0;
  const text = isTidy ? `${made.count} things are deleted.` : `${left.length} of ${made.count} things are left.`;
  print(lineOf(isTidy ? "ok" : "failed", "clean-up", text, performance.now() - begun));
  for (const { what, reason, command } of left) print(`left     ${what}: ${sentence(reason)} Delete it: ${command}`);
  return isTidy;
}
