/**
 * Counts a line anew after a change, and sets the kept count. A message about a change may come twice, late and in any
 * order, so nothing is added to a count (`docs/design.md`, "The capacity protocol").
 */

import { countLine } from "#domain/capacity/line.ts";
import type { EventKey } from "#domain/events/event.ts";
import { Contended } from "#kit/errors.ts";
import { type Deadline, Patience, retried } from "#kit/retry.ts";
import { seam } from "#kit/seam.ts";
import { readKeptCount, replaceCount } from "./kept-count.ts";
import { isLong, type KeptCount } from "./waiting.ts";

/** Milliseconds between the beginnings of two counts of a long line, at least. */
const betweenCounts = 2_000;
/** Milliseconds by which the clocks of the queue and of two functions may differ. */
const clockDifference = 1_000;

/** A change of the line that a message tells of. */
export interface LineChange {
  readonly event: EventKey;
  readonly generation: string;
  /**
   * Epoch milliseconds at which the message came into the queue, which is after the change. Undefined: not known, so
   * that no count before this one has the change for certain.
   */
  readonly sentAt: number | undefined;
}

/**
 * Makes sure that the kept count has a change. It is left as it is when it began after the change, or when the line was
 * short before and is short now, because then each reader counts the line. A long line is counted at most once in two
 * seconds: this waits until then, and by then another message may have brought the count.
 * @throws Contended UnknownOutcome the deadline has passed; the message has to come again
 */
export async function recountLine(
  { event, generation, sentAt = Number.POSITIVE_INFINITY }: LineChange,
  deadline: Deadline,
): Promise<void> {
  const patience = new Patience(deadline);
  for (;;) {
    const stored = await retried(() => readKeptCount(event, "strong"), deadline);
    // Generations are named by their times.
    if (stored && stored.generation > generation) return;
    const kept = stored?.generation === generation ? stored : undefined;
    if (kept && kept.countedAt > sentAt + clockDifference) return;
    const wait = kept && isLong(kept.waiting) ? kept.countedAt + betweenCounts - Date.now() : 0;
    if (patience.isOver) throw new Contended();
    if (wait > 0) {
      await seam.pause(Math.min(wait, betweenCounts));
      continue;
    }
    const countedAt = Date.now();
    const waiting = await retried(() => countLine(event, generation), deadline);
    if (kept && !isLong(kept.waiting) && !isLong(waiting)) return;
    const count: KeptCount = { generation, waiting, countedAt };
    if (await retried(() => replaceCount(event, count, stored), deadline)) return;
  }
}
