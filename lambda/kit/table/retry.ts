/** Retries after conflicts and lost responses, with full jitter, and within the deadline of the request. */

import { Contended } from "../errors.ts";
import { seam } from "../seam.ts";
import { Conflict, Throttled, UnknownOutcome } from "./conflict.ts";

/** Maximum milliseconds of the first pause and of any pause. */
interface Bounds {
  readonly first: number;
  readonly longest: number;
}

const inConflict: Bounds = { first: 20, longest: 300 };
/** Capacity units of a partition are replenished within a second, so an earlier retry usually fails. */
const whenThrottled: Bounds = { first: 400, longest: 1_600 };

/** Milliseconds to pause after the n-th conflict (from 0): random, from 0 to a bound that doubles up to a cap. */
const jitter = (conflicts: number, { first, longest }: Bounds): number =>
  Math.random() * Math.min(longest, first * 2 ** conflicts);

/** The part of a request's context that bounds retries. */
export interface Deadline {
  /** When the last try may start, in milliseconds of `performance.now()`. */
  readonly deadline: number;
}

/** The growing pauses between the tries of one request, until its deadline. */
export class Backoff {
  readonly #deadline: number;
  #conflicts = 0;

  constructor({ deadline }: Deadline) {
    this.#deadline = seam.deadlineOf(deadline);
  }

  get isOver(): boolean {
    return performance.now() > this.#deadline;
  }

  /**
   * Pauses before the next try.
   * @param cause of the previous try's failure
   * @throws the error from `atTheEnd`, when the deadline has passed
   */
  async pause(atTheEnd: () => Error, cause?: Error): Promise<void> {
    if (this.isOver) throw atTheEnd();
    const bounds = cause instanceof Throttled ? whenThrottled : inConflict;
    await seam.pause(jitter(this.#conflicts, bounds));
    this.#conflicts += 1;
  }

  /** Waits for others' work, for a random time between two bounds in milliseconds. */
  async rest({ least, most }: { readonly least: number; readonly most: number }): Promise<void> {
    await seam.pause(least + Math.random() * (most - least));
  }
}

/**
 * Runs a step until it gets a response. The step may run more than once, so it must be a read or an idempotent write. All
 * other writes use `execute`.
 * @throws Contended the deadline passed while others wrote; nothing was written
 * @throws UnknownOutcome the deadline passed, and a call got no response
 */
export async function retried<T>(step: () => Promise<T>, deadline: Deadline): Promise<T> {
  const backoff = new Backoff(deadline);
  let unknown: UnknownOutcome | undefined;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof Conflict || error instanceof UnknownOutcome)) throw error;
      if (error instanceof UnknownOutcome) unknown = error;
      await backoff.pause(() => unknown ?? new Contended({ cause: error }), error);
    }
  }
}
