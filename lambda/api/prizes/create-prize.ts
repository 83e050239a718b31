import { newPrize } from "#domain/prizes/prize.ts";
import { putNewPrize } from "#domain/prizes/store.ts";
import { created } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { Duplicate } from "#kit/errors.ts";
import { etagOf } from "#kit/etag.ts";
import { writeOnce } from "#kit/execute.ts";
import { prizeAnswer } from "./prize-answer.ts";
import * as routes from "./routes.ts";

export const createPrize = api(routes.createPrize, async ({ body, context }) => {
  const prize = newPrize(body, context.newId(), context.now);
  const refused = await writeOnce({ prize: putNewPrize(prize) }, context);
  if (refused) throw new Duplicate("There is a prize with this id already.");
  return created({ message: "Prize created.", item: prizeAnswer(prize) }, etagOf(prize));
});
