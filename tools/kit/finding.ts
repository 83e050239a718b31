/** The findings of checks. */

/**
 * `problem`: a deploy fails, or the service does not work for people. `warning`: the deploy works, with a limitation.
 */
export type Level = "ok" | "warning" | "problem";

export interface Finding {
  readonly level: Level;
  /** The finding, without secret values. */
  readonly text: string;
  /** How to fix it: a command or a place. */
  readonly fix?: string;
}

export const ok = (text: string): Finding => ({ level: "ok", text });
export const warning = (text: string, fix: string): Finding => ({ level: "warning", text, fix });
export const problem = (text: string, fix: string): Finding => ({ level: "problem", text, fix });
