/** Timeouts for everything that the run waits for. */
import { setTimeout as pause } from "node:timers/promises";

/** A failed expectation of a step. The message is printed. */
export class Failed extends Error {}

/**
 * For writes: one in progress is not aborted before its own timeout. Otherwise it could create something after the
 * clean-up.
 */
export const never: AbortSignal = new AbortController().signal;

const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 100) / 10} seconds`;

/**
 * Runs work with a timeout, until `stop` is aborted.
 *
 * @param what the work, as the subject of a sentence
 * @throws Failed after the timeout; the reason of `stop` when that was aborted first
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
    // Aborted work throws a less specific error.
    throw both.signal.aborted ? both.signal.reason : error;
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", stopped);
  }
}

/**
 * Polls until there is a result.
 *
 * @param look returns undefined while there is none
 * @throws Failed after the timeout
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
