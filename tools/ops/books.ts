/** `books`: compares the table's payments for an event or for memberships with the provider's (docs/runbook.md). It reads only, unless it mends. */
import { randomUUID } from "node:crypto";
import pMap from "p-map";
import type { Payment, PaymentList } from "#domain/payments/payment.ts";
import { paymentsOf, type TimeRange } from "#domain/payments/payment-store.ts";
import { providerLists } from "#domain/payments/provider-lists.ts";
import { reconcile } from "#domain/payments/reconcile.ts";
import { moneyProvider } from "#domain/payments/refund-calls.ts";
import { systemContext } from "#kit/context.ts";
import { Unavailable } from "#kit/errors.ts";
import { allOf } from "#kit/pages.ts";
import { UsageError } from "../kit/outputs.ts";
import { differenceLine, differencesOf, type Pair, sumLines } from "./compare-books.ts";
import { patiently } from "./invariants/patiently.ts";
import { providerBooks } from "./provider-books.ts";
import type { Run } from "./run.ts";
import { costLine, type ExitCode, number, progressOf } from "./terminal.ts";
import { timeIn } from "./times.ts";

/** Payments that are asked for at the same time: the provider limits the calls of a second. */
const concurrency = 5;

/** @throws UsageError neither or both of an event and memberships */
function listIn({ event, year, membership }: Run["flags"]): PaymentList {
  if (membership === true && event === undefined && year === undefined) return { kind: "membership" };
  if (membership !== true && typeof event === "string" && /^\d{4}$/.test(String(year))) {
    return { kind: "event", event: { id: event, year: Number(year) } };
  }
  throw new UsageError("Which payments? Either --event <id> --year <year>, or --membership.");
}

/** @throws UsageError */
function rangeIn({ from, to }: Run["flags"], now: number): TimeRange {
  const time = (name: string, text: unknown) => (typeof text === "string" ? timeIn(name, text, now) : undefined);
  return { from: time("from", from), to: time("to", to) };
}

/** A payment without the provider's id of its transfer cannot be asked for. */
const foundFor = ({ money }: Payment) =>
  money.paymentIntent === undefined ? undefined : providerBooks(money.paymentIntent);

/** Milliseconds of one round; another goes on where it stopped. */
const round = 240_000;

/** Reconciles until it is complete. @throws Unavailable */
async function mend({ terminal, stop }: Run): Promise<ExitCode> {
  for (;;) {
    const context = systemContext(`ops-${randomUUID()}`, Date.now(), performance.now() + round);
    const { read, settled, unexplained, isComplete } = await reconcile({ ...providerLists, ...moneyProvider }, context);
    terminal.print(`Read: ${number(read)}, settled: ${number(settled)}, for the treasurer: ${number(unexplained)}.`);
    if (stop?.aborted) return 130;
    if (isComplete) return unexplained === 0 ? 0 : 1;
  }
}

export async function books(run: Run): Promise<ExitCode> {
  const { flags, terminal, meter, stop } = run;
  if (flags.mend === true) return mend(run);
  const [list, range] = [listIn(flags), rangeIn(flags, Date.now())];
  const begun = performance.now();
  const payments = await patiently(() => allOf(paymentsOf(list, range)));
  const progress = progressOf(terminal.note);
  const pairs: Pair[] = [];
  const compare = async (payment: Payment): Promise<string[]> => {
    if (stop?.aborted) return [];
    const pair = { payment, found: await foundFor(payment) };
    pairs.push(pair);
    progress("payments", pairs.length, payments.length);
    return differencesOf(pair).map(differenceLine);
  };
  try {
    const differences = (await pMap(payments, compare, { concurrency })).flat();
    if (stop?.aborted) return 130;
    for (const line of [...differences, ...sumLines(pairs)]) terminal.print(line);
    terminal.print(`Payments: ${number(payments.length)}, differences: ${number(differences.length)}.`);
    terminal.note(costLine(begun, meter.units));
    return differences.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    terminal.note("The payment provider does not answer. Try again.");
    return 1;
  }
}
