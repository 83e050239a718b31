import { readPrize, removePrize } from "#domain/prizes/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { NotFound } from "#kit/errors.ts";
import { writeOnce } from "#kit/execute.ts";
import { retried } from "#kit/retry.ts";
import * as routes from "./routes.ts";

export const deletePrize = api(routes.deletePrize, async ({ params, context }) => {
  const prize = await retried(() => readPrize(params.id), context);
  if (!prize) throw new NotFound("Prize");
  // When the table refuses, the prize is gone and another prize has its id.
  await writeOnce({ prize: removePrize(prize) }, context);
  return ok({ message: "Prize deleted." });
});
