import { pageOfUsers } from "#domain/people/users/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { nextHeader } from "#kit/pages.ts";
import * as routes from "./routes.ts";
import { userAnswer } from "./user-answer.ts";

export const listUsers = api(routes.listUsers, async ({ query }) => {
  const page = await pageOfUsers(query);
  return ok(page.rows.map(userAnswer), nextHeader(page));
});
