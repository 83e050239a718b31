/** Keeps to what SES allows in a second. */
import { setTimeout as pause } from "node:timers/promises";

/**
 * Gives out turns that are at least this far apart.
 * @param interval milliseconds
 */
export function pacer(interval: number, wait: (milliseconds: number) => Promise<unknown> = pause): () => Promise<void> {
  let nextTurn = 0;
  return async () => {
    const now = performance.now();
    const turn = Math.max(now, nextTurn);
    nextTurn = turn + interval;
    if (turn > now) await wait(turn - now);
  };
}
