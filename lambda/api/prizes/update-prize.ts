import { changePrize } from "#domain/prizes/change-prize.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { etagOf } from "#kit/etag.ts";
import { prizeAnswer } from "./prize-answer.ts";
import * as routes from "./routes.ts";

export const updatePrize = api(routes.updatePrize, async ({ params, body, ifMatch, context }) => {
  const prize = await changePrize(params.id, body, ifMatch, context);
  return ok({ message: "Prize updated.", item: prizeAnswer(prize) }, etagOf(prize));
});
