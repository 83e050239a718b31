/** Virtual time: it advances only when all work of the present moment is done. Nothing waits in real time. */

interface Due {
  readonly at: number;
  readonly run: () => void;
}

const allDone = () => new Promise<void>((resolve) => setImmediate(resolve));

export class VirtualTime {
  /** Milliseconds since the beginning. */
  now = 0;
  /** Sorted, latest first. */
  readonly #due: Due[] = [];
  /** Work of the present moment that needs more than microtasks. */
  #busy = 0;

  /** Resolves after this many milliseconds. Timers that are due at the same time fire in the order of the calls. */
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

  /** Stops time until the work is done. The work may sleep by `asleep`. */
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

  /** Advances time until the work is done and no timer is left. */
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
        if (!isDone) throw new Error("Deadlock: the work is not done, and no timer is left.");
        await end;
        return;
      }
      this.now = next.at;
      next.run();
    }
  }
}
