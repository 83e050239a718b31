/** Time that passes only when all work of the present moment is done. Nothing waits in real time. */

interface Due {
  readonly at: number;
  readonly run: () => void;
}

const allDone = () => new Promise<void>((resolve) => setImmediate(resolve));

export class VirtualTime {
  /** Milliseconds since the beginning. */
  now = 0;
  /** The latest is first. */
  readonly #due: Due[] = [];
  /** Parts of the present moment that need more than the microtasks of this thread. */
  #busy = 0;

  /** Resolves after so many milliseconds. What is due at the same time comes in the order of the calls. */
  readonly sleep = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const at = this.now + milliseconds;
      let [low, high] = [0, this.#due.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((this.#due[middle] as Due).at > at) low = middle + 1;
        else high = middle;
      }
      this.#due.splice(low, 0, { at, run: resolve });
    });

  /** Time stands still until the work is done. The work may sleep by `asleep` in between. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#busy += 1;
    try {
      return await work();
    } finally {
      this.#busy -= 1;
    }
  }

  /** Sleeps inside `during`. */
  readonly asleep = async (milliseconds: number): Promise<void> => {
    this.#busy -= 1;
    await this.sleep(milliseconds);
    this.#busy += 1;
  };

  /** Lets time pass until the work is done and nothing is due any more. */
  async run(work: Promise<unknown>): Promise<void> {
    let isDone = false;
    const end = work.finally(() => {
      isDone = true;
    });
    end.catch(() => undefined);
    for (;;) {
      do await allDone();
      while (this.#busy > 0);
      const next = this.#due.pop();
      if (!next) {
        if (!isDone) throw new Error("The work waits, and nothing is due.");
        await end;
        return;
      }
      this.now = next.at;
      next.run();
    }
  }
}
