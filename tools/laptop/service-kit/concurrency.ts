/** The account's concurrency: how many invocations may run at the same time. A new account of AWS has 10. */

/** Lambda's answer to an invocation that has no room. */
export class Throttled extends Error {
  readonly errorType = "TooManyRequestsException";

  constructor() {
    super("Rate Exceeded.");
  }
}

/** Whether the function was not called at all, for lack of room. Such a try does not count as a failure of it. */
export const isThrottled = (problem: unknown): boolean => problem instanceof Throttled;

/** Counts the invocations of all functions. */
export class Concurrency {
  readonly #most: number;
  #running = 0;

  /** @param most invocations that may run at the same time; absent: no limit */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  get running(): number {
    return this.#running;
  }

  /** @throws Throttled when there is no room, and every error of the invocation */
  async run<T>(invoke: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#most) throw new Throttled();
    this.#running += 1;
    try {
      return await invoke();
    } finally {
      this.#running -= 1;
    }
  }
}
