/** What a check finds in the account. */

/**
 * `problem`: a deploy fails, or the service does not work for people. `warning`: the deploy works, and a person should
 * know what does not.
 */
export type Level = "ok" | "warning" | "problem";

export interface Finding {
  readonly level: Level;
  /** What was found, without values of secrets. */
  readonly text: string;
  /** The command or the place that mends it. */
  readonly mend?: string;
}

export const ok = (text: string): Finding => ({ level: "ok", text });
export const warning = (text: string, mend: string): Finding => ({ level: "warning", text, mend });
export const problem = (text: string, mend: string): Finding => ({ level: "problem", text, mend });
