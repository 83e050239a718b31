/** Creates, changes and deletes a prize. */

import { Duplicate, NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { type IfMatch, requireMatch } from "#kit/request/etag.ts";
import { answer, type Decision, edit, execute, write, writeOnce } from "#kit/table/execute.ts";
import { auditRow, changesOf } from "#outbox/audit.ts";
import { changedPrize, type NewPrize, newPrize, type PrizeChanges, type PrizeRecord } from "./prize.ts";
import { putNewPrize, readPrize, removePrize, removeUneditedPrize, replacePrize } from "./store.ts";

/** What the audit has of a change. */
const auditOf = (
  action: string,
  { before, after }: { readonly before?: PrizeRecord; readonly after?: PrizeRecord },
  context: RequestContext,
) => auditRow({ action, id: (after ?? before)?.id, changes: changesOf(before, after) }, context);

/** @throws Duplicate a prize has this id */
export async function createPrize(details: NewPrize, context: RequestContext): Promise<PrizeRecord> {
  const prize = newPrize(details, context.newId(), context.now);
  const refused = await writeOnce(
    { prize: putNewPrize(prize), audit: auditOf("prize.created", { after: prize }, context) },
    context,
  );
  if (refused) throw new Duplicate("There is a prize with this id already.");
  return prize;
}

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
      if (prize === read) return answer(read);
      const audit = auditOf("prize.updated", { before: read, after: prize }, context);
      return write({ prize: replacePrize(prize, read), audit }, prize);
    },
    context,
  );

/** @throws NotFound PreconditionFailed */
export const deletePrize = (id: string, ifMatch: IfMatch | undefined, context: RequestContext): Promise<void> =>
  execute(
    {
      read: async (replaced: "replaced" | undefined) => replaced ?? (await readPrize(id)),
      decide(prize: PrizeRecord | "replaced" | undefined): Decision<void, "replaced"> {
        if (prize === "replaced") return answer(undefined);
        if (!prize) throw new NotFound("Prize");
        requireMatch(ifMatch, prize);
        const audit = auditOf("prize.deleted", { before: prize }, context);
        if (ifMatch) return write({ prize: removeUneditedPrize(prize), audit }, undefined);
        // A refusal means that the prize is gone and another prize has its id.
        return write({ prize: removePrize(prize), audit }, undefined, () => "replaced");
      },
    },
    context,
  );
