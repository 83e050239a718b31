import type { Activity } from "./activity.ts";
import type { Clock } from "./clock.ts";

/** Pauses in the middle of work. A pause does not count as work under way, and closing ends all pauses. */
export class Pauses {
  readonly #clock: Clock;
  readonly #activity: Activity;
  readonly #open = new Set<() => void>();
  #closed = false;

  constructor(clock: Clock, activity: Activity) {
    this.#clock = clock;
    this.#activity = activity;
  }

  /** Resolves after this many milliseconds, or when the pauses are closed. */
  pause(milliseconds: number): Promise<void> {
    if (this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        this.#open.delete(end);
        this.#activity.begin();
        resolve();
      };
      const cancel = this.#clock.after(milliseconds, end);
      this.#open.add(end);
      this.#activity.end();
    });
  }

  close(): void {
    this.#closed = true;
    for (const end of [...this.#open]) end();
  }
}
