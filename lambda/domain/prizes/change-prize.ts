import type { RequestContext } from "#kit/context.ts";
import { type IfMatch, requireMatch } from "#kit/etag.ts";
import { answer, edit, write } from "#kit/execute.ts";
import { changedPrize, type PrizeChanges, type PrizeRecord } from "./prize.ts";
import { readPrize, replacePrize } from "./store.ts";

/** @throws NotFound PreconditionFailed */
export const changePrize = (
  id: string,
  changes: PrizeChanges,
  ifMatch: IfMatch | undefined,
  context: RequestContext,
): Promise<PrizeRecord> =>
  edit(
    "Prize",
    () => readPrize(id),
    (read) => {
      requireMatch(ifMatch, read);
      const prize = changedPrize(read, changes, context.now);
      return prize === read ? answer(read) : write({ prize: replacePrize(prize, read) }, prize);
    },
    context,
  );
