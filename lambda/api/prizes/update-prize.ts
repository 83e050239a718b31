import { changedPrize, type PrizeRecord } from "#domain/prizes/prize.ts";
import { readPrize, replacePrize } from "#domain/prizes/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { NotFound } from "#kit/errors.ts";
import { etagOf, requireMatch } from "#kit/etag.ts";
import { answer, type Decision, execute, write } from "#kit/execute.ts";
import { prizeAnswer } from "./prize-answer.ts";
import * as routes from "./routes.ts";

export const updatePrize = api(routes.updatePrize, async ({ params, body, ifMatch, now, context }) => {
  const prize = await execute(
    {
      depth: "certain",
      read: () => readPrize(params.id),
      decide(read: PrizeRecord | undefined): Decision<PrizeRecord> {
        if (!read) throw new NotFound("Prize");
        requireMatch(ifMatch, read);
        const changed = changedPrize(read, body, now);
        if (changed === read) return answer(read);
        return write({ prize: replacePrize(changed, read) }, changed);
      },
    },
    context,
  );
  return ok({ message: "Prize updated.", item: prizeAnswer(prize) }, etagOf(prize));
});
