import { NotFound } from "#kit/errors.ts";
import { type IfMatch, requireMatch } from "#kit/etag.ts";
import { answer, type Decision, execute, write } from "#kit/execute.ts";
import type { Deadline } from "#kit/retry.ts";
import type { PrizeRecord } from "./prize.ts";
import { readPrize, removePrize, removeUneditedPrize } from "./store.ts";

/** @throws NotFound PreconditionFailed */
export const deletePrize = (id: string, ifMatch: IfMatch | undefined, deadline: Deadline): Promise<void> =>
  execute(
    {
      read: async (replaced: "replaced" | undefined) => replaced ?? (await readPrize(id)),
      decide(prize: PrizeRecord | "replaced" | undefined): Decision<void, "replaced"> {
        if (prize === "replaced") return answer(undefined);
        if (!prize) throw new NotFound("Prize");
        requireMatch(ifMatch, prize);
        if (ifMatch) return write({ prize: removeUneditedPrize(prize) }, undefined);
        // When the table refuses, the prize is gone and another prize has its id.
        return write({ prize: removePrize(prize) }, undefined, () => "replaced");
      },
    },
    deadline,
  );
