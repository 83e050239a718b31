/** Time for services that wait: the machine's, or a test's own. */

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls back once after so many milliseconds; the returned function calls that off. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The longest time that a timer of Node's can wait; a longer one would go off at once. */
const longestTimer = 2 ** 31 - 1;

/** The machine's clock. Its timers keep no process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, Math.min(Math.max(0, milliseconds), longestTimer)).unref();
    return () => clearTimeout(timer);
  },
};
