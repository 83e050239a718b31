/** The hours in which something is counted. Pure. */

/** Milliseconds. */
export const hour = 3_600_000;

/** The hour that a time is counted in, by its beginning. Both in epoch milliseconds. */
export const hourOf = (now: number): number => now - (now % hour);
