/** @returns how many people come at once: `few` in a normal run, eight times as many in `test/deep/crowds.test.ts` */
export const crowd = (few: number): number => few * Number(process.env.CROWD_FACTOR ?? 1);
