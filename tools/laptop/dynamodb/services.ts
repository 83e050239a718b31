import type { Commits } from "./commits.ts";
import type { Conflicts } from "./conflicts.ts";
import type { Store } from "./dynalite.ts";
import type { Tables } from "./tables.ts";
import type { Throughput } from "./throughput.ts";

/** The parts that the operations of one engine share. */
export interface Services {
  readonly store: Store;
  readonly tables: Tables;
  readonly commits: Commits;
  readonly conflicts: Conflicts;
  readonly throughput: Throughput;
  readonly clock: () => number;
}
