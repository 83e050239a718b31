/** Runs an operation for many registrations, as many as the time of the function allows. */
import pMap from "p-map";
import type { RequestContext } from "#kit/context.ts";
import { Contended } from "#kit/errors.ts";
import { Patience } from "#kit/retry.ts";
import { NotYet } from "#outbox/messages.ts";

/** Registrations at the same time. They write the same counters or points, so more at once would only conflict. */
const atOnce = 4;

/**
 * Runs the operation for each item. No further one begins when the time is nearly over. An item that fails does not
 * stop the other ones.
 * @throws NotYet some items are left: the message comes again, and the next run goes on there
 * @throws AggregateError some items failed for another reason
 */
export async function eachInTime<T>(
  items: readonly T[],
  context: RequestContext,
  run: (item: T) => Promise<unknown>,
): Promise<void> {
  const patience = new Patience(context);
  let left = 0;
  const runInTime = async (item: T): Promise<void> => {
    try {
      if (patience.isOver) throw new Contended();
      await run(item);
    } catch (error) {
      if (!(error instanceof Contended)) throw error;
      left += 1;
    }
  };
  await pMap(items, runInTime, { concurrency: atOnce, stopOnError: false });
  if (left > 0) throw new NotYet("the rest of the registrations has to wait");
}
