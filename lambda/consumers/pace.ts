/** Limits the rate of mails. */
import { setTimeout as pause } from "node:timers/promises";

/**
 * Makes a function that waits for the caller's turn. Turns are at least `interval` apart.
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
