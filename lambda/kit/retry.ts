/** Retrying what others write at the same moment: full jitter, within the deadline of the request. */
import { setTimeout as pause } from "node:timers/promises";
import { Conflict, UnknownOutcome } from "./conflict.ts";
import type { RequestContext } from "./context.ts";
import { Contended } from "./errors.ts";
import { seam } from "./seam.ts";

const baseMilliseconds = 20;
const capMilliseconds = 300;

/** The pause after the n-th conflict (from 0): anything from nothing to an exponentially growing, capped bound. */
export const jitter = (conflicts: number, random = Math.random()): number =>
  random * Math.min(capMilliseconds, baseMilliseconds * 2 ** conflicts);

/** The part of a context that bounds retries. */
export type Deadline = Pick<RequestContext, "deadline">;

/** Pauses between the tries of one request, which grow, and end with its deadline. */
export class Patience {
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
   * @throws `atTheEnd` when the deadline has passed
   */
  async pause(atTheEnd: () => Error): Promise<void> {
    if (this.isOver) throw atTheEnd();
    await pause(jitter(this.#conflicts));
    this.#conflicts += 1;
  }
}

/**
 * Runs a step until a call of it is answered. The step may run more than once: it is a read, or a write that changes
 * nothing when it is repeated. Everything else goes through `execute`.
 * @throws Contended the deadline passed while others wrote: nothing was written
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
      await patience.pause(() => unknown ?? new Contended({ cause: error }));
    }
  }
}
