/**
 * How long a code is out of view until it is a new scan. By time alone, a code that is held there would be scanned again
 * where the camera is read seldom, as on a slow phone; by looks alone, where it is read often.
 */
const absence = {
  /** Milliseconds: more than a reader misses a code that is held still, and less than it takes to hand a phone on. */
  longerThan: 1_000,
  /** Looks at the camera's picture, one after the other, that do not find it. */
  looks: 3,
};

/** Tells a code that is still held there from one that comes into view, by what each look at the camera's picture finds. */
export class CodesInView {
  readonly #now: () => number;
  readonly #absence: typeof absence;
  /** When each taken code was found last, and the looks since then. */
  readonly #taken = new Map<string, { readonly at: number; readonly misses: number }>();

  /** @param now milliseconds of a clock that never jumps */
  constructor(now: () => number, endsAfter = absence) {
    this.#now = now;
    this.#absence = endsAfter;
  }

  /** Whether a code that was taken is still held there. */
  get isHeld(): boolean {
    return this.#taken.size > 0;
  }

  /**
   * Notes what one look has found.
   * @returns a code that is new. With several codes in view it is not clear which one is held there: none of them is.
   */
  look(found: readonly string[]): string | undefined {
    for (const code of this.#taken.keys()) {
      if (found.includes(code)) this.take(code);
      else this.#miss(code);
    }
    const [code, ...others] = found;
    return code === undefined || others.length > 0 || this.#taken.has(code) ? undefined : code;
  }

  /** The code is no longer new, until it has been out of view. */
  take(code: string): void {
    this.#taken.set(code, { at: this.#now(), misses: 0 });
  }

  #miss(code: string): void {
    const { at, misses } = this.#taken.get(code) as { at: number; misses: number };
    const { looks, longerThan } = this.#absence;
    if (misses + 1 >= looks && this.#now() - at > longerThan) this.#taken.delete(code);
    else this.#taken.set(code, { at, misses: misses + 1 });
  }
}
