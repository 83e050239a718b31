/** Reads the journal with what stands in the accounts, and closes its months. */
import { type Page, type PageRequest, portionOf, takePage } from "#kit/lists/pages.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { type Decision, execute, type Keep, write } from "#kit/table/execute.ts";
import { auditRow } from "#outbox/audit.ts";
import { readMark } from "../provider-events/reconciliation-mark.ts";
import {
  type Balances,
  type Closed,
  type Closing,
  closingBefore,
  closingMembers,
  movementsOf,
  readClosed,
  sortKeyOf,
} from "../record/journal-store.ts";
import { type Leg, legsOf, type Movement } from "../record/movement.ts";
import { isSettled, type Payment, type StoredPayment } from "../record/payment.ts";
import { paymentsNamed, type TimeRange } from "../record/payment-store.ts";
import { MonthClosed, NotReconciled } from "../refusals.ts";

const nothing: Balances = { provider: 0, cash: 0, bank: 0 };

const movedBy = (balances: Balances, { account, amount }: Leg): Balances => ({
  ...balances,
  [account]: balances[account] + amount,
});

/** The legs of movements in the club's currency; those in another one are never added to it. */
const counted = (movement: Movement, currency: string): Leg[] =>
  movement.currency === currency ? legsOf(movement) : [];

/**
 * What stood in the accounts, in cents, since the first movement that the journal has.
 * @param before epoch milliseconds @param after the sort key of the last movement that counts; absent: all before the time
 */
async function balancesAt(before: number, currency: string, after?: string): Promise<Balances> {
  const closing = await closingBefore(before);
  let balances = closing?.balances ?? nothing;
  const to = after === undefined ? before : Number(after.split("#")[0]) + 1;
  for await (const movement of movementsOf({ from: closing?.until ?? 0, to })) {
    if (after !== undefined && sortKeyOf(movement) > after) break;
    balances = counted(movement, currency).reduce(movedBy, balances);
  }
  return balances;
}

/** A leg with its payment, and what stood in its account then. Absent: in another currency. */
export interface JournalRow extends Leg {
  readonly balance?: number;
  readonly of?: Payment | undefined;
}

/** A movement with its legs. */
export interface JournalEntry extends Pick<Movement, "at" | "id"> {
  readonly legs: readonly JournalRow[];
}

export interface JournalPage extends Page<JournalEntry> {
  /** What stood in the accounts before the first row. */
  readonly opening: Balances;
  /** Epoch milliseconds: what the provider has booked since then may still lack. */
  readonly readUntil: number;
}

type Period = Required<{ readonly [K in keyof TimeRange]: number }>;

/** A page of the journal. A movement of this service's payments shows whose it was. @param currency the club's */
export async function journalPage(
  { from, to }: Period,
  { limit, after }: PageRequest,
  currency: string,
): Promise<JournalPage> {
  const [opening, page, mark] = await Promise.all([
    balancesAt(from, currency, after),
    takePage(movementsOf({ from, to, after }, portionOf({ limit })), { limit, sortKeyOf }),
    readMark(),
  ]);
  const payments = await paymentsNamed(page.rows.flatMap(({ payment }) => payment ?? []));
  let balances = opening;
  const rows = page.rows.map((movement): JournalEntry => {
    const known: StoredPayment | undefined = payments.get(movement.payment ?? "");
    const of = isSettled(known) ? known : undefined;
    const legs = legsOf(movement).map((leg): JournalRow => {
      if (leg.currency !== currency) return { ...leg, of };
      balances = movedBy(balances, leg);
      return { ...leg, of, balance: balances[leg.account] };
    });
    return { at: movement.at, id: movement.id, legs };
  });
  return { ...page, rows, opening, readUntil: mark?.since ?? 0 };
}

interface Facts {
  readonly closed: Closed | undefined;
  readonly readUntil: number;
  readonly balances: Balances;
}

/**
 * Closes the journal until the end of a month: nothing of an earlier date can be added any more.
 * @param until the end of the month, epoch milliseconds
 * @throws MonthClosed it is closed already
 * @throws NotReconciled the provider's books have not been read beyond it
 */
export const closeJournal = (
  until: number,
  currency: string,
  context: RequestContext,
  keep?: Keep<Closing>,
): Promise<Closing> =>
  execute(
    {
      keep,
      async read(): Promise<Facts> {
        // Before the balances: what comes in between is seen by its count.
        const [closed, mark] = await Promise.all([readClosed(), readMark()]);
        return { closed, readUntil: mark?.since ?? 0, balances: await balancesAt(until, currency) };
      },
      decide({ closed, readUntil, balances }: Facts): Decision<Closing> {
        if ((closed?.until ?? 0) >= until) throw new MonthClosed("This month is closed already.");
        if (readUntil < until) {
          throw new NotReconciled(
            "The provider's books have not been read to the end of this month: close it after the next night.",
          );
        }
        const closing: Closing = { until, balances, by: context.actor, at: context.now };
        const audit = auditRow({ action: "journal.closed", id: `${until}` }, context);
        return write({ ...closingMembers(closing, closed), audit }, closing);
      },
    },
    context,
  );
