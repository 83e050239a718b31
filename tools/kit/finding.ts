/** The findings of checks. */

/**
 * `problem`: a deploy fails, or the service does not work for people. `warning`: the deploy works, with a limitation.
 */
export type Level = "ok" | "warning" | "problem";

/** A change that a command can make. Its texts are one line each, without secret values. */
export interface Mend {
  /** What it does, as an order. */
  readonly what: string;
  /** Makes the change. @returns what was done @throws the error of AWS, or Obstacle */
  readonly apply: () => Promise<string>;
}

/** A change cannot be made, for a reason that the command itself knows. */
export class Obstacle extends Error {
  readonly fix: string;

  constructor(text: string, fix: string, options?: ErrorOptions) {
    super(text, options);
    this.fix = fix;
  }
}

export interface Finding {
  readonly level: Level;
  /** The finding, without secret values. */
  readonly text: string;
  /** How to fix it: a command or a place. */
  readonly fix?: string;
  /** How the command fixes it. Findings with the same fix share it. */
  readonly mend?: Mend;
}

export const ok = (text: string): Finding => ({ level: "ok", text });
export const warning = (text: string, fix: string, mend?: Mend): Finding => ({ level: "warning", text, fix, mend });
export const problem = (text: string, fix: string, mend?: Mend): Finding => ({ level: "problem", text, fix, mend });
