/** The time by which services wait: the machine's, or a clock that a test moves. */

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls back once after this many milliseconds. The returned function cancels the call. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The longest time that a timer of Node can wait; a longer one would fire at once. */
const longestTimer = 2 ** 31 - 1;

/** The machine's clock. Its timers keep no process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, Math.min(Math.max(0, milliseconds), longestTimer)).unref();
    return () => clearTimeout(timer);
  },
};
