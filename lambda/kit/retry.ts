/** Retrying what others write at the same moment: full jitter, bounded in time (`design.md`, section 6). */
import { setTimeout as pause } from "node:timers/promises";
import { Conflict, UnknownOutcome } from "./conflict.ts";
import { Contended } from "./errors.ts";

const baseMilliseconds = 20;
const capMilliseconds = 300;
const maxMilliseconds = 15_000;

/** How often facts may be outdated in a row before it looks as if a step will never settle. */
const outdatedAtOnce = 5;

/** What a step answers when what it had read is outdated: it is run again, at first at once, and reads again. */
export const again = Symbol("again");

/** The pause after the n-th conflict (from 0): anything from nothing to an exponentially growing, capped bound. */
export const jitter = (conflicts: number, random = Math.random()): number =>
  random * Math.min(capMilliseconds, baseMilliseconds * 2 ** conflicts);

/**
 * Runs a step until it settles. A step reads what it decides on by itself, so that every run decides on fresh facts.
 * @throws Contended after fifteen seconds of conflicts: nothing was written
 * @throws UnknownOutcome after fifteen seconds in which a call stayed without an answer: something may have been written
 */
export async function untilSettled<T>(step: () => Promise<T | typeof again>): Promise<T> {
  const deadline = performance.now() + maxMilliseconds;
  let unknown: UnknownOutcome | undefined;
  let outdated = 0;
  for (let conflicts = 0; ; ) {
    try {
      const settled = await step();
      if (settled !== again) return settled;
      if (performance.now() > deadline) throw new Conflict("outdated again and again");
      outdated += 1;
      if (outdated > outdatedAtOnce) await pause(jitter(outdated - outdatedAtOnce - 1));
    } catch (error) {
      if (!(error instanceof Conflict || error instanceof UnknownOutcome)) throw error;
      if (error instanceof UnknownOutcome) unknown = error;
      // After an unknown outcome nobody can promise that nothing was written.
      if (performance.now() > deadline) throw unknown ?? new Contended({ cause: error });
      await pause(jitter(conflicts));
      conflicts += 1;
    }
  }
}
