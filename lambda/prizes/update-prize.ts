import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { NotFound } from "#kit/errors.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { commit } from "#kit/table.ts";
import { changedPrize, prizeAnswer } from "./prize.ts";
import * as routes from "./routes.ts";
import { readPrize, replacePrize } from "./store.ts";

export const updatePrize = api(routes.updatePrize, async ({ params, body, now, requestId }) => {
  const prize = await untilSettled(async () => {
    const read = await readPrize(params.id);
    if (!read) throw new NotFound("Prize");
    // An earlier try was carried out, and only its answer got lost.
    if (read.changedBy === requestId) return read;
    const changed = changedPrize(read, body, { now, requestId });
    const { committed } = await commit({ prize: replacePrize(changed, read) });
    return committed ? changed : again;
  });
  return ok({ message: "Prize updated.", item: prizeAnswer(prize) });
});
