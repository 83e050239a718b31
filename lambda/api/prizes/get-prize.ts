import { readPrize } from "#domain/prizes/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { NotFound } from "#kit/errors.ts";
import { etagOf } from "#kit/etag.ts";
import { prizeAnswer } from "./prize-answer.ts";
import * as routes from "./routes.ts";

export const getPrize = api(routes.getPrize, async ({ params }) => {
  const prize = await readPrize(params.id);
  if (!prize) throw new NotFound("Prize");
  return ok(prizeAnswer(prize), etagOf(prize));
});
