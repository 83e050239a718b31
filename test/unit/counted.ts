/** What a call counts for the business metrics. */
import { type Count, countsOfInvocation } from "#kit/count.ts";

/** @returns the sum of each metric that the call counts, also when the call fails */
export async function countedBy(run: () => Promise<unknown>): Promise<Record<string, number>> {
  const counts: Count[] = [];
  await countsOfInvocation.run(counts, () => run().catch(() => undefined));
  const sums: Record<string, number> = {};
  for (const { name, value } of counts) sums[name] = (sums[name] ?? 0) + value;
  return sums;
}
