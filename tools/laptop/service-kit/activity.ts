/** Counts the work under way, so that a caller can wait until there is none. */
export class Activity {
  #busy = 0;
  #waiting: (() => void)[] = [];
  readonly #whole: Activity | undefined;

  /**
   * @param whole counts the work of all services. Services that trigger each other share it. Each begins before its
   * trigger ends, so the shared count reaches zero only when all of them are done.
   */
  constructor(whole?: Activity) {
    this.#whole = whole;
  }

  begin(): void {
    this.#whole?.begin();
    this.#busy += 1;
  }

  end(): void {
    this.#busy -= 1;
    this.#whole?.end();
    if (this.#busy > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Counts a promise until it settles. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.begin();
    try {
      return await work();
    } finally {
      this.end();
    }
  }

  /** Resolves when no work is under way. */
  async settled(): Promise<void> {
    while (this.#busy > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /**
   * Resolves when no work is under way, or after this many milliseconds, so that closing a service does not take
   * longer.
   */
  async settledWithin(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
    });
    await Promise.race([this.settled(), enough]);
    clearTimeout(timer);
  }
}

/** Milliseconds that a closing service waits for the work under way. */
export const closingTime = 2_000;
