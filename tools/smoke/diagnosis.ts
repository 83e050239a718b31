/** The cause of a failed step in the logs of the functions. */
import { setTimeout as pause } from "node:timers/promises";
import type { Measured } from "./step-kit/api.ts";
import { capabilityOf, functionNameOf } from "./step-kit/function-of.ts";
import { isRefusal, type LoggedError, type Logs, toldBy } from "./step-kit/logs.ts";
import type { Run } from "./step-kit/step.ts";
import { Failed, within } from "./step-kit/waiting.ts";

const longestRead = 30_000;
/** Milliseconds between two looks into the logs. Nearly every wait that succeeds is shorter. */
const patience = 10_000;

/** The beginning of a step. */
export interface Begun {
  /** Epoch milliseconds. */
  readonly at: number;
  /** The number of the API's responses before. */
  readonly answers: number;
}

export const beginOf = ({ api }: Run): Begun => ({ at: Date.now(), answers: api.answers.length });

/** The functions behind failed responses. The service asks for a repetition without an error. */
function failingFunctions(answers: readonly Measured[]): string[] {
  const failed = answers.filter(({ status, repeat }) => status >= 500 && !repeat);
  const names = failed.map(capabilityOf).filter((capability) => capability !== undefined);
  return [...new Set(names.map(functionNameOf))];
}

/** The errors of these functions, as soon as there are some: a line needs some time to be readable. */
async function firstErrors(
  { logs, since, stop }: { readonly logs: Logs; readonly since: number; readonly stop: AbortSignal },
  functionNames: readonly string[],
): Promise<readonly LoggedError[]> {
  const end = Date.now() + logs.delay;
  for (;;) {
    const errors = await logs.errors(since, stop, functionNames);
    if (errors.length > 0 || Date.now() > end) return errors;
    await pause(logs.delay / 10, undefined, { signal: stop });
  }
}

/** All errors since the start of the run. @throws Failed the logs cannot be read */
export const errorsOf = ({ place, begun, stop }: Run): Promise<readonly LoggedError[]> =>
  within(longestRead, "reading the logs", stop, (signal) => place.logs.errors(begun, signal));

/**
 * What the logs say about a failed step: the function of a failed response, or any function when a wait or an expectation
 * has failed.
 * @returns sentences
 */
export async function diagnosis(run: Run, { at, answers }: Begun): Promise<string> {
  const { api, place, stop } = run;
  // Nothing has answered yet, so no function has run.
  if (api.answers.length === 0 || stop.aborted) return "";
  const failing = failingFunctions(api.answers.slice(answers));
  try {
    if (failing.length === 0) return toldBy(await errorsOf(run)) || "No function logged an error.";
    const errors = await firstErrors({ logs: place.logs, since: at, stop }, failing);
    return toldBy(errors, "Its function ") || `${failing.join(" and ")} logged no error and may not have started.`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Watches the logs while a step runs. */
export interface Watch {
  /** Aborts when the run is aborted, or IAM has refused an action to a function. */
  readonly stop: AbortSignal;
  end(): void;
}

/** A consumer without a right fails in the background, and the step would wait for it in vain. */
export function watch({ place: { logs }, stop }: Run, since: number): Watch {
  const inVain = new AbortController();
  const ended = new AbortController();
  async function look(): Promise<void> {
    for (;;) {
      await pause(patience, undefined, { signal: ended.signal });
      const errors = await logs.errors(since, ended.signal);
      if (errors.some(isRefusal)) return inVain.abort(new Failed("a right is missing, so waiting is in vain."));
    }
  }
  // The step has ended, or the logs cannot be read: then the step waits as long as it can.
  look().catch(() => undefined);
  return { stop: AbortSignal.any([stop, inVain.signal]), end: () => ended.abort() };
}
