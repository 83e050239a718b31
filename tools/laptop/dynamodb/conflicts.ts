/**
 * The conflict model. In AWS a write occupies its items from its arrival until it is committed, and a transaction that
 * meets an occupied item is cancelled instead of waiting. Emulators commit one request after the other and never
 * conflict. Here it is on by default, so that code that cannot handle a conflict fails on the laptop.
 */
import { setTimeout as pause } from "node:timers/promises";

interface Occupation {
  singles: number;
  transactional: boolean;
}

export class Conflicts {
  /** Minimum milliseconds for which a write occupies its items; 0: nothing ever conflicts. */
  readonly milliseconds: number;
  readonly #occupied = new Map<string, Occupation>();

  readonly #wait: (milliseconds: number) => Promise<unknown>;

  /** @param wait lets the milliseconds pass; a simulation has a clock of its own */
  constructor(milliseconds: number, wait: (milliseconds: number) => Promise<unknown> = (time) => pause(time)) {
    this.milliseconds = milliseconds;
    this.#wait = wait;
  }

  /** Whether a transaction that touches this item now is cancelled. */
  disturbsTransaction(key: string): boolean {
    return this.#occupied.has(key);
  }

  /** Whether a single write to this item now is refused. Single writes wait for each other. */
  disturbsWrite(key: string): boolean {
    return this.#occupied.get(key)?.transactional === true;
  }

  /** Occupies the items, waits, and runs `commit`. */
  async during<T>(keys: readonly string[], transactional: boolean, commit: () => Promise<T>): Promise<T> {
    if (this.milliseconds === 0) return commit();
    for (const key of keys) this.#occupy(key, transactional);
    try {
      await this.#wait(this.milliseconds);
      return await commit();
    } finally {
      for (const key of keys) this.#release(key, transactional);
    }
  }

  #occupy(key: string, transactional: boolean): void {
    const occupation = this.#occupied.get(key) ?? { singles: 0, transactional: false };
    if (transactional) occupation.transactional = true;
    else occupation.singles += 1;
    this.#occupied.set(key, occupation);
  }

  #release(key: string, transactional: boolean): void {
    const occupation = this.#occupied.get(key);
    if (!occupation) return;
    if (transactional) occupation.transactional = false;
    else occupation.singles -= 1;
    if (!occupation.transactional && occupation.singles === 0) this.#occupied.delete(key);
  }
}
