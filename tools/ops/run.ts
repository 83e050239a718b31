/** The input of every command. */
import type { Timing } from "./invariants/event-state.ts";
import type { Meter } from "./paced.ts";
import type { Target } from "./target.ts";
import type { Terminal } from "./terminal.ts";

export interface Run {
  readonly target: Target;
  readonly terminal: Terminal;
  readonly meter: Meter;
  /** Whether to write; otherwise a command prints what it would do. */
  readonly isApplied: boolean;
  readonly options: Timing;
  readonly stop?: AbortSignal | undefined;
  /** The approximate number of items in the table. */
  readonly total?: number | undefined;
  /** The command's arguments. */
  readonly words: readonly string[];
  /** The command's own flags. */
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
}
