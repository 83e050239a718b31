import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { NotFound } from "#kit/errors.ts";
import { untilSettled } from "#kit/retry.ts";
import { commit } from "#kit/table.ts";
import * as routes from "./routes.ts";
import { readPrize, removePrize } from "./store.ts";

export const deletePrize = api(routes.deletePrize, async ({ params }) => {
  const prize = await untilSettled(() => readPrize(params.id));
  if (!prize) throw new NotFound("Prize");
  await untilSettled(() => commit({ prize: removePrize(prize) }));
  return ok({ message: "Prize deleted." });
});
