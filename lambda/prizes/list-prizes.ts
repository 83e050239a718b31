import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { decodeCursor } from "#kit/cursor.ts";
import { nextHeader, queryItems, takePage } from "#kit/pages.ts";
import { type PrizeRecord, prizeAnswer } from "./prize.ts";
import * as routes from "./routes.ts";
import { everyPrize, prizeOf } from "./store.ts";

export const listPrizes = api(routes.listPrizes, async ({ query: { limit, cursor } }) => {
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  const page = await takePage(queryItems<PrizeRecord>(everyPrize(after)), { limit, sortKeyOf: ({ id }) => id });
  return ok(
    page.rows.map((item) => prizeAnswer(prizeOf(item))),
    nextHeader(page),
  );
});
