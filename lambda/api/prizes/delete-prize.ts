import type { PrizeRecord } from "#domain/prizes/prize.ts";
import { readPrize, removePrize, removeUneditedPrize } from "#domain/prizes/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { NotFound } from "#kit/errors.ts";
import { requireMatch } from "#kit/etag.ts";
import { answer, type Decision, type Depth, execute, write } from "#kit/execute.ts";
import * as routes from "./routes.ts";

export const deletePrize = api(routes.deletePrize, async ({ params, ifMatch, context }) => {
  await execute(
    {
      depth: "certain",
      read: async (_depth: Depth, replaced: "replaced" | undefined) => replaced ?? (await readPrize(params.id)),
      decide(prize: PrizeRecord | "replaced" | undefined): Decision<void, "replaced"> {
        if (prize === "replaced") return answer(undefined);
        if (!prize) throw new NotFound("Prize");
        requireMatch(ifMatch, prize);
        if (ifMatch) return write({ prize: removeUneditedPrize(prize) }, undefined);
        // When the table refuses, the prize is gone and another prize has its id.
        return write({ prize: removePrize(prize) }, undefined, () => "replaced");
      },
    },
    context,
  );
  return ok({ message: "Prize deleted." });
});
