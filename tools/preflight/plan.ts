/** The changes of `--mend`: the plan, and what became of each. */
import type { Mend } from "../kit/finding.ts";
import { refusal } from "./check-kit/asking.ts";
import { counted, line, type Result } from "./check-kit/report.ts";

/** A change, with the check of its finding. */
export interface Change {
  readonly check: string;
  readonly mend: Mend;
}

/** The changes of the findings, in the order of their lines. Several findings may share one. */
export function planned(results: readonly Result[]): Change[] {
  const changes = new Map<Mend, Change>();
  for (const { check, mend } of results) if (mend && !changes.has(mend)) changes.set(mend, { check, mend });
  return [...changes.values()];
}

export const planLine = ({ check, mend }: Change): string => line("plan", check, mend.what);

/**
 * Makes the changes one after the other. One that fails does not stop the others.
 *
 * @param print prints one line
 * @returns those that were made
 */
export async function makeAll(
  plan: readonly Change[],
  region: string,
  print: (line: string) => void,
): Promise<ReadonlySet<Mend>> {
  const made = new Set<Mend>();
  for (const { check, mend } of plan) {
    try {
      print(line("done", check, await mend.apply()));
      made.add(mend);
    } catch (error) {
      const { text, fix } = refusal(error, region);
      print(line("failed", check, text, fix));
    }
  }
  return made;
}

/** @param made undefined: nothing was to be made */
export function planSummary(plan: readonly Change[], made: ReadonlySet<Mend> | undefined): string {
  if (made !== undefined) return `Of ${counted(plan.length, "change")}, ${made.size} done.`;
  return plan.length === 0 ? "Nothing to change." : `${counted(plan.length, "change")} planned; --apply makes them.`;
}
