/** A clock that stands still until a test moves it, and a wait for work of the machine. */
import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../tools/laptop/service-kit/clock.ts";

export interface FakeClock extends Clock {
  /** Moves the clock. Each timer that becomes due is called at its own time. */
  advance(milliseconds: number): void;
  /** The number of timers that wait. */
  readonly waiting: number;
}

export function fakeClock(start = Date.parse("2026-03-01T12:00:00Z")): FakeClock {
  let now = start;
  const timers = new Map<object, { readonly at: number; readonly callback: () => void }>();
  const nextDue = (until: number) =>
    [...timers].filter(([, { at }]) => at <= until).sort(([, a], [, b]) => a.at - b.at)[0];
  return {
    now: () => now,
    after: (milliseconds, callback) => {
      const id = {};
      timers.set(id, { at: now + Math.max(0, milliseconds), callback });
      return () => void timers.delete(id);
    },
    advance(milliseconds) {
      const until = now + milliseconds;
      for (let due = nextDue(until); due; due = nextDue(until)) {
        const [id, { at, callback }] = due;
        timers.delete(id);
        now = Math.max(now, at);
        callback();
      }
      now = until;
    },
    get waiting() {
      return timers.size;
    },
  };
}

/** Waits until the condition is true. @throws Error when it is still false after five seconds */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`still not so after five seconds: ${condition}`);
    await setImmediate();
  }
}
