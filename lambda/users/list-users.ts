import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { decodeCursor } from "#kit/cursor.ts";
import { nextHeader, queryItems, takePage } from "#kit/pages.ts";
import * as routes from "./routes.ts";
import { everybody, type UserRecord } from "./store.ts";
import { userAnswer } from "./user.ts";

export const listUsers = api(routes.listUsers, async ({ query: { limit, cursor } }) => {
  const people = queryItems<UserRecord>({
    ...everybody(cursor === undefined ? undefined : decodeCursor(cursor)),
    // One more than asked for tells whether there is another page.
    ...(limit !== undefined && { Limit: limit + 1 }),
  });
  const page = await takePage(people, { limit, sortKeyOf: ({ email }) => email });
  return ok(page.rows.map(userAnswer), nextHeader(page));
});
