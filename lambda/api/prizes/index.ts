import { changePrize, createPrize, deletePrize } from "#domain/prizes/operations.ts";
import { pageOfPrizes, readPrize } from "#domain/prizes/store.ts";
import { NotFound } from "#kit/errors.ts";
import { decodeCursor, part } from "#kit/lists/cursor.ts";
import { nextHeader } from "#kit/lists/pages.ts";
import { created, ok } from "#kit/request/answer.ts";
import { api, dispatch } from "#kit/request/api.ts";
import { etagOf } from "#kit/request/etag.ts";
import { prizeAnswer } from "./prize-answer.ts";
import * as routes from "./routes.ts";

export const handler = dispatch([
  api(routes.listPrizes, async ({ query: { limit, cursor } }) => {
    const page = await pageOfPrizes({ limit, after: decodeCursor(cursor, part.eventId) });
    return ok(page.rows.map(prizeAnswer), nextHeader(page));
  }),
  api(routes.getPrize, async ({ params }) => {
    const prize = await readPrize(params.id);
    if (!prize) throw new NotFound("Prize");
    return ok(prizeAnswer(prize), etagOf(prize));
  }),
  api(routes.createPrize, async ({ body, context }) => {
    const prize = await createPrize(body, context);
    return created({ message: "Prize created.", item: prizeAnswer(prize) }, etagOf(prize));
  }),
  api(routes.updatePrize, async ({ params, body, ifMatch, context }) => {
    const prize = await changePrize(params.id, body, ifMatch, context);
    return ok({ message: "Prize updated.", item: prizeAnswer(prize) }, etagOf(prize));
  }),
  api(routes.deletePrize, async ({ params, ifMatch, context }) => {
    await deletePrize(params.id, ifMatch, context);
    return ok({ message: "Prize deleted." });
  }),
]);
