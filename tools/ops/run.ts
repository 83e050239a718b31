/** What every command gets. */
import type { Backoff } from "./invariants/event-state.ts";
import type { Meter } from "./paced.ts";
import type { Target } from "./target.ts";
import type { Terminal } from "./terminal.ts";

export interface Run {
  readonly target: Target;
  readonly terminal: Terminal;
  readonly meter: Meter;
  /** Writes; without it a command says what it would do. */
  readonly isApplied: boolean;
  readonly options: Backoff;
  readonly stop?: AbortSignal | undefined;
  /** Items of the table, as the table last counted them. */
  readonly total?: number | undefined;
  /** The words behind the command. */
  readonly words: readonly string[];
  /** Flags that only this command has. */
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
}
