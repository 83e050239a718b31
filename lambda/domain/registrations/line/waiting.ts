/** Rules for the number of people who wait, as callers see it. Pure. */
import { exactCount } from "#domain/capacity/place-in-line.ts";

/** A line up to this length is counted by each reader, at once. Of a longer one, a reader takes the kept count. */
export const shortLine = 30;

export const isLong = (waiting: number): boolean => waiting > shortLine;

/** The end of the line: one more place than a short line has, at most. */
export interface LineEnd {
  /** The generation of each place. */
  readonly generations: readonly string[];
  /** The queueKey at which the read stopped. Undefined: this is the whole line. */
  readonly stoppedAt: string | undefined;
}

/** The number of people who wait, as the promoter last counted it. */
export interface KeptCount {
  readonly generation: string;
  readonly waiting: number;
  /** Epoch milliseconds at which the count began. It has every change that was committed before. */
  readonly countedAt: number;
}

/**
 * The number of people who wait: exact while the line is short, else as of the kept count. The line may have become long
 * since that count, so the people that were seen are the least.
 * @returns undefined for a long line that has no count, because an earlier build made the event
 */
export function waitingIn(
  { generations, stoppedAt }: LineEnd,
  kept: KeptCount | undefined,
  generation: string,
): number | undefined {
  const places = generations.filter((one) => one === generation).length;
  const exact = isLong(places) ? undefined : exactCount({ places, stoppedAt }, generation);
  if (exact !== undefined || !kept) return exact;
  return kept.generation === generation ? Math.max(kept.waiting, places) : places;
}
