import { pageOfPrizes } from "#domain/prizes/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { decodeCursor, part } from "#kit/cursor.ts";
import { nextHeader } from "#kit/pages.ts";
import { prizeAnswer } from "./prize-answer.ts";
import * as routes from "./routes.ts";

export const listPrizes = api(routes.listPrizes, async ({ query: { limit, cursor } }) => {
  const page = await pageOfPrizes({ limit, after: decodeCursor(cursor, part.eventId) });
  return ok(page.rows.map(prizeAnswer), nextHeader(page));
});
