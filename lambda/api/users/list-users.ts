import { pageOfUsers } from "#domain/people/users/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { decodeCursor, part } from "#kit/cursor.ts";
import { nextHeader } from "#kit/pages.ts";
import * as routes from "./routes.ts";
import { userAnswer } from "./user-answer.ts";

export const listUsers = api(routes.listUsers, async ({ query: { limit, cursor } }) => {
  const page = await pageOfUsers({ limit, after: decodeCursor(cursor, part.email) });
  return ok(page.rows.map(userAnswer), nextHeader(page));
});
