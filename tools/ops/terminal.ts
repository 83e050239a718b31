/** The terminal and exit codes of commands. */

/**
 * 0: nothing is wrong, or all is done. 1: something was found, is left, or failed. 2: usage error or wrong target. 130:
 * interrupted.
 */
export type ExitCode = 0 | 1 | 2 | 130;

export interface Terminal {
  /** The result. */
  print(line: string): void;
  /** Progress, not part of the result. */
  note(line: string): void;
  /** Asks a person for a secret, without showing what is typed. Absent: there is no person. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
}

export const number = (value: number): string => value.toLocaleString("en");

/** Milliseconds between two lines of progress. */
const progressEvery = 2_000;

/** Prints progress and speed of a step, at most every two seconds. */
export function progressOf(note: Terminal["note"]) {
  let [step, begun, last] = ["", 0, 0];
  return (name: string, done: number, of: number | undefined): void => {
    const now = performance.now();
    if (name !== step) [step, begun, last] = [name, now, now];
    if (now - last < progressEvery) return;
    last = now;
    const rate = Math.round(done / ((now - begun) / 1_000));
    const share = of === undefined ? "" : ` of ${number(of)}`;
    note(`${name}: ${number(done)}${share} (${number(rate)} a second)`);
  };
}

/** The duration and the peak memory. */
export const costLine = (begun: number, units: number): string =>
  `${((performance.now() - begun) / 1_000).toFixed(1)} seconds, ${number(Math.round(units))} read units, at most ${number(
    Math.round(process.resourceUsage().maxRSS / 1_024),
  )} MB of memory.`;
