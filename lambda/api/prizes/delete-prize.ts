import { deletePrize as remove } from "#domain/prizes/delete-prize.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import * as routes from "./routes.ts";

export const deletePrize = api(routes.deletePrize, async ({ params, ifMatch, context }) => {
  await remove(params.id, ifMatch, context);
  return ok({ message: "Prize deleted." });
});
