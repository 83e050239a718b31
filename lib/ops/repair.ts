/** `repair`: puts right what check finds (docs/operating.md). Without --apply it only says what it would do. */

import { UnknownOutcome } from "#kit/conflict.ts";
import { Contended } from "#kit/errors.ts";
import { keyText } from "../invariants/finding.ts";
import { type Found, walk } from "../invariants/walk.ts";
import { printer, summary } from "./check.ts";
import { type Mended, type Mending, mendItem, newContext, operations } from "./operations.ts";
import { plans } from "./repairs.ts";
import type { Run } from "./run.ts";
import { costLine, type ExitCode, number, progressOf } from "./terminal.ts";

/** What the repair of a finding does; undefined when it needs a person. */
export const repairOf = ({ kind }: Pick<Found, "kind">): string | undefined =>
  operations[kind]?.says ?? plans[kind]?.says;

/** Puts one finding right, if it is still there. */
export async function mend({ kind, key }: Pick<Found, "kind" | "key">, mending: Mending): Promise<Mended> {
  const operation = operations[kind];
  if (!operation && !plans[kind]) return "cannot";
  try {
    return operation
      ? await operation.run(key, mending, newContext())
      : await mendItem(kind, key, mending, newContext());
  } catch (error) {
    if (error instanceof Contended || error instanceof UnknownOutcome) return "busy";
    throw error;
  }
}

export async function repair(run: Run): Promise<ExitCode> {
  const { target, options, terminal, meter, stop, total, isApplied } = run;
  const begun = performance.now();
  const mending: Mending = { ...options, hasChat: target.hasChat, adminDomain: target.values.adminDomain };
  const walkOptions = { ...options, hasChat: target.hasChat, stop };
  const tell = printer(terminal.print);
  const outcomes: Partial<Record<Mended, number>> = {};
  const found = async (one: Found) => {
    const says = repairOf(one);
    tell({ ...one, says: `${one.says} -> ${says ?? "a person has to look at this"}` });
    if (!isApplied) return;
    const outcome = await mend(one, mending).catch((error: unknown): Mended => {
      terminal.note(`${one.kind}: ${keyText(one.key)}: ${(error as Error).message}`);
      return "cannot";
    });
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };
  const walked = await walk(walkOptions, { progress: progressOf(terminal.note), found }, total);
  for (const line of summary(walked)) terminal.print(line);
  if (isApplied) {
    const done = Object.entries(outcomes).map(([outcome, count]) => `${number(count)} ${outcome}`);
    terminal.print(`Repairs: ${done.join(", ") || "none"}.`);
  }
  if (walked.isInterrupted) return 130;
  if (walked.findings.size === 0) return walked.busy.length === 0 ? 0 : 1;
  if (!isApplied) {
    terminal.print("Nothing is written. To repair it, add --apply.");
    return 1;
  }
  terminal.note("Checking again …");
  const left = await walk(walkOptions, { progress: progressOf(terminal.note), found: printer(terminal.print) }, total);
  for (const line of summary(left)) terminal.print(line);
  terminal.note(costLine(begun, meter.units));
  return left.findings.size === 0 && left.busy.length === 0 ? 0 : 1;
}
