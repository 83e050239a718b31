/** What `npm test` takes of long lists of cases. `test/deep/all-cases.test.ts` takes all of them. */

const isWhole = process.env.ALL_CASES === "1";

/** One in so many pairs is tested in a normal run. */
const oneIn = 5;

/**
 * The partners of the `nth` value of one list in another list, at least one. Values that follow each other have different
 * partners, so that five of them together meet all.
 */
export const partnersOf = <T>(nth: number, all: readonly T[]): readonly T[] =>
  isWhole ? all : all.filter((_, n) => (n + nth) % Math.min(oneIn, all.length) === 0);

/** The first cases of a list. */
export const firstOf = <T>(count: number, all: readonly T[]): readonly T[] => (isWhole ? all : all.slice(0, count));
