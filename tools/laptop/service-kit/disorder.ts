/**
 * The disorder that AWS allows for streams, queues and buses: repeats, pauses and another order. All of it is drawn from
 * one seed, so that a run can be reproduced.
 */

/** One of this many deliveries is repeated. */
const oneOf = 4;
/** Maximum delay in milliseconds. */
const longestPause = 120;

/** Hash of a text, so that every part of a stage draws numbers of its own (FNV-1a). */
const hashOf = (text: string): number =>
  [...text].reduce((hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193), 0x811c9dc5);

/** A source of random draws. The same seed gives the same draws. */
export class Disorder {
  readonly #seed: number;
  #state: number;

  /** @param seed a whole number */
  constructor(seed: number) {
    this.#seed = seed;
    this.#state = seed | 0;
  }

  /** A source for one part of the stage. What other parts draw does not change its draws. */
  of(name: string): Disorder {
    return new Disorder(hashOf(`${this.#seed} ${name}`));
  }

  /** A whole number from 0 to `limit - 1` (Mulberry32). */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  /** Whether something comes a second time. */
  repeats(): boolean {
    return this.below(oneOf) === 0;
  }

  /** One of two ways. */
  either(): boolean {
    return this.below(2) === 0;
  }

  /** The same things in random order. */
  shuffled<T>(things: Iterable<T>): T[] {
    const left = [...things];
    return Array.from({ length: left.length }, () => left.splice(this.below(left.length), 1)[0] as T);
  }

  /** Resolves after a random time. Every second pause ends at once. Its caller counts as work under way. */
  async pause(): Promise<void> {
    const milliseconds = this.either() ? 0 : this.below(longestPause);
    if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds));
  }
}
