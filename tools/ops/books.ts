/** `books`: compares the table's payments for an event or for memberships with the provider's (docs/runbook.md). It reads only. */
import pMap from "p-map";
import type { Payment, PaymentList } from "#domain/payments/payment.ts";
import { paymentsOf, type TimeRange } from "#domain/payments/payment-store.ts";
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

export async function books({ flags, terminal, meter, stop }: Run): Promise<ExitCode> {
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
