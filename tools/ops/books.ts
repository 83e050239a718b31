/** `books`: compares the table's payments with the provider's lists (docs/runbook.md). It reads only, unless it settles. */
import { randomUUID } from "node:crypto";
import { providerLists } from "#domain/payments/provider/provider-lists.ts";
import { moneyProvider } from "#domain/payments/provider/refund-calls.ts";
import { type Books, reconcile } from "#domain/payments/provider-events/reconcile.ts";
import { readMark } from "#domain/payments/provider-events/reconciliation-mark.ts";
import { ProviderRefuses } from "#domain/payments/refusals.ts";
import { Unavailable } from "#kit/errors.ts";
import { systemContext } from "#kit/request/context.ts";
import { otherCurrencyLines, sumLines } from "./book-sums.ts";
import { differenceLine, differencesOf, payoutDifferences } from "./compare-books.ts";
import { patiently } from "./invariants/patiently.ts";
import { patient, type SearchedBooks } from "./provider-books.ts";
import { type BothBooks, readBooks } from "./read-books.ts";
import type { Run } from "./run.ts";
import { costLine, type ExitCode, number } from "./terminal.ts";
import { timeIn } from "./times.ts";

/** Milliseconds. The reconciliation runs every night. */
const longestPause = 2 * 86_400_000;

/** Milliseconds of one round; another goes on where it stopped. */
const round = 240_000;

/** Reconciles until it is complete. @throws Unavailable */
async function settle({ terminal, stop }: Run, at: Books): Promise<ExitCode> {
  for (;;) {
    const context = systemContext(`ops-${randomUUID()}`, Date.now(), performance.now() + round);
    const { read, settled, unexplained, isComplete } = await reconcile(at, context);
    terminal.print(`Read: ${number(read)}, settled: ${number(settled)}, for the treasurer: ${number(unexplained)}.`);
    if (stop?.aborted) return 130;
    if (isComplete) return unexplained === 0 ? 0 : 1;
  }
}

/** What is no difference. */
const restLines = ({ pairs, others }: BothBooks): string[] => {
  const later = pairs.reduce((sum, pair) => sum + pair.later, 0);
  return [
    ...(later > 0 ? [`Lines that the next reconciliation brings: ${number(later)}.`] : []),
    ...(others.sessions + others.lines > 0
      ? [`Of other systems at the provider: ${number(others.sessions)} sessions, ${number(others.lines)} lines.`]
      : []),
  ];
};

/** @returns a sentence when the nightly reconciliation does not run */
const staleness = (since: number | undefined, now: number): string | undefined => {
  if (since !== undefined && since >= now - longestPause) return undefined;
  const last = since === undefined ? "never ran" : `last ran to its end on ${new Date(since).toISOString()}`;
  return `The reconciliation ${last}: run books --settle, and see why (docs/runbook.md, Refunds).`;
};

async function compare({ flags, terminal, meter }: Run, at: SearchedBooks): Promise<ExitCode> {
  const now = Date.now();
  const from = typeof flags.from === "string" ? timeIn("from", flags.from, now) : undefined;
  const begun = performance.now();
  const mark = await patiently(readMark);
  const both = await readBooks(at, mark?.since ?? 0, from);
  const differences = [...both.pairs.flatMap(differencesOf), ...payoutDifferences(both.pairs, both.provider)];
  const stale = staleness(mark?.since, now);
  const lines = [
    ...differences.map(differenceLine),
    ...sumLines(both.counted, both.byHand),
    ...otherCurrencyLines(both.pairs),
    ...restLines(both),
    stale ?? [],
  ];
  for (const line of lines.flat()) terminal.print(line);
  terminal.print(`Payments: ${number(both.counted.length)}, differences: ${number(differences.length)}.`);
  terminal.note(costLine(begun, meter.units));
  return differences.length === 0 && stale === undefined ? 0 : 1;
}

/** What to say when the provider does not let the command go on; undefined for another error. */
function hindrance(error: unknown): string | undefined {
  // The reconciliation handles several objects at once.
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const refusal = errors.find((one) => one instanceof ProviderRefuses);
  if (refusal) return `The payment provider refuses: ${refusal.because}. docs/runbook.md, Refunds.`;
  return errors.every((one) => one instanceof Unavailable)
    ? "The payment provider does not answer. Try again."
    : undefined;
}

export async function books(run: Run): Promise<ExitCode> {
  const { flags, terminal, stop } = run;
  const at = patient({ ...providerLists, ...moneyProvider }, stop);
  try {
    return flags.settle === true ? await settle(run, at) : await compare(run, at);
  } catch (error) {
    if (stop?.aborted) return 130;
    const hindered = hindrance(error);
    if (hindered === undefined) throw error;
    terminal.note(hindered);
    return 1;
  }
}
