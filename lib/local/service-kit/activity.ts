/** Counts what is being done, for those who wait until nothing is. */
export class Activity {
  #busy = 0;
  #waiting: (() => void)[] = [];
  readonly #whole: Activity | undefined;

  /**
   * @param whole counts what is being done here and elsewhere. Services that set each other off share one: it is only
   * done when all of them are, as each begins before the one that set it off ends.
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

  /** Resolves when nothing is being done. */
  async settled(): Promise<void> {
    while (this.#busy > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves when nothing is being done, or after so many milliseconds: nobody waits longer for a service to stop. */
  async settledWithin(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
    });
    await Promise.race([this.settled(), enough]);
    clearTimeout(timer);
  }
}

/** Milliseconds that a service that is being closed gives to what it has begun. */
export const closingTime = 2_000;
