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
