/**
 * Milliseconds that a code has to be out of view before it is a new scan: longer than a reader misses a code that is held
 * still, and shorter than it takes to hand a phone on.
 */
export const longestGap = 1_000;

/** Tells a code that is still held there from one that comes into view. */
export class Repeats {
  readonly #now: () => number;
  readonly #seen = new Map<string, number>();

  /** @param now milliseconds of a clock that never jumps */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether the code, which is in view, was not in view during the last second. */
  isNew(code: string): boolean {
    const now = this.#now();
    const last = this.#seen.get(code) ?? Number.NEGATIVE_INFINITY;
    this.#seen.set(code, now);
    return now - last > longestGap;
  }

  /** The code is new again. */
  forget(code: string): void {
    this.#seen.delete(code);
  }
}
