import { createPrize as create } from "#domain/prizes/create-prize.ts";
import { created } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { etagOf } from "#kit/etag.ts";
import { prizeAnswer } from "./prize-answer.ts";
import * as routes from "./routes.ts";

export const createPrize = api(routes.createPrize, async ({ body, context }) => {
  const prize = await create(body, context);
  return created({ message: "Prize created.", item: prizeAnswer(prize) }, etagOf(prize));
});
