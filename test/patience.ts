/**
 * Milliseconds after which a test says that what it waits for does not come. A wait ends as soon as it comes, so only a
 * failure takes this long: more than a machine needs that is as busy as can be, and less than `testTimeout`.
 */
export const patience = 100_000;
