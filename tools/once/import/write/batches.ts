/**
 * Writes records in large transactions: reads the existing items, decides on each record, and writes the result. An abort
 * between two transactions leaves no partial records.
 */
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write } from "#kit/table/execute.ts";
import { valueSize } from "#kit/table/item-size.ts";
import { getItems, type Item, type Key, type Transaction } from "#kit/table/table.ts";
import type { Taken } from "../source/survey.ts";
import type { Verdict } from "./verdict.ts";

/** Finds an item that the batch has read; undefined when there is none. */
export type Find = (key: Key) => Item | undefined;

/** What to do with one record. There are no members if the verdict writes nothing. */
export interface Decided {
  readonly verdict: Verdict;
  readonly members: Transaction;
}

/** How records of one kind are written. */
export interface Plan<R> {
  /** Maximum records in one transaction: DynamoDB allows 100 members. */
  readonly most: number;
  /** The items that the decision needs. */
  keysOf(taken: Taken<R>): readonly Key[];
  /** Pure. */
  decide(taken: Taken<R>, find: Find): Decided;
  /** Items and members shared by all records of a transaction, which are of one lane. */
  readonly together?: {
    laneOf(taken: Taken<R>): string;
    keysOf(lane: string): readonly Key[];
    decide(lane: string, batch: readonly Taken<R>[], find: Find): { members: Transaction; each: readonly Decided[] };
  };
}

/** The import was asked to end between two transactions. */
export class Interrupted extends Error {}

export interface Run {
  readonly now: number;
  readonly context: RequestContext;
  /** Reads and decides, and writes nothing. */
  readonly dry: boolean;
  readonly stop?: AbortSignal | undefined;
  /** Called after each transaction. */
  readonly onBatch?: ((verdicts: readonly Verdict[]) => void) | undefined;
}

const keyOf = ({ PK, SK }: Key): string => `${PK}\n${SK}`;

/** Timeout of one transaction in milliseconds. No caller waits for it. */
const transactionTimeout = 120_000;
/** Maximum bytes of the records of one transaction: DynamoDB allows 4 MB with all members. */
const maxBytes = 1_000_000;

export const patient = (context: RequestContext): RequestContext => ({
  ...context,
  deadline: performance.now() + transactionTimeout,
});

async function writeBatch<R>(plan: Plan<R>, lane: string, batch: readonly Taken<R>[], run: Run): Promise<void> {
  const keys = [...(plan.together?.keysOf(lane) ?? []), ...batch.flatMap((taken) => plan.keysOf(taken))];
  const unique = [...new Map(keys.map((key) => [keyOf(key), key])).values()];
  const verdicts = await execute(
    {
      read: async () => {
        const items = await getItems<Item>(unique, "strong");
        return new Map(items.map((item) => [keyOf(item), item as Item]));
      },
      decide(items: Map<string, Item>): Decision<readonly Verdict[]> {
        const find: Find = (key) => items.get(keyOf(key));
        const all = plan.together?.decide(lane, batch, find);
        const each = all?.each ?? batch.map((taken) => plan.decide(taken, find));
        const named = each.flatMap(({ members }, index) =>
          Object.entries(members).map(([name, member]) => [`${index} ${name}`, member] as const),
        );
        const told = each.map(({ verdict }) => verdict);
        if (named.length === 0 || run.dry) return answer(told);
        return write({ ...all?.members, ...Object.fromEntries(named) }, told);
      },
    },
    patient(run.context),
  );
  run.onBatch?.(verdicts);
}

/**
 * Writes all records.
 * @throws Interrupted between two transactions
 */
export async function writeAll<R>(plan: Plan<R>, records: Iterable<Taken<R>>, run: Run): Promise<void> {
  const open = new Map<string, { batch: Taken<R>[]; bytes: number }>();
  const send = async (lane: string, batch: readonly Taken<R>[]) => {
    if (run.stop?.aborted) throw new Interrupted("the import was interrupted");
    await writeBatch(plan, lane, batch, run);
  };
  for (const taken of records) {
    const lane = plan.together?.laneOf(taken) ?? "";
    const bytes = valueSize(taken.record);
    let own = open.get(lane) ?? { batch: [], bytes: 0 };
    if (own.batch.length >= plan.most || own.bytes + bytes > maxBytes) {
      await send(lane, own.batch);
      own = { batch: [], bytes: 0 };
    }
    own.batch.push(taken);
    open.set(lane, { ...own, bytes: own.bytes + bytes });
  }
  for (const [lane, { batch }] of open) await send(lane, batch);
}
