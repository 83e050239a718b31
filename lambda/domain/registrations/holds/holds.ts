/** Unpaid seats are held for a while (`design.md`, section 7). Pure. */

/** How long, in milliseconds. */
export interface HoldDurations {
  readonly newRegistration: number;
  readonly promotion: number;
  readonly acceptance: number;
}

/**
 * Until when a seat is held: at most until the event starts, unless it has started already.
 * @param startsAt epoch milliseconds
 * @returns epoch milliseconds
 */
export const holdUntil = (now: number, duration: number, startsAt: number): number =>
  startsAt > now ? Math.min(now + duration, startsAt) : now + duration;

const minute = 60_000;
const longestDistance = 4 * 60 * minute;

/**
 * How long a hold that could not be ended is left alone: 1, 2, 4, ... minutes, at most four hours.
 * @param failures how often it could not be ended, from 1
 * @returns milliseconds
 */
export const distanceAfter = (failures: number): number => Math.min(minute * 2 ** (failures - 1), longestDistance);

/** After so many failures, seven minutes after the first, trying again does not help: an operator has to look. */
const failuresOfStuck = 4;

export const isStuck = ({ failures }: { readonly failures: number }): boolean => failures >= failuresOfStuck;
