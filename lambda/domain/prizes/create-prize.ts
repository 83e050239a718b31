import type { RequestContext } from "#kit/context.ts";
import { Duplicate } from "#kit/errors.ts";
import { writeOnce } from "#kit/execute.ts";
import { type NewPrize, newPrize, type PrizeRecord } from "./prize.ts";
import { putNewPrize } from "./store.ts";

/** @throws Duplicate a prize has this id */
export async function createPrize(details: NewPrize, context: RequestContext): Promise<PrizeRecord> {
  const prize = newPrize(details, context.newId(), context.now);
  const refused = await writeOnce({ prize: putNewPrize(prize) }, context);
  if (refused) throw new Duplicate("There is a prize with this id already.");
  return prize;
}
