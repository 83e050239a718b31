/** Spans of time in milliseconds, and the hours in which something is counted. Pure. */

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** The hour that a time is counted in, by its beginning. Both in epoch milliseconds. */
export const hourOf = (now: number): number => now - (now % hour);

/** The hour of a time in keys, such as `2030-01-01T12`. @param now epoch milliseconds */
export const hourText = (now: number): string => new Date(now).toISOString().slice(0, 13);
