/** What the mutants of `mutants.test.ts` are made of. */
const usual = { cents: 1_000 };

/** A price in cents: what is asked or the usual, and half of it for members, for so many people. */
export function priceFor(asked: number | undefined, isMember: boolean, people = 1): number {
  const price = asked ?? usual.cents;
  let sum = 0;
  for (let n = 0; n < people; n += 1) sum += isMember ? price / 2 : price;
  return sum;
}
