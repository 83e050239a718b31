/** How many people a test sends at once: a few for every run, a crowd in the deep one (`test/deep/crowds.test.ts`). */
export const crowd = (few: number): number => few * Number(process.env.CROWD_FACTOR ?? 1);
