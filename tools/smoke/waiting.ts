/** Bounds: nothing that the run waits for may take for ever. */
import { setTimeout as pause } from "node:timers/promises";

/** A step that did not find what it expects. The message is the line that a person reads. */
export class Failed extends Error {}

/**
 * For writes: one that is under way is never given up before its own time is over. Otherwise it could make something
 * after the clean-up.
 */
export const never: AbortSignal = new AbortController().signal;

const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 100) / 10} seconds`;

/**
 * Does work that may take only so long, and that ends when `stop` says so.
 *
 * @param what the work, as the subject of a sentence
 * @throws Failed when the time is over; the reason of `stop` when that came first
 */
export async function within<T>(
  milliseconds: number,
  what: string,
  stop: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  stop.throwIfAborted();
  const both = new AbortController();
  const late = () => both.abort(new Failed(`${what} took longer than ${seconds(milliseconds)}.`));
  const stopped = () => both.abort(stop.reason);
  const timer = setTimeout(late, milliseconds);
  stop.addEventListener("abort", stopped);
  const aborted = new Promise<never>((_, reject) => {
    both.signal.addEventListener("abort", () => reject(both.signal.reason));
  });
  try {
    return await Promise.race([work(both.signal), aborted]);
  } catch (error) {
    // Work that was aborted throws an error of its own, which says less.
    throw both.signal.aborted ? both.signal.reason : error;
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", stopped);
  }
}

/**
 * Looks again and again until there is something.
 *
 * @param look returns undefined while there is nothing
 * @throws Failed when the time is over
 */
export const until = <T>(
  milliseconds: number,
  what: string,
  stop: AbortSignal,
  look: () => Promise<T | undefined>,
): Promise<T> =>
  within(milliseconds, what, stop, async (signal) => {
    for (let wait = 20; ; wait = Math.min(wait * 1.5, 1_000)) {
      const seen = await look();
      if (seen !== undefined) return seen;
      await pause(wait, undefined, { signal });
    }
  });
