/**
 * Writes records in transactions of many: reads what the table has, decides on each record, and writes what is to be
 * written at once. A kill between two transactions leaves whole records only.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { RequestContext } from "#kit/context.ts";
import { answer, type Decision, execute, write } from "#kit/execute.ts";
import { valueSize } from "#kit/item-size.ts";
import { getItems, type Item, type Key, type Transaction } from "#kit/table.ts";
import type { Taken } from "../survey.ts";
import type { Verdict } from "../verdict.ts";

/** An item that the batch has read; undefined when there is none. */
export type Find = (key: Key) => Item | undefined;

/** What is to be done with one record. Under a verdict that writes nothing, there are no members. */
export interface Decided {
  readonly verdict: Verdict;
  readonly members: Transaction;
}

/** How records of one kind are written. */
export interface Plan<R> {
  /** Records in one transaction, at most: DynamoDB takes 100 members. */
  readonly most: number;
  /** The items that the decision needs. */
  keysOf(taken: Taken<R>): readonly Key[];
  /** Pure. */
  decide(taken: Taken<R>, find: Find): Decided;
  /** Items and members that all records of a transaction share. Records of one lane are written one after the other. */
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

/** Milliseconds that one transaction is tried. It is no request: no caller waits. */
const longestTry = 120_000;
/** Transactions at once. */
const maxAtOnce = 8;
/** Bytes of the records of one transaction, at most: DynamoDB takes 4 MB with all members. */
const maxBytes = 1_000_000;

export const patient = (context: RequestContext): RequestContext => ({
  ...context,
  deadline: performance.now() + longestTry,
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
export async function writeAll<R>(plan: Plan<R>, records: AsyncIterable<Taken<R>>, run: Run): Promise<void> {
  const open = new Map<string, { batch: Taken<R>[]; bytes: number }>();
  const lanes = new Map<string, Promise<void>>();
  const underWay = new Set<Promise<void>>();
  let problem: unknown;
  const start = async (lane: string) => {
    const { batch = [] } = open.get(lane) ?? {};
    open.delete(lane);
    if (batch.length === 0) return;
    while (underWay.size >= maxAtOnce) await Promise.race(underWay);
    if (problem !== undefined) throw problem;
    if (run.stop?.aborted) throw new Interrupted("the import was interrupted");
    const before = plan.together ? lanes.get(lane) : undefined;
    const work = (async () => {
      await before;
      if (problem === undefined && !run.stop?.aborted) await writeBatch(plan, lane, batch, run);
    })();
    const guarded = work.catch((error: unknown) => {
      problem ??= error;
    });
    lanes.set(lane, guarded);
    underWay.add(guarded);
    void guarded.then(() => underWay.delete(guarded));
  };
  try {
    for await (const taken of records) {
      const lane = plan.together?.laneOf(taken) ?? "";
      const bytes = valueSize(taken.record);
      const waiting = open.get(lane);
      if (waiting && (waiting.batch.length >= plan.most || waiting.bytes + bytes > maxBytes)) await start(lane);
      const batch = open.get(lane) ?? { batch: [], bytes: 0 };
      batch.batch.push(taken);
      open.set(lane, { batch: batch.batch, bytes: batch.bytes + bytes });
    }
    for (const lane of [...open.keys()]) await start(lane);
  } finally {
    await Promise.all(underWay);
  }
  if (problem !== undefined) throw problem;
  if (run.stop?.aborted) throw new Interrupted("the import was interrupted");
  // Lets the stream of the laptop and the progress line take a turn.
  await pause(0);
}
