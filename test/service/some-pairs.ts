/** Tests of each pair of two lists: some pairs in a normal run, all of them in `test/deep/all-pairs.test.ts`. */

const isWhole = process.env.ALL_PAIRS === "1";

/** One in so many pairs is tested in a normal run. */
const oneIn = 5;

/**
 * The partners of the `nth` value of one list in the other list. Values that follow each other have different partners,
 * so that five of them together meet all.
 */
export const partnersOf = <T>(nth: number, all: readonly T[]): readonly T[] =>
  isWhole ? all : all.filter((_, n) => (n + nth) % oneIn === 0);
