/** Tries again after conflicts and lost answers: with full jitter, and within the deadline of the request. */
import { Conflict, Throttled, UnknownOutcome } from "./conflict.ts";
import type { RequestContext } from "./context.ts";
import { Contended } from "./errors.ts";
import { seam } from "./seam.ts";

/** Milliseconds of a pause at most: the first, and the longest. */
interface Bounds {
  readonly first: number;
  readonly longest: number;
}

const inConflict: Bounds = { first: 20, longest: 300 };
/** The units of a partition key come back within a second, so a try before that is mostly in vain. */
const whenThrottled: Bounds = { first: 400, longest: 1_600 };

/** Milliseconds to pause after the n-th conflict (from 0): random, from 0 to a bound that doubles up to a cap. */
export const jitter = (conflicts: number, random = Math.random(), { first, longest } = inConflict): number =>
  random * Math.min(longest, first * 2 ** conflicts);

/** The part of a context that bounds retries. */
export type Deadline = Pick<RequestContext, "deadline">;

/** The pauses between the tries of one request. They grow, and end at its deadline. */
export class Patience {
  readonly #deadline: number;
  #conflicts = 0;

  constructor({ deadline }: Deadline) {
    this.#deadline = seam.deadlineOf(deadline);
  }

  get isOver(): boolean {
    return seam.now() > this.#deadline;
  }

  /**
   * Pauses before the next try.
   * @param cause why the try before failed
   * @throws the error that `atTheEnd` makes, when the deadline has passed
   */
  async pause(atTheEnd: () => Error, cause?: Error): Promise<void> {
    if (this.isOver) throw atTheEnd();
    const bounds = cause instanceof Throttled ? whenThrottled : inConflict;
    await seam.pause(jitter(this.#conflicts, Math.random(), bounds));
    this.#conflicts += 1;
  }

  /** Waits for the work of others, a random time between two bounds in milliseconds. */
  async rest({ least, most }: { readonly least: number; readonly most: number }): Promise<void> {
    await seam.pause(least + Math.random() * (most - least));
  }
}

/**
 * Runs a step until one call of it is answered. The step may run more than once, so it must be a read, or a write that
 * changes nothing when it is repeated. Every other write goes through `execute`.
 * @throws Contended the deadline passed while others wrote; nothing was written
 * @throws UnknownOutcome the deadline passed, and a call stayed without an answer
 */
export async function retried<T>(step: () => Promise<T>, deadline: Deadline): Promise<T> {
  const patience = new Patience(deadline);
  let unknown: UnknownOutcome | undefined;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof Conflict || error instanceof UnknownOutcome)) throw error;
      if (error instanceof UnknownOutcome) unknown = error;
      await patience.pause(() => unknown ?? new Contended({ cause: error }), error);
    }
  }
}
