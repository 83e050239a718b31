/** Runs an operation for many registrations, within the function's time. */
import pMap from "p-map";
import { Contended } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { Backoff } from "#kit/table/retry.ts";
import { NotYet } from "#outbox/messages.ts";

/** Low, because the operations write the same counters or points and would conflict. */
const atOnce = 4;

/**
 * Runs the operation for each item, until the time is nearly over. A failed item does not stop the others.
 * @throws NotYet some items are left: the message is delivered again, and the next run continues
 * @throws AggregateError some items failed for another reason
 */
export async function eachInTime<T>(
  items: readonly T[],
  context: RequestContext,
  run: (item: T) => Promise<unknown>,
): Promise<void> {
  const backoff = new Backoff(context);
  let left = 0;
  const runInTime = async (item: T): Promise<void> => {
    try {
      if (backoff.isOver) throw new Contended();
      await run(item);
    } catch (error) {
      if (!(error instanceof Contended)) throw error;
      left += 1;
    }
  };
  await pMap(items, runInTime, { concurrency: atOnce, stopOnError: false });
  if (left > 0) throw new NotYet("the rest of the registrations has to wait");
}
