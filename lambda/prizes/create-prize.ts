import { ulid } from "ulid";
import { created } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { Duplicate } from "#kit/errors.ts";
import { untilSettled } from "#kit/retry.ts";
import { commit } from "#kit/table.ts";
import { newPrize, prizeAnswer } from "./prize.ts";
import * as routes from "./routes.ts";
import { putNewPrize } from "./store.ts";

export const createPrize = api(routes.createPrize, async ({ body, now, requestId }) => {
  const prize = newPrize(body, ulid(now), { now, requestId });
  const outcome = await untilSettled(() => commit({ prize: putNewPrize(prize) }));
  // An earlier try may have been carried out, and only its answer got lost.
  const isOurs = outcome.committed || outcome.refused.prize?.changedBy === requestId;
  if (!isOurs) throw new Duplicate("There is a prize with this id already.");
  return created({ message: "Prize created.", item: prizeAnswer(prize) });
});
